// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: which dirty lines are written back without having to, and when: the janitor and its alternatives, flush.
#include "gputlm/l2/l2_slice.h"

namespace gputlm {

// A line with a fetch in flight is not written back: the controller might order the write before the read, and a
// waiting load would be given a later store's bytes. When there are only such lines the store waits, so that the limit
// holds.
bool L2Slice::cleanable(Slot slot) const {
  return (lines_.flags(slot) & (SlotFlag::counted | SlotFlag::fetching)) == SlotFlag::counted;
}

WayMask L2Slice::cleanable_ways(unsigned set) const {
  return lines_.ways_with(set, SlotFlag::counted) & ~lines_.ways_with(set, SlotFlag::fetching);
}

// Hands a cleanable line over, which stays in place; false when the write-back list is full.
bool L2Slice::clean(Slot slot) {
  if (!queue_write_back(slot, Cause::janitor)) return false;
  tell(Event::janitor_clean, slot);
  pump_writes();
  return true;
}

bool L2Slice::clean_ahead(Request& r, unsigned set, unsigned& way) {
  if (r.cleaned) return true;
  const bool adds_one = way == kNoWay || (lines_.flags(lines_.slot(set, way)) & SlotFlag::counted) == 0;
  if (cleaning_->wants_cleaning(set_dirty_lines_[set], adds_one)) {
    const WayMask dirty = cleanable_ways(set);
    if (dirty == 0) return stalled(r, Stall::ways_busy);
    const Slot slot = lines_.slot(set, cleaning_->choose(dirty, lines_.last_stores(set)));
    const std::uint64_t line = lines_.line(slot);
    if (!clean(slot)) return stalled(r, Stall::write_back_list);
    // The line about to be stored would only become dirty again.
    if (by_rows_) clean_row_of(line, way == kNoWay ? kNoL2Slot : lines_.slot(set, way));
    way = lines_.find(set, r.payload->get_address());  // an accepted write may have popped it from the FIFO
  }
  r.cleaned = true;
  return true;
}

// The other dirty lines of the line's DRAM row, as long as there is room for their write-backs.
void L2Slice::clean_row_of(std::uint64_t line, Slot but) {
  if (!memory_.row_of) return;
  for (const Slot slot : dirty_rows_.of(memory_.row_of(line)))
    if (slot != but && cleanable(slot) && !clean(slot)) return;
}

void L2Slice::look_for_idle_memory() {
  const bool idle = fetches_.used() == 0 && waiting_writes_.empty() && !sent_.open && (!memory_.idle || memory_.idle());
  while (idle && !flushing_ && !list_full() && clean_next_set()) {
  }
  next_idle_look_ = dirty_lines_ == 0 ? kNever : now() + spec_.janitor.idle_time;
}

// One line of the next set that has one; sets take turns.
bool L2Slice::clean_next_set() {
  for (unsigned n = 0; dirty_lines_ != 0 && n < lines_.sets(); ++n) {
    idle_set_ = idle_set_ + 1 == lines_.sets() ? 0 : idle_set_ + 1;
    const WayMask dirty = set_dirty_lines_[idle_set_] == 0 ? 0 : cleanable_ways(idle_set_);
    if (dirty != 0) return clean(lines_.slot(idle_set_, cleaning_->choose(dirty, lines_.last_stores(idle_set_))));
  }
  return false;
}

void L2Slice::flush() {
  flushing_ = true;
  flush_waits_ = false;
  flush_set_ = 0;
  wake_.at(now());
}

void L2Slice::pump_flush() {
  flush_waits_ = false;
  while (flushing_ && !list_full()) {
    if (dirty_lines_ == 0 || flush_set_ == lines_.sets()) {
      flushing_ = false;
    } else if (set_dirty_lines_[flush_set_] == 0) {
      ++flush_set_;
    } else if (!flush_one()) {
      flush_waits_ = true;  // for a fill
      return;
    }
  }
}

bool L2Slice::flush_one() {
  for (unsigned way = 0; way < lines_.ways(); ++way) {
    const Slot slot = lines_.slot(flush_set_, way);
    if (!cleanable(slot)) continue;
    queue_write_back(slot, Cause::flush);
    tell(Event::flush_clean, slot);
    pump_writes();
    return true;
  }
  return false;
}

unsigned L2Slice::invalidate_clean() {
  unsigned left = 0;
  for (Slot slot = 0; slot < lines_.sets() * lines_.ways(); ++slot) {
    if (!lines_.present(slot)) continue;
    if (!lines_.dirty(slot).empty() || is_fetching(slot)) {
      ++left;
      continue;
    }
    if ((lines_.flags(slot) & SlotFlag::in_fifo) != 0) fifo_.remove(lines_.set_of(slot), lines_.way_of(slot));
    ++counters_.evictions;
    tell(Event::evicted, slot);
    lines_.release(slot);
  }
  return left;
}

}  // namespace gputlm
