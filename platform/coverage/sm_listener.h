// SPDX-License-Identifier: Apache-2.0
//
// What the coverage of one SM's units sees: the arrows into LSU, L1 and MMU, and the L1's own events.
#pragma once

#include <vector>

#include "gputlm/coverage/coverage_collector.h"

namespace gputlm {

class CoverageCollector::SmListener {
 public:
  SmListener(CoverageCollector& collector, Sm& sm);

  void filled(const Payload& fill, ByteMask installed);
  void load_hit(const Payload& load, ByteMask wanted);
  void invalidated();

 private:
  /// Passes what is seen on an arrow on to a member of the listener.
  struct Ear : tlm::tlm_analysis_if<ArrowEvent> {
    using Hear = void (SmListener::*)(const ArrowEvent&);
    Ear(SmListener& listener, Hear hear) : listener(listener), hear(hear) {}
    void write(const ArrowEvent& event) override { (listener.*hear)(event); }
    SmListener& listener;
    Hear hear;
  };
  /// A fill on its way.
  struct Filling {
    const Payload* child;
    std::uint64_t line;
    bool invalidated;
  };

  void at_lsu(const ArrowEvent& event);
  void at_l1(const ArrowEvent& event);
  void at_mmu(const ArrowEvent& event);

  ByteMask valid_bytes(std::uint64_t virtual_line) const;
  bool filling(std::uint64_t virtual_line) const;
  void note_fence(const Sideband& s);
  void note_lanes(const WarpLanes& lanes);
  void hit(CoverageEvent event) { collector_.hit(event); }

  CoverageCollector& collector_;
  Sm& sm_;
  std::vector<Filling> fillings_;
  Ear lsu_ear_, l1_ear_, mmu_ear_;
};

}  // namespace gputlm
