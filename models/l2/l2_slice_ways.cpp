// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: a way for every line, and the write-back FIFO.
#include "gputlm/l2/l2_slice.h"

namespace gputlm {

bool L2Slice::take_way(Request& r, unsigned set, unsigned& way) {
  if (!make_room(r, set, way)) return false;
  insert(set, way, r.payload->get_address());
  return true;
}

// Every step changes at most one thing and then looks at the set anew: handing over a dirty victim may let the
// controller accept a write at once, which may pop the FIFO.
bool L2Slice::make_room(Request& r, unsigned set, unsigned& way) {
  for (;;) {
    way = lines_.empty_way(set);
    if (way != kNoWay) return true;
    way = choose_victim(r, set);
    if (way == kNoWay) {
      if (!pop_accepted(set)) return stalled(r, Stall::ways_busy);
      ++counters_.forced_pops;
      continue;
    }
    const Slot slot = lines_.slot(set, way);
    if (lines_.dirty(slot).empty()) {
      ++counters_.evictions;
      tell(Event::evicted, slot);
      lines_.release(slot);
      return true;
    }
    const std::uint64_t line = lines_.line(slot);
    if (!uncovered(slot).empty() && !queue_write_back(slot, Cause::victim)) return stalled(r, Stall::write_back_list);
    ++counters_.fifo_entries;
    lines_.flags(slot) |= SlotFlag::in_fifo;
    fifo_.push(set, way);
    recount(slot);
    tell(Event::dirty_victim, slot);
    pump_writes();
    if (by_rows_) clean_row_of(line, kNoL2Slot);
  }
}

// kNoWay when no candidate is eligible. A search is prepared once for a request, and again when it goes on to lines of
// another eviction class.
unsigned L2Slice::choose_victim(Request& r, unsigned set) {
  WayMask candidates = victims(set);
  EvictionClass of_class = EvictionClass::normal;
  if (honour_classes_) candidates = first_class_to_go(candidates, &lines_.flags(lines_.slot(set, 0)), of_class);
  if (candidates != 0 && (!r.searched || r.searched_class != of_class)) {
    replacement_->prepare(lines_.ways_of(set), candidates);
    r.searched = true;
    r.searched_class = of_class;
  }
  return replacement_->next(lines_.ways_of(set), candidates);
}

WayMask L2Slice::victims(unsigned set) const {
  return lines_.all_ways() & ~lines_.ways_with(set, SlotFlag::in_fifo | SlotFlag::fetching);
}

void L2Slice::insert(unsigned set, unsigned way, std::uint64_t line) {
  const Slot slot = lines_.slot(set, way);
  lines_.allocate(slot, line);
  lines_.last_use(slot) = ++order_;
  replacement_->on_insert(lines_.ways_of(set), way);
  tell(Event::allocated, slot);
  fifo_.note_fill(set);
  settle_fifo(set);
}

// A store makes a FIFO line an ordinary one again: it is dirty and must not be dropped when its turn to be popped
// comes.
void L2Slice::touch_by_store(Slot slot) {
  leave_fifo(slot);
  lines_.last_use(slot) = lines_.last_store(slot) = ++order_;
}

void L2Slice::mark_stored(Slot slot, ByteMask mask) {
  lines_.valid(slot) |= mask;
  set_dirty(slot, lines_.dirty(slot) | mask);
  if (sent_.open && sent_.slot == slot) sent_.stored_again |= mask;
  if (PendingLine* pending = pending_line(slot)) pending->deferred &= ~mask;
}

void L2Slice::leave_fifo(Slot slot) {
  if ((lines_.flags(slot) & SlotFlag::in_fifo) == 0) return;
  ++counters_.fifo_rescues;
  lines_.flags(slot) &= static_cast<std::uint8_t>(~SlotFlag::in_fifo);
  fifo_.remove(lines_.set_of(slot), lines_.way_of(slot));
  recount(slot);
}

// The oldest whose bytes the controller has; its way is free afterwards.
bool L2Slice::pop_accepted(unsigned set) {
  for (unsigned i = 0; i < fifo_.size(set); ++i) {
    const Slot slot = lines_.slot(set, fifo_.way(set, i));
    if (!lines_.dirty(slot).empty() || is_fetching(slot)) continue;
    ++counters_.fifo_pops;
    tell(Event::fifo_popped, slot);
    fifo_.remove(set, lines_.way_of(slot));
    lines_.release(slot);
    return true;
  }
  return false;
}

// Pays the pops that are due, strictly oldest first, as far as the oldest may leave.
void L2Slice::settle_fifo(unsigned set) {
  while (fifo_.owed(set) > 0) {
    const Slot slot = lines_.slot(set, fifo_.way(set, 0));
    if (!uncovered(slot).empty()) {
      fifo_.pay(set);
      leave_fifo(slot);
      continue;
    }
    if (!lines_.dirty(slot).empty() || is_fetching(slot)) return;
    fifo_.pay(set);
    pop_accepted(set);
  }
}

}  // namespace gputlm
