// SPDX-License-Identifier: Apache-2.0
//
// The card: SMs on the memory system.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gputlm/mmu/page_table.h"
#include "gputlm/system/memory_system.h"
#include "gputlm/system/sm.h"

namespace gputlm {

/// All SMs, their page table and the memory system, from one configuration.
class Gpu : public sc_core::sc_module {
 public:
  Gpu(const sc_core::sc_module_name& name, const Config& config, const BuildOptions& options = {});

  MemorySystem mem;
  PageTable pages;
  std::vector<std::unique_ptr<Sm>> sms;

  /// SM i's road (`sms[i]->lsu.external`, 32 bits) as a socket of BUSWIDTH bits; the same on every call. During
  /// elaboration.
  template <unsigned BUSWIDTH>
  tlm::tlm_target_socket<BUSWIDTH>& port(std::size_t i) {
    return widths_.of<BUSWIDTH>(sms.at(i)->lsu.external, "sm" + std::to_string(i));
  }

  const Config& config() const { return mem.config(); }
  /// Every unit, in the order of the road, those attached behind it.
  std::vector<Unit*> units() const;
  /// A unit that stands beside the card and belongs to its story: it is counted, explained and reset with it.
  void attach(Unit& unit) { attached_.push_back(&unit); }
  /// Everything to power-on; the page table and the memory image stay.
  void reset();
  /// True when no unit holds anything.
  bool idle() const;

 private:
  WidthAdapters widths_{*this};
  std::vector<Unit*> attached_;
};

}  // namespace gputlm
