// SPDX-License-Identifier: Apache-2.0
//
// Address translation of one SM: a TLB of 16 fully associative entries of 2 MiB pages with LRU replacement, behind L1
// and in front of the crossbar. A miss costs a flat 4.4 ns: the next level is a cache on the chip that covers all of
// VRAM.
//
// Left out: the levels of the table, its walks and their traffic, permissions, sharing of the next level between SMs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gputlm/mmu/mmu_spec.h"
#include "gputlm/mmu/page_table.h"
#include "gputlm/mmu/tlb.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Makes addresses physical on the way down and virtual again before the response goes up. Has no event of its own: it
/// annotates. Requests leave in the order they came; misses overlap. An unmapped address is answered at the door with
/// an address error. A system barrier is not translated.
class Mmu : public Unit {
 public:
  /// Why a request is held back at the door.
  enum class Stall : std::uint8_t { network };

  Mmu(const sc_core::sc_module_name& name, const MmuSpec& spec, unsigned sm, const PageTable& table);

  TargetSocket<Mmu> requests;     ///< From L1, virtual addresses.
  InitiatorSocket<Mmu> physical;  ///< To the crossbar, physical addresses.

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return in_flight_ == 0; }
  void list_waits(WaitList& waits) const override;

  /// Shootdown: forgets every cached page; needed after a page was unmapped.
  void flush_tlb() { tlb_.flush(); }
  /// Time lost to a withheld END_REQ below, up to now.
  Fs stall_time(Stall cause) const { return stall_.total(cause, std::max(now(), held_.arrival)); }

  /// Backdoor: the pages that the TLB holds, most recently used first.
  const std::vector<Page>& tlb() const { return tlb_.pages(); }
  /// Backdoor: the TLB holds exactly these pages, most recently used first, whatever the table says; what it has no
  /// entries for is left out. Not counted.
  void set_tlb(const std::vector<Page>& pages) { tlb_.hold(pages); }

  // -- Called by the sockets ------------------------------------------------------------------------------------------
  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t port, std::uint64_t first, std::uint64_t last);

 private:
  /// A request whose END_REQ is withheld below.
  struct Held {
    PayloadRef request;
    Fs arrival = 0;
    Fs added = 0;  ///< Time between its arrival and its leaving.
  };
  struct Counters {
    std::uint64_t translations = 0, hits = 0, misses = 0, faults = 0;
    Histogram wait;
  };

  /// Translates the payload's address and raises `latency`; false when it is not mapped (the address is untouched).
  bool translate(Payload& p, Fs& latency);
  static void restore(Payload& p);

  const MmuSpec spec_;
  const unsigned sm_;
  const PageTable& table_;
  Tlb tlb_;
  Fs last_ = 0;  ///< Effective time of the latest call on the arrow below: the next one is no earlier.
  Held held_;
  StallClock<Stall, 1> stall_;
  std::uint64_t in_flight_ = 0;
  Counters counters_;
};

}  // namespace gputlm
