// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/access_journey.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "gputlm/dram/dram_timing.h"
#include "gputlm/trace/journey_waits.h"
#include "gputlm/trace/line_event_text.h"

namespace gputlm {
namespace {

std::string what_it_is(const TraceTransaction& t) {
  std::string text = t.kind == TraceKind::row ? "row wanted soon" : t.operation;
  if (t.kind != TraceKind::access && t.kind != TraceKind::line && t.kind != TraceKind::row)
    text += fmt::format(" ({})", name_of(t.kind));
  return text;
}

const char* depth_word(TraceUnit unit, bool write) {
  switch (unit) {
    case TraceUnit::lsu:
      return "instructions queued";
    case TraceUnit::crossbar:
      return "requests queued for the slice";
    case TraceUnit::controller:
      return write ? "lines in the write backlog" : "lines in the read queues";
    default:
      return nullptr;
  }
}

/// Which bytes, when they are some of the line's: 32 bits a sector, sector 0 and byte 0 on the right.
std::string mask_text(ByteMask mask) {
  if (mask.empty() || mask.is_full()) return {};
  return fmt::format(" (mask {:08x}:{:08x}:{:08x}:{:08x})", mask.sector(3), mask.sector(2), mask.sector(1),
                     mask.sector(0));
}

bool writes(const TraceTransaction& t) {
  return t.kind == TraceKind::write_back;
}

}  // namespace

bool AccessJourney::own(const TraceTransaction& t) const {
  if (!access_) return true;
  const Origin &a = t.origin, &b = access_->origin;
  return t.from_sm() && a.sm == b.sm && a.warp == b.warp && a.instruction == b.instruction && a.kernel == b.kernel &&
         a.cta == b.cta;
}

/// One more of those that are counted.
bool AccessJourney::admit() {
  if (of_others_ < kMost) return ++of_others_, true;
  return ++journey_.left_out, false;
}

void AccessJourney::keep_of_others(const TraceEvent& e) {
  if (admit()) events_.push_back(e);
}

void AccessJourney::take(const SharedBatch& batch) {
  for (const TraceEvent& e : batch->events) {
    if (e.name == std::string_view(name_of(CommandKind::refresh))) continue;
    note_dirty(e);
    if (e.transaction == 0)
      keep_of_others(e);
    else
      unsettled_[e.transaction].push_back(e);
  }
  for (const TraceTransaction& t : batch->transactions) settle(t);
}

void AccessJourney::settle(const TraceTransaction& t) {
  std::vector<TraceEvent> events;
  if (const auto found = unsettled_.find(t.id); found != unsettled_.end()) {
    events = std::move(found->second);
    unsettled_.erase(found);
  }
  if (access_ && own(t)) {
    transactions_.push_back(t);
    events_.insert(events_.end(), events.begin(), events.end());
    return;
  }
  const std::size_t before = events_.size();
  for (const TraceEvent& e : events) keep_of_others(e);
  // Another's access has no stations but those of its events, which name it.
  const bool stations = !access_ || t.kind == TraceKind::write_back || t.kind == TraceKind::row;
  if (stations ? admit() : events_.size() > before) transactions_.push_back(t);
}

/// Bytes are dirty from their store on until DRAM's controller has them; a way's other events may show it when it is
/// another line's already.
void AccessJourney::note_dirty(const TraceEvent& e) {
  if (!access_ || access_->lines.count(e.line) == 0) return;
  const std::string_view name = e.name;
  if (name == "store visible" || name == "atomic performed")
    dirty_[e.line] = e.track;
  else if (name == text_of(L2Observer::LineEvent::write_back_accepted) && e.dirty.empty())
    dirty_.erase(e.line);
}

/// The end of a store's way that was not cleaned.
void AccessJourney::add_end_of_run() {
  if (!access_ || access_->operation == "load") return;
  for (const auto& [line, track] : dirty_)
    add(now(), track, "end of the run", {}, fmt::format("line pa {:#x}: still dirty in L2, not in DRAM", line),
        kEffect);
}

/// Of a run that made one only.
void AccessJourney::name_only_access() {
  journey_.access = access_;
  if (access_ || journey_.left_out > 0) return;
  for (const TraceTransaction& t : transactions_) {
    if (t.kind != TraceKind::access) continue;
    if (journey_.access) return journey_.access.reset();
    FollowedAccess& a = journey_.access.emplace();
    a.origin = t.origin;
    a.operation = t.operation;
    a.address = t.virtual_address;
    a.begin = t.begin();
  }
}

void AccessJourney::finish(const TraceLoss& /*loss*/) {
  for (const auto& [id, events] : unsettled_)
    for (const TraceEvent& e : events) keep_of_others(e);
  name_only_access();
  const JourneyWaits waits(*description_, config_, transactions_, events_);
  std::vector<const TraceTransaction*> all;
  for (const TraceTransaction& t : transactions_)
    if (own(t) || t.kind == TraceKind::write_back || t.kind == TraceKind::row) all.push_back(&t);
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  for (const TraceTransaction* t : all)
    for (std::size_t hop = 0; hop < t->hops.size(); ++hop) add_arrival(*t, hop, waits);
  // Answers come from below.
  for (auto t = all.rbegin(); t != all.rend(); ++t)
    for (std::size_t hop = (*t)->hops.size(); hop-- > 0;) add_answer(**t, hop, waits);
  for (const TraceEvent& e : events_) add_event(e);
  add_end_of_run();
  std::stable_sort(journey_.stations.begin(), journey_.stations.end(),
                   [](const auto& a, const auto& b) { return std::tie(a.time, a.order) < std::tie(b.time, b.order); });
}

void AccessJourney::add(Fs time, std::uint32_t track, std::string event, TimeSpent spent, std::string detail,
                        Order order) {
  detail += spent.text();
  journey_.stations.push_back(
      {time, description_->tracks[track].name, std::move(event), std::move(spent), std::move(detail), order});
}

void AccessJourney::add_arrival(const TraceTransaction& t, std::size_t hop, const JourneyWaits& waits) {
  const TraceHop& h = t.hops[hop];
  const TraceUnit unit = description_->tracks[h.track].unit;
  std::string detail = what_it_is(t);
  const bool above = unit == TraceUnit::lsu || unit == TraceUnit::l1 || unit == TraceUnit::mmu;
  if (const std::uint64_t address = above ? t.virtual_address : t.physical_address; address != kNoAddress)
    detail += fmt::format(" {} {:#x}", above ? "va" : "pa", address);
  if (hop == 0) detail += fmt::format(", {} bytes", t.bytes);
  if (const char* word = depth_word(unit, writes(t)); word != nullptr) detail += fmt::format(", {} {}", h.depth, word);
  const Order order = t.kind == TraceKind::row ? kQueued : kRequest;
  add(h.request, h.track, "request arrives", waits.arrival(t, hop), detail, order);
  if (h.accepted == kNever) return;
  TimeSpent held = waits.acceptance(t, hop);
  const char* const when = h.accepted == h.request ? "at once"
                           : held.causes.empty()   ? "after its turn at the door"
                                                   : "late";
  add(h.accepted, h.track, "request accepted", std::move(held), when, order);
}

void AccessJourney::add_answer(const TraceTransaction& t, std::size_t hop, const JourneyWaits& waits) {
  const TraceHop& h = t.hops[hop];
  if (h.response == kNever) return;
  TimeSpent spent = waits.answer(t, hop);
  std::string detail = fmt::format("{} after {:.3f} ns here", what_it_is(t), to_ns(h.response - h.request));
  if (t.failed) detail += "; failed";
  add(h.response, h.track, std::string(t.operation) == "store" ? "acknowledgement leaves" : "response leaves",
      std::move(spent), detail, t.kind == TraceKind::row ? kQueued : kAnswer);
}

void AccessJourney::add_event(const TraceEvent& e) {
  if (e.command) {
    std::string detail = fmt::format("bank {} row {}", e.bank, e.row);
    if (e.name == std::string(name_of(CommandKind::read)) || e.name == std::string(name_of(CommandKind::write)))
      detail += fmt::format(" column {}", e.column);
    return add(e.time, e.track, e.name, {}, detail, kEffect);
  }
  std::string detail = fmt::format("line pa {:#x}", e.line);
  if (e.of_way)
    detail += fmt::format(": set {} way {}, RRPV {}, {} bytes valid, {} dirty{}", e.set, e.way, e.rrpv, e.valid.count(),
                          e.dirty.count(), mask_text(e.dirty));
  if (const TraceTransaction* whose = find_transaction(transactions_, e.transaction);
      whose != nullptr && whose->from_sm() && !own(*whose))
    detail += fmt::format("; by SM {} warp {} instruction {}", whose->origin.sm, whose->origin.warp,
                          whose->origin.instruction);
  const std::string_view name = e.name;
  const bool queued = name.find("write-back queued") != std::string_view::npos || name == "write-back sent";
  add(e.time, e.track, e.name, {}, detail, queued ? kQueued : kEffect);
}

}  // namespace gputlm
