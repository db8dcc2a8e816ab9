// SPDX-License-Identifier: Apache-2.0
//
// TraceRecorder: from the phases on arrows to transactions.
#include <algorithm>
#include <utility>

#include "gputlm/trace/trace_recorder.h"

namespace gputlm {

std::size_t TraceRecorder::WantHash::operator()(const Want& w) const {
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15ULL;  // 2^64 over the golden ratio
  std::uint64_t h = (w.line ^ (w.physical ? 1U : 0U)) * kMix;
  h = (h ^ (h >> 32U) ^ w.instruction) * kMix;
  h = (h ^ (h >> 32U) ^ (std::uint64_t{w.sm} << 16U | w.warp)) * kMix;
  return static_cast<std::size_t>(h ^ (h >> 32U));
}

void TraceRecorder::on_phase(std::uint32_t track, const ArrowEvent& e) {
  sample_if_due();
  if (e.phase == ArrowEvent::Phase::begin_req) serving_[track] = e.payload;
  if (e.phase == ArrowEvent::Phase::end_req) serving_[track] = nullptr;
  if (e.phase == ArrowEvent::Phase::begin_req) return begin_hop(track, e);
  const auto found = open_.find(e.payload);
  if (found == open_.end()) return;
  Open& o = found->second;
  auto& hops = o.transaction.hops;
  const auto hop =
      std::find_if(hops.rbegin(), hops.rend(), [&](const TraceHop& h) { return h.track == track && h.done == kNever; });
  if (hop == hops.rend()) return;
  switch (e.phase) {
    case ArrowEvent::Phase::end_req:
      hop->accepted = request_end_[track] = e.time;
      if (selection_.explain) explain(o, static_cast<std::size_t>(&*hop - hops.data()));
      return;
    case ArrowEvent::Phase::begin_resp:
      hop->response = e.time;
      hop->response_alone = e.time >= response_end_[track];
      return;
    case ArrowEvent::Phase::end_resp:
    default:
      hop->done = response_end_[track] = e.time;
      if (--o.under_way == 0) close(e.payload);
  }
}

void TraceRecorder::begin_hop(std::uint32_t track, const ArrowEvent& e) {
  Open* const o = open(track, e);
  if (o == nullptr) return;
  TraceTransaction& t = o->transaction;
  TraceHop hop;
  hop.track = track;
  hop.request = e.time;
  hop.request_alone = e.time >= request_end_[track];
  t.hops.push_back(hop);
  ++o->under_way;
  const bool kept = selection_.filter.keeps(t, description_.tracks[track].unit);
  o->kept.push_back(kept);
  o->any = o->any || kept;
  if (selection_.explain) watch_door(*o, track, *e.payload);
  if (!kept) return;
  ++recorded_;
  t.hops.back().depth = static_cast<std::uint32_t>(depth_at(description_.tracks[track], *e.payload));
}

/// What its door has held up so far, and what the slice's while the request crosses.
void TraceRecorder::watch_door(Open& o, std::uint32_t track, const Payload& p) {
  const Gpu& gpu = machine_.gpu;
  const TraceTrack& door = description_.tracks[track];
  TraceHop& hop = o.transaction.hops.back();
  hop.door_free = request_end_[track];
  o.doors.push_back(door_totals(gpu, door));
  if (door.unit == TraceUnit::crossbar && p.get_address() < gpu.config().memory_bytes())
    o.slice = door_totals(gpu, description_.tracks[slice_track_[gpu.mem.crossbar.slice_of(p.get_address())]]);
  if (door.unit == TraceUnit::l2) hop.delayed_by = stalls_between(door.unit, o.slice, o.doors.back());
  if (door.unit == TraceUnit::l1) hop.left_queue = gpu.sms[door.number]->lsu.left_queue();
}

/// The request has its END_REQ.
void TraceRecorder::explain(Open& o, std::size_t hop) {
  TraceHop& h = o.transaction.hops[hop];
  const TraceTrack& door = description_.tracks[h.track];
  h.held_by = stalls_between(door.unit, o.doors[hop], door_totals(machine_.gpu, door));
}

// An arrow is shown before its unit has done anything: the request itself is not among what waits.
std::size_t TraceRecorder::depth_at(const TraceTrack& place, const Payload& p) const {
  const Gpu& gpu = machine_.gpu;
  switch (place.unit) {
    case TraceUnit::lsu:
      return gpu.sms[place.number]->lsu.queued(place.port);
    case TraceUnit::crossbar:
      if (p.get_address() >= gpu.config().memory_bytes()) return 0;  // goes to the host
      return gpu.mem.crossbar.waiting_for(gpu.mem.crossbar.slice_of(p.get_address()));
    case TraceUnit::controller:
      return p.is_write() ? gpu.mem.controllers[place.number]->write_backlog()
                          : gpu.mem.controllers[place.number]->read_backlog();
    default:
      return 0;
  }
}

/// The payload's transaction, begun now if need be; null when it is not to be recorded.
TraceRecorder::Open* TraceRecorder::open(std::uint32_t track, const ArrowEvent& e) {
  if (const auto found = open_.find(e.payload); found != open_.end()) return &found->second;
  if (!selection_.window.contains(e.time)) return nullptr;
  TraceTransaction t;
  describe(t, track, *e.payload);
  if (full()) {
    if (selection_.filter.keeps(t, description_.tracks[track].unit)) {
      ++loss_.transactions;
      loss_.since = std::min(loss_.since, e.time);
    }
    return nullptr;
  }
  t.id = ++last_id_;
  t.parent = parent_of(t);
  enlist(t);
  Open& o = open_[e.payload];
  o.transaction = std::move(t);
  return &o;
}

void TraceRecorder::describe(TraceTransaction& t, std::uint32_t track, const Payload& p) const {
  const Sideband* s = find_sideband(p);
  const TraceUnit unit = description_.tracks[track].unit;
  if (s != nullptr) t.origin = s->origin;
  t.operation = s != nullptr ? name_of(s->operation) : p.is_write() ? "store" : "load";
  const bool warp_access = unit == TraceUnit::lsu;
  t.bytes = !warp_access ? ByteMask::of(p).count()
            : s != nullptr && s->lanes != nullptr
                ? static_cast<unsigned>(__builtin_popcount(s->lanes->active)) * s->lanes->lane_bytes
                : p.get_data_length();
  switch (unit) {
    case TraceUnit::lsu:
      t.kind = TraceKind::access;
      break;
    case TraceUnit::l1:
      t.kind = TraceKind::line;
      break;
    case TraceUnit::mmu:
      t.kind = p.is_write() ? TraceKind::write_back : TraceKind::fill;
      break;
    case TraceUnit::controller:
      t.kind = p.is_write() ? TraceKind::write_back : TraceKind::fetch;
      break;
    case TraceUnit::dram:  // a controller's own: a row wanted soon, or a line seen here first
      t.kind = p.is_write() ? TraceKind::write_back : t.bytes == 0 ? TraceKind::row : TraceKind::fetch;
      break;
    default:
      t.kind = t.from_sm() ? TraceKind::line : TraceKind::engine;
  }
  const bool above = unit == TraceUnit::lsu || unit == TraceUnit::l1 || unit == TraceUnit::mmu;
  const bool addressed =
      s == nullptr || (s->operation != Operation::fence && s->operation != Operation::l1_invalidate &&
                       s->operation != Operation::system_barrier);
  if (!addressed || unit == TraceUnit::host) return;
  if (above)
    t.virtual_address = p.get_address();
  else if (t.kind == TraceKind::line)
    t.virtual_address = s->virtual_address;
  t.physical_address = above ? translate(t.virtual_address) : p.get_address();
}

std::uint64_t TraceRecorder::translate(std::uint64_t virtual_address) const {
  const std::optional<Page> page = machine_.gpu.pages.find(virtual_address);
  return page ? page->translate(virtual_address) : kNoAddress;
}

// A line does an instruction's work, a fill a line's, a fetch that of whoever wants the line last.
std::uint64_t TraceRecorder::parent_of(const TraceTransaction& t) const {
  if (!t.from_sm()) return 0;
  Want want{kNoAddress, t.origin.instruction, t.origin.sm, t.origin.warp, false};
  if (t.kind == TraceKind::fill) want.line = line_of(t.virtual_address);
  if (t.kind == TraceKind::fetch) want.line = t.line(), want.physical = true;
  const auto found = wants_.find(want);
  return t.kind == TraceKind::access || found == wants_.end() ? 0 : found->second;
}

void TraceRecorder::enlist(const TraceTransaction& t) {
  if (!t.from_sm()) return;
  Want want{kNoAddress, t.origin.instruction, t.origin.sm, t.origin.warp, false};
  if (t.kind == TraceKind::access) wants_[want] = t.id;
  if (t.kind != TraceKind::line && t.kind != TraceKind::fill) return;
  if (t.kind == TraceKind::line && t.virtual_address != kNoAddress) {
    want.line = line_of(t.virtual_address);
    wants_[want] = t.id;
  }
  want.line = t.line(), want.physical = true;
  if (want.line != kNoAddress) wants_[want] = t.id;
}

void TraceRecorder::strike(const TraceTransaction& t) {
  if (!t.from_sm()) return;
  Want want{kNoAddress, t.origin.instruction, t.origin.sm, t.origin.warp, false};
  const auto remove = [&](std::uint64_t line, bool physical) {
    want.line = line, want.physical = physical;
    if (const auto found = wants_.find(want); found != wants_.end() && found->second == t.id) wants_.erase(found);
  };
  if (t.kind == TraceKind::access) remove(kNoAddress, false);
  if (t.virtual_address != kNoAddress) remove(line_of(t.virtual_address), false);
  if (t.line() != kNoAddress) remove(t.line(), true);
}

void TraceRecorder::close(const Payload* payload) {
  const auto found = open_.find(payload);
  strike(found->second.transaction);
  found->second.transaction.failed = payload->is_response_error();
  keep(found->second);
  open_.erase(found);
  if (batch_size_ >= kBatch) flush();
}

/// Gives it to the batch, without the hops that the filter leaves out.
void TraceRecorder::keep(Open& o) {
  if (!o.any) return;
  auto& hops = o.transaction.hops;
  std::size_t to = 0;
  for (std::size_t from = 0; from < hops.size(); ++from)
    if (o.kept[from]) hops[to++] = hops[from];
  hops.resize(to);
  batch_size_ += hops.size();
  batch_->transactions.push_back(std::move(o.transaction));
}

}  // namespace gputlm
