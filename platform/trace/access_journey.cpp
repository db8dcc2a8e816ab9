// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/access_journey.h"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "gputlm/dram/dram_timing.h"
#include "gputlm/trace/line_event_text.h"

namespace gputlm {
namespace {

/// Why a request waits on its way from a unit to the next one.
const char* why_held(TraceUnit unit, bool write) {
  switch (unit) {
    case TraceUnit::lsu:
      return "in the LSU: queue, issue interval, exit";
    case TraceUnit::l1:
      return "behind earlier requests of the SM";
    case TraceUnit::mmu:
      return "behind earlier translations of the SM";
    case TraceUnit::crossbar:
      return "in the crossbar: queue of the slice";
    case TraceUnit::controller:
      return write ? "in the write backlog" : "in the read queue";
    default:
      return "";
  }
}

/// Why a unit takes a request later than it comes.
const char* why_not_accepted(TraceUnit unit) {
  switch (unit) {
    case TraceUnit::lsu:
      return "queue full";
    case TraceUnit::l1:
    case TraceUnit::mmu:
      return "port busy, or the road below withholds END_REQ";
    case TraceUnit::crossbar:
      return "port busy, the SM's share used up, or the slice's queue full";
    case TraceUnit::l2:
      return "port busy, or no way, write-back entry or fetch entry free";
    case TraceUnit::controller:
      return "queue full";
    case TraceUnit::dram:
      return "data bus booked to the limit";
    default:
      return "";
  }
}

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

void AccessJourney::take(const TraceBatch& batch) {
  for (const TraceEvent& e : batch.events) {
    if (e.name == std::string_view(name_of(CommandKind::refresh))) continue;
    note_dirty(e);
    if (e.transaction == 0)
      keep_of_others(e);
    else
      unsettled_[e.transaction].push_back(e);
  }
  for (const TraceTransaction& t : batch.transactions) settle(t);
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
  else if (name == text_of(L2Observer::LineEvent::write_back_accepted) && e.dirty == 0)
    dirty_.erase(e.line);
}

/// The end of a store's way that was not cleaned.
void AccessJourney::add_end_of_run() {
  if (!access_ || access_->operation == "load") return;
  for (const auto& [line, track] : dirty_)
    add(now(), track, "end of the run", 0, fmt::format("line pa {:#x}: still dirty in L2, not in DRAM", line), kEffect);
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

const TraceTransaction* AccessJourney::find(std::uint64_t id) const {
  for (const TraceTransaction& t : transactions_)
    if (t.id == id) return &t;
  return nullptr;
}

void AccessJourney::finish(const TraceLoss& /*loss*/) {
  for (const auto& [id, events] : unsettled_)
    for (const TraceEvent& e : events) keep_of_others(e);
  name_only_access();
  std::vector<const TraceTransaction*> all;
  for (const TraceTransaction& t : transactions_)
    if (own(t) || t.kind == TraceKind::write_back || t.kind == TraceKind::row) all.push_back(&t);
  std::sort(all.begin(), all.end(), [](const auto* a, const auto* b) { return a->id < b->id; });
  for (const TraceTransaction* t : all)
    for (std::size_t hop = 0; hop < t->hops.size(); ++hop) add_arrival(*t, hop);
  // Answers come from below.
  for (auto t = all.rbegin(); t != all.rend(); ++t)
    for (std::size_t hop = (*t)->hops.size(); hop-- > 0;) add_answer(**t, hop);
  for (const TraceEvent& e : events_) add_event(e);
  add_end_of_run();
  std::stable_sort(journey_.stations.begin(), journey_.stations.end(),
                   [](const auto& a, const auto& b) { return std::tie(a.time, a.order) < std::tie(b.time, b.order); });
}

void AccessJourney::add(Fs time, std::uint32_t track, std::string event, Fs wait, std::string detail, Order order) {
  journey_.stations.push_back(
      {time, description_->tracks[track].name, std::move(event), wait, std::move(detail), order});
}

/// Time from here to the next arrow on an idle card.
Fs AccessJourney::unloaded(const TraceTransaction& t, std::size_t hop) const {
  const TraceUnit unit = description_->tracks[t.hops[hop].track].unit;
  const Fs taken = t.hops[hop + 1].request - t.hops[hop].request;
  switch (unit) {
    case TraceUnit::l1:
      return config_.l1.miss_latency;
    case TraceUnit::mmu:
      return taken >= config_.mmu.miss_latency ? config_.mmu.miss_latency : config_.mmu.hit_latency;
    case TraceUnit::crossbar:
      return config_.crossbar.request_latency;
    case TraceUnit::controller:
      return config_.dram.request_latency;
    default:
      return 0;
  }
}

/// What it lost before it came here, and where.
AccessJourney::Wait AccessJourney::waited_before(const TraceTransaction& t, std::size_t hop) const {
  const Fs at = t.hops[hop].request;
  if (hop > 0)
    return {at - t.hops[hop - 1].request - unloaded(t, hop - 1),
            why_held(description_->tracks[t.hops[hop - 1].track].unit, writes(t))};
  const TraceTransaction* const parent = find(t.parent);
  if (parent == nullptr) return {};
  switch (t.kind) {
    case TraceKind::line:
      return {at - parent->begin(), why_held(TraceUnit::lsu, false)};
    case TraceKind::fill:
      return {at - parent->begin() - config_.l1.miss_latency, "in the L1: for a fill entry, or behind other requests"};
    case TraceKind::fetch:
      return {at - parent->hops.back().request, "in the slice: port, way, or the controller withholds END_REQ"};
    default:
      return {};
  }
}

void AccessJourney::add_arrival(const TraceTransaction& t, std::size_t hop) {
  const TraceHop& h = t.hops[hop];
  const TraceUnit unit = description_->tracks[h.track].unit;
  std::string detail = what_it_is(t);
  const bool above = unit == TraceUnit::lsu || unit == TraceUnit::l1 || unit == TraceUnit::mmu;
  if (const std::uint64_t address = above ? t.virtual_address : t.physical_address; address != kNoAddress)
    detail += fmt::format(" {} {:#x}", above ? "va" : "pa", address);
  if (hop == 0) detail += fmt::format(", {} bytes", t.bytes);
  if (const char* word = depth_word(unit, writes(t)); word != nullptr) detail += fmt::format(", {} {}", h.depth, word);
  const Wait wait = waited_before(t, hop);
  const Order order = t.kind == TraceKind::row ? kQueued : kRequest;
  if (wait.time > 0) detail += fmt::format("; waited {}", wait.why);
  add(h.request, h.track, "request arrives", std::max<Fs>(0, wait.time), detail, order);
  if (h.accepted == kNever) return;
  const Fs held = h.accepted - h.request;
  add(h.accepted, h.track, "request accepted", held, held > 0 ? why_not_accepted(unit) : "at once", order);
}

/// From the request at a unit (or the answer from below) to its answer, on an idle card.
Fs AccessJourney::unloaded_answer(const TraceTransaction& t, std::size_t hop) const {
  const bool store = std::string(t.operation) == "store", load = std::string(t.operation) == "load";
  switch (description_->tracks[t.hops[hop].track].unit) {
    case TraceUnit::l2:
      return store ? config_.l2.store_latency : config_.l2.load_latency + (load ? 0 : config_.l2.atomic_latency);
    case TraceUnit::crossbar:
      return config_.crossbar.response_latency;
    default:
      return 0;
  }
}

void AccessJourney::add_answer(const TraceTransaction& t, std::size_t hop) {
  const TraceHop& h = t.hops[hop];
  if (h.response == kNever) return;
  const TraceUnit unit = description_->tracks[h.track].unit;
  const bool last = hop + 1 == t.hops.size();
  const Fs taken = h.response - (last ? h.request : t.hops[hop + 1].response);
  const bool judged = unit == TraceUnit::l2 || (unit == TraceUnit::crossbar && !last);
  const Fs wait = judged ? std::max<Fs>(0, taken - unloaded_answer(t, hop)) : 0;
  std::string detail = fmt::format("{} after {:.3f} ns here", what_it_is(t), to_ns(h.response - h.request));
  if (wait > 0)
    detail += unit == TraceUnit::l2 ? "; waited for a fetch or the data port" : "; waited for the SM's port";
  if (t.failed) detail += "; failed";
  add(h.response, h.track, std::string(t.operation) == "store" ? "acknowledgement leaves" : "response leaves", wait,
      detail, t.kind == TraceKind::row ? kQueued : kAnswer);
}

void AccessJourney::add_event(const TraceEvent& e) {
  if (e.command) {
    std::string detail = fmt::format("bank {} row {}", e.bank, e.row);
    if (e.name == std::string(name_of(CommandKind::read)) || e.name == std::string(name_of(CommandKind::write)))
      detail += fmt::format(" column {}", e.column);
    return add(e.time, e.track, e.name, 0, detail, kEffect);
  }
  std::string detail = fmt::format("line pa {:#x}", e.line);
  if (e.of_way)
    detail += fmt::format(": set {} way {}, RRPV {}, {} bytes valid, {} dirty", e.set, e.way, e.rrpv, e.valid, e.dirty);
  if (const TraceTransaction* whose = find(e.transaction); whose != nullptr && whose->from_sm() && !own(*whose))
    detail += fmt::format("; by SM {} warp {} instruction {}", whose->origin.sm, whose->origin.warp,
                          whose->origin.instruction);
  const std::string_view name = e.name;
  const bool queued = name.find("write-back queued") != std::string_view::npos || name == "write-back sent";
  add(e.time, e.track, e.name, 0, detail, queued ? kQueued : kEffect);
}

}  // namespace gputlm
