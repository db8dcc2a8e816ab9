// SPDX-License-Identifier: Apache-2.0
//
// JourneyWaits: the way back.
#include <algorithm>
#include <string_view>

#include "gputlm/dram/dram_timing.h"
#include "gputlm/trace/journey_waits.h"

namespace gputlm {
namespace {

bool is(const TraceTransaction& t, std::string_view operation) {
  return t.operation == operation;
}

}  // namespace

/// Of what was asked for on its behalf; 0: nothing.
Fs JourneyWaits::last_child_answered(const TraceTransaction& t) const {
  Fs last = 0;
  for (const TraceTransaction& child : transactions_)
    if (child.parent == t.id && child.hops.front().response != kNever)
      last = std::max(last, child.hops.front().response);
  return last;
}

TimeSpent JourneyWaits::answer(const TraceTransaction& t, std::size_t hop) const {
  const TraceHop& h = t.hops[hop];
  const bool last = hop + 1 == t.hops.size();
  const Fs below = last ? last_child_answered(t) : t.hops[hop + 1].response;
  const Fs taken = h.response - std::max(h.request, below);
  switch (unit(h)) {
    case TraceUnit::l1:
      return last && below == 0 ? l1_answer(t, taken) : time_spent(taken, taken, {}, {});
    case TraceUnit::crossbar:
      return time_spent(taken, last ? taken : config_.crossbar.response_latency, {},
                        "behind other answers at the SM's port");
    case TraceUnit::l2:
      return slice_answer(t, h);
    case TraceUnit::dram:
      return time_spent(taken, channel_service(t, h, taken), {},
                        "behind commands that were booked before, of its bank or on the bus");
    default:
      return time_spent(taken, taken, {}, {});
  }
}

TimeSpent JourneyWaits::l1_answer(const TraceTransaction& t, Fs taken) const {
  const bool hit = happened(t, "L1 hit");
  return time_spent(
      taken, config_.l1.hit_latency, {},
      hit ? "behind other hits at L1's data port" : "for a fill of its line that another access had asked for");
}

TimeSpent JourneyWaits::slice_answer(const TraceTransaction& t, const TraceHop& h) const {
  const L2Spec& l2 = config_.l2;
  const Fs taken = h.response - h.request;
  if (is(t, "store")) return time_spent(taken, l2.store_latency, h.held_by, "the port was busy with its data");
  const bool load = is(t, "load"), missed = happened(t, "load miss") || last_child_answered(t) > 0;
  const char* const rest = missed ? "for its bytes from DRAM"
                           : load ? "behind other loads at the slice's data port"
                                  : "behind atomics of the same word, or at the data port";
  return time_spent(taken, l2.load_latency + (load ? 0 : l2.atomic_latency), h.held_by, rest);
}

/// What opening its row took, when it was opened for it: by itself or, ahead of it, by the controller.
double JourneyWaits::row_cycles(const TraceTransaction& t, const TraceHop& h) const {
  const DramTimingSpec& d = config_.dram.timing;
  const bool write = t.kind == TraceKind::write_back;
  const std::string_view column = name_of(write ? CommandKind::write : CommandKind::read);
  const auto first = std::find_if(events_.begin(), events_.end(), [&](const TraceEvent& e) {
    return e.transaction == t.id && e.command && e.name == column;
  });
  if (first == events_.end()) return 0;
  double cycles = 0;
  for (const TraceEvent& e : events_) {
    if (!e.command || e.track != h.track || e.bank != first->bank || e.time < h.request || e.time > first->time)
      continue;
    if (e.name == std::string_view(name_of(CommandKind::activate))) cycles += write ? d.tRCDWR : d.tRCDRD;
    if (e.name == std::string_view(name_of(CommandKind::precharge))) cycles += d.tRP;
  }
  return cycles;
}

/// What the commands of the line take by themselves, from the next clock edge on; its columns lie in one bank.
Fs JourneyWaits::channel_service(const TraceTransaction& t, const TraceHop& h, Fs taken) const {
  const DramTimingSpec& d = config_.dram.timing;
  const unsigned columns = std::max(1U, (t.bytes + kSectorBytes - 1) / kSectorBytes);
  const double cycles = (t.kind == TraceKind::write_back ? d.tWL : d.tCL) + (columns - 1) * std::max(d.tCCDL, d.burst) +
                        d.burst + row_cycles(t, h);
  const Fs least = cycles_to_fs(cycles, d.clock_hz) + config_.dram.response_latency;
  return taken - least < cycles_to_fs(1, d.clock_hz) ? taken : least;
}

}  // namespace gputlm
