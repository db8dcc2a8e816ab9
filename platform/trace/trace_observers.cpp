// SPDX-License-Identifier: Apache-2.0
//
// TraceRecorder: what happens in caches and on the DRAM's command bus.
#include <algorithm>

#include "gputlm/trace/line_event_text.h"
#include "gputlm/trace/trace_recorder.h"

namespace gputlm {
namespace {

using LineEvent = L2Observer::LineEvent;

// A port serves one request at a time, and these are its doing.
bool caused_by_request(LineEvent event) {
  switch (event) {
    case LineEvent::allocated:
    case LineEvent::load_hit:
    case LineEvent::load_miss:
    case LineEvent::store_hit:
    case LineEvent::dirty_victim:
    case LineEvent::janitor_clean:
    case LineEvent::evicted:
      return true;
    default:
      return false;
  }
}

}  // namespace

/// `cause`: the payload whose doing it is; null: nobody's who is under way.
void TraceRecorder::note(TraceEvent event, const Payload* cause) {
  if (!selection_.window.contains(event.time)) return;
  const auto found = cause == nullptr ? open_.end() : open_.find(cause);
  TraceTransaction nobodys;
  nobodys.physical_address = event.line;
  const TraceTransaction& whose = found == open_.end() ? nobodys : found->second.transaction;
  if (!selection_.filter.keeps(whose, description_.tracks[event.track].unit)) return;
  if (full()) {
    ++loss_.events;
    loss_.since = std::min(loss_.since, event.time);
    return;
  }
  event.transaction = whose.id;
  ++recorded_;
  ++batch_size_;
  batch_->events.push_back(event);
}

void TraceRecorder::note_line(std::uint32_t track, const char* name, const Payload& p) {
  TraceEvent e;
  e.time = now();
  e.track = track;
  e.name = name;
  if (description_.tracks[track].unit == TraceUnit::l2) {
    e.line = line_of(p.get_address());
  } else if (const std::uint64_t physical = translate(p.get_address()); physical != kNoAddress) {
    e.line = line_of(physical);
  }
  note(e, &p);
}

void TraceRecorder::on_store(unsigned slice, const Payload& p) {
  note_line(slice_track_[slice], "store visible", p);
}
void TraceRecorder::on_load(unsigned slice, const Payload& p) {
  note_line(slice_track_[slice], "load ordered", p);
}
void TraceRecorder::on_atomic(unsigned slice, const Payload& p) {
  note_line(slice_track_[slice], "atomic performed", p);
}

void TraceRecorder::on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) {
  TraceEvent e;
  e.time = now();
  if (!selection_.window.contains(e.time)) return;  // spares the look into the way
  const L2Way state = machine_.gpu.mem.slices[slice]->way(set, way);
  e.track = slice_track_[slice];
  e.name = text_of(event);
  e.line = line;
  e.of_way = true;
  e.set = set, e.way = way, e.rrpv = state.rrpv;
  e.valid = state.valid, e.dirty = state.dirty;
  note(e, caused_by_request(event) ? serving_[e.track] : nullptr);
}

void TraceRecorder::on_hit(unsigned sm, unsigned /*slot*/, const Payload& load, ByteMask /*wanted*/) {
  note_line(l1_track_[sm], "L1 hit", load);
}
void TraceRecorder::on_store_update(unsigned sm, unsigned /*slot*/, const Payload& store, ByteMask /*mask*/) {
  note_line(l1_track_[sm], "L1 updated", store);
}
void TraceRecorder::on_fill(unsigned sm, unsigned /*slot*/, const Payload& fill, ByteMask installed) {
  note_line(l1_track_[sm], installed.empty() ? "L1 fill dropped" : "L1 filled", fill);
}

void TraceRecorder::on_command(unsigned controller, unsigned channel, const BookedCommand& c, Ck /*watermark*/) {
  TraceEvent e;
  e.time = c.time;
  e.track = channel_track_[controller * machine_.gpu.config().dram.channels_per_controller + channel];
  e.name = name_of(c.kind);
  e.command = true;
  e.bank = c.bank, e.row = c.row, e.column = c.column;
  // A line's commands are booked when it comes; a refresh is nobody's, nor is a row closed elsewhere on the way.
  const Payload* cause = c.kind == CommandKind::refresh ? nullptr : serving_[e.track];
  if (cause != nullptr && machine_.gpu.mem.dram_map->locate(cause->get_address()).bank != c.bank) cause = nullptr;
  if (cause != nullptr) e.line = line_of(cause->get_address());
  note(e, cause);
}

}  // namespace gputlm
