// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/door_stalls.h"

namespace gputlm {
namespace {

/// By unit, in the order of door_totals().
const char* cause_of(TraceUnit unit, std::size_t cause) {
  static constexpr std::array<const char*, 2> l1{"no room for its fill: the fill sectors are under way",
                                                 "the MMU withholds END_REQ"};
  static constexpr std::array<const char*, 2> crossbar{"the SM's share of the network is used up",
                                                       "the slice's queue in the crossbar is full"};
  static constexpr std::array<const char*, 3> l2{"the write-back list is full: the controller withholds END_REQ",
                                                 "every way of its set is on its way in or out",
                                                 "no fetch entry is free"};
  switch (unit) {
    case TraceUnit::l1:
      return l1.at(cause);
    case TraceUnit::mmu:
      return "the crossbar withholds END_REQ";
    case TraceUnit::crossbar:
      return crossbar.at(cause);
    default:
      return l2.at(cause);
  }
}

}  // namespace

DoorTotals door_totals(const Gpu& gpu, const TraceTrack& door) {
  const unsigned n = door.number;
  switch (door.unit) {
    case TraceUnit::l1: {
      const L1Cache& l1 = gpu.sms[n]->l1;
      return {l1.stall_time(L1Cache::Stall::fills), l1.stall_time(L1Cache::Stall::network), 0};
    }
    case TraceUnit::mmu:
      return {gpu.sms[n]->mmu.stall_time(Mmu::Stall::network), 0, 0};
    case TraceUnit::crossbar: {
      const Crossbar& crossbar = gpu.mem.crossbar;
      return {crossbar.stall_time(n, Crossbar::Stall::sm_share), crossbar.stall_time(n, Crossbar::Stall::slice_queue),
              0};
    }
    case TraceUnit::l2: {
      const L2Slice& slice = *gpu.mem.slices[n];
      return {slice.stall_time(L2Slice::Stall::write_back_list), slice.stall_time(L2Slice::Stall::ways_busy),
              slice.stall_time(L2Slice::Stall::fetch_entries)};
    }
    default:
      return {};
  }
}

std::vector<TraceStall> stalls_between(TraceUnit unit, const DoorTotals& before, const DoorTotals& after) {
  std::vector<TraceStall> stalls;
  for (std::size_t i = 0; i < before.size(); ++i)
    if (after[i] > before[i]) stalls.push_back({cause_of(unit, i), after[i] - before[i]});
  return stalls;
}

}  // namespace gputlm
