// SPDX-License-Identifier: Apache-2.0
//
// JourneyWaits: the way there. Answers are in journey_answers.cpp.
#include "gputlm/trace/journey_waits.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace gputlm {
namespace {

Fs sum_of(const std::vector<TraceStall>& stalls) {
  Fs sum = 0;
  for (const TraceStall& s : stalls) sum += s.time;
  return sum;
}

std::string before_it(std::uint32_t depth, const char* what) {
  return fmt::format("behind {} {}{}", depth, what, depth == 1 ? "" : "s");
}

}  // namespace

TimeSpent time_spent(Fs taken, Fs service, const std::vector<TraceStall>& causes, const std::string& rest) {
  TimeSpent time;
  time.service = std::clamp<Fs>(service, 0, std::max<Fs>(0, taken));
  Fs left = taken - time.service;
  const auto lost = [&](const std::string& why, Fs most) {
    if (const Fs part = std::min(left, most); part > 0) time.causes.push_back({why, part}), left -= part;
  };
  for (const TraceStall& c : causes) lost(c.why, c.time);
  lost(rest, left);
  return time;
}

Fs TimeSpent::wait() const {
  return sum_of(causes);
}

std::string TimeSpent::text() const {
  if (causes.empty()) return {};
  if (causes.size() == 1) return "; waited: " + causes.front().why;
  std::string text;
  for (const TraceStall& s : causes)
    text += fmt::format("{} {} {:.3f} ns", text.empty() ? "; waited:" : ",", s.why, to_ns(s.time));
  return text;
}

const TraceTransaction* find_transaction(const std::vector<TraceTransaction>& all, std::uint64_t id) {
  const auto found = std::find_if(all.begin(), all.end(), [id](const TraceTransaction& t) { return t.id == id; });
  return found == all.end() ? nullptr : &*found;
}

JourneyWaits::JourneyWaits(const TraceDescription& description, const Config& config,
                           const std::vector<TraceTransaction>& transactions, const std::vector<TraceEvent>& events)
    : description_(description), config_(config), transactions_(transactions), events_(events) {
  for (const TraceEvent& e : events) names_[e.transaction].insert(e.name);
}

bool JourneyWaits::happened(const TraceTransaction& t, const char* event) const {
  const auto found = names_.find(t.id);
  return found != names_.end() && found->second.count(event) != 0;
}

TimeSpent JourneyWaits::arrival(const TraceTransaction& t, std::size_t hop) const {
  if (hop > 0) return way(t, hop);
  const TraceTransaction* const parent = find_transaction(transactions_, t.parent);
  if (parent == nullptr) return {};
  switch (t.kind) {
    case TraceKind::line:
      return through_lsu(t, *parent);
    case TraceKind::fill:
      return through_l1(t, *parent);
    case TraceKind::fetch:
      return through_slice(t, *parent);
    default:
      return {};
  }
}

/// Of the SM's exit, for one of its lines: at least, since sectors are counted as if they were full.
Fs JourneyWaits::exit_time(const TraceTransaction& line) const {
  const LsuSpec& lsu = config_.lsu;
  const double cycles = std::string_view(line.operation) == "load"
                            ? 1 / lsu.exit_loads_per_cycle
                            : std::max(lsu.exit_min_store_cycles, line.bytes / lsu.exit_bytes_per_cycle);
  return cycles_to_fs(cycles, lsu.clock_hz);
}

// The queue, then the exit, which the access's earlier lines have used.
TimeSpent JourneyWaits::through_lsu(const TraceTransaction& t, const TraceTransaction& access) const {
  const TraceHop &at_lsu = access.hops.front(), &at_l1 = t.hops.front();
  if (at_l1.left_queue == kNever) return time_spent(t.begin() - access.begin(), 0, {}, "in the LSU");
  std::vector<TraceStall> causes;
  if (at_lsu.accepted != kNever && at_lsu.accepted > at_lsu.request)
    causes.push_back({"its queue was full", std::min(at_lsu.accepted, at_l1.left_queue) - at_lsu.request});
  const Fs entered = at_lsu.request + sum_of(causes);
  if (at_l1.left_queue > entered)
    causes.push_back({at_lsu.depth > 0 ? before_it(at_lsu.depth, "instruction") + " of its queue"
                                       : "the issue interval of the instruction before",
                      at_l1.left_queue - entered});
  Fs own = 0;
  for (const TraceTransaction& other : transactions_)
    if (other.parent == access.id && other.kind == TraceKind::line && other.id < t.id) own += exit_time(other);
  return time_spent(t.begin() - access.begin(), own, causes, "the SM's exit: behind other requests");
}

TimeSpent JourneyWaits::through_l1(const TraceTransaction& t, const TraceTransaction& line) const {
  return time_spent(t.begin() - line.begin(), config_.l1.miss_latency, line.hops.front().held_by,
                    "behind an earlier request of the SM");
}

TimeSpent JourneyWaits::through_slice(const TraceTransaction& t, const TraceTransaction& asked) const {
  const TraceHop& door = asked.hops.back();
  const bool behind = t.hops.front().door_free >= t.begin();
  return time_spent(t.begin() - door.request, 0, door.held_by,
                    behind ? "behind an earlier fetch of the slice, which the controller took late"
                           : "a write-back of its line had to be accepted first");
}

/// From one arrow of the road to the next.
TimeSpent JourneyWaits::way(const TraceTransaction& t, std::size_t hop) const {
  const TraceHop &from = t.hops[hop - 1], &to = t.hops[hop];
  const Fs taken = to.request - from.request;
  const bool behind = to.door_free >= to.request;  // it came as soon as the door was free
  switch (unit(from)) {
    case TraceUnit::l1:
      return time_spent(taken, config_.l1.miss_latency, {}, "behind an earlier request, which the MMU took late");
    case TraceUnit::mmu: {
      const bool missed = taken >= config_.mmu.miss_latency;
      return time_spent(taken, missed ? config_.mmu.miss_latency : config_.mmu.hit_latency, {},
                        behind ? "behind an earlier request, which the crossbar took late"
                               : "behind an earlier translation of the SM, which missed the TLB");
    }
    case TraceUnit::crossbar:
      return time_spent(taken, config_.crossbar.request_latency, to.delayed_by,
                        from.depth > 0 ? before_it(from.depth, "request") + " for its slice"
                                       : "behind a request for its slice that came a moment earlier");
    case TraceUnit::controller:
      return time_spent(taken, config_.dram.request_latency, {},
                        behind ? "behind earlier lines, which the channel took late: its data bus was booked"
                               : fmt::format("{} in the {}", before_it(from.depth, "line"),
                                             t.kind == TraceKind::write_back ? "write backlog" : "read queues"));
    default:
      return {};
  }
}

TimeSpent JourneyWaits::acceptance(const TraceTransaction& t, std::size_t hop) const {
  const TraceHop& h = t.hops[hop];
  const Fs held = h.accepted - h.request;
  switch (unit(h)) {
    case TraceUnit::lsu:
      return time_spent(held, 0, {}, "its queue was full");
    case TraceUnit::controller:
      return time_spent(
          held, 0, {},
          t.kind == TraceKind::write_back ? "the write backlog was full" : "its channel's read queue was full");
    case TraceUnit::dram:
      return time_spent(held, 0, {}, "the data bus was booked to its limit");
    case TraceUnit::host:
      return time_spent(held, 0, {}, "no room at the link");
    default:  // what the door does not count as lost is the time that a request keeps it
      return time_spent(held, held - sum_of(h.held_by), h.held_by, {});
  }
}

}  // namespace gputlm
