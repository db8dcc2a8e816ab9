// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: how dirty bytes get to the memory controller.
#include "gputlm/l2/l2_slice.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gputlm {

bool L2Slice::queue_write_back(Slot slot, Cause cause) {
  if (list_full()) return false;
  waiting_writes_.push_back({slot, cause});
  lines_.flags(slot) |= SlotFlag::queued;
  recount(slot);
  counters_.write_back_list_peak =
      std::max(counters_.write_back_list_peak, static_cast<unsigned>(waiting_writes_.size()) + (sent_.open ? 1U : 0U));
  return true;
}

// Dirty bytes that a write-back sent now would carry. A fetch held behind the write-back reads what it wrote, so it
// must not write what was stored since over bytes that the waiting loads and atomics still need from DRAM.
ByteMask L2Slice::sendable(Slot slot) const {
  const PendingLine* pending = pending_line(slot);
  return pending == nullptr ? lines_.dirty(slot) : lines_.dirty(slot) & ~pending->lacking;
}

// Dirty bytes that no queued or sent write-back will carry.
ByteMask L2Slice::uncovered(Slot slot) const {
  const std::uint8_t flags = lines_.flags(slot);
  const ByteMask dirty = lines_.dirty(slot);
  if ((flags & SlotFlag::queued) != 0) return dirty & ~sendable(slot);
  return (flags & SlotFlag::sent) != 0 ? dirty & (~sent_.mask | sent_.stored_again) : dirty;
}

void L2Slice::recount(Slot slot) {
  const PendingLine* pending = pending_line(slot);
  const bool deferred = pending != nullptr && !pending->deferred.empty();
  std::uint8_t& flags = lines_.flags(slot);
  const bool counts = (flags & SlotFlag::in_fifo) == 0 && (deferred || !uncovered(slot).empty());
  if (counts == ((flags & SlotFlag::counted) != 0)) return;
  flags ^= SlotFlag::counted;
  std::uint8_t& of_set = set_dirty_lines_[lines_.set_of(slot)];
  of_set = static_cast<std::uint8_t>(counts ? of_set + 1 : of_set - 1);
  dirty_lines_ += counts ? 1U : ~0U;
  if (by_rows_ && memory_.row_of) {
    const std::uint64_t row = memory_.row_of(lines_.line(slot));
    counts ? dirty_rows_.add(row, slot) : dirty_rows_.remove(row, slot);
  }
  if (by_idle_memory_ && counts && next_idle_look_ == kNever) next_idle_look_ = now() + spec_.janitor.idle_time;
  counters_.dirty_lines_peak = std::max(counters_.dirty_lines_peak, dirty_lines_);
  counters_.dirty_lines_per_set_peak = std::max<unsigned>(counters_.dirty_lines_per_set_peak, of_set);
}

void L2Slice::set_dirty(Slot slot, ByteMask dirty) {
  dirty_bytes_ += dirty.count();
  dirty_bytes_ -= lines_.dirty(slot).count();
  lines_.dirty(slot) = dirty;
}

void L2Slice::pump_writes() {
  while (!waiting_writes_.empty() && !sent_.open && writes_free_ <= now()) send_write(waiting_writes_.pop_front());
}

void L2Slice::send_write(QueuedWrite write) {
  const Slot slot = write.slot;
  PayloadRef p = pool_.line(tlm::TLM_WRITE_COMMAND, lines_.line(slot), Operation::store);
  std::memcpy(p->get_data_ptr(), lines_.data(slot), kLineBytes);
  const ByteMask mask = sendable(slot);
  set_enables(*p, mask);
  if (free_writes_.empty()) {
    free_writes_.push_back(static_cast<std::uint32_t>(writes_in_flight_.size()));
    writes_in_flight_.emplace_back();
  }
  const std::uint32_t entry = free_writes_.back();
  free_writes_.pop_back();
  writes_in_flight_[entry] = {p, slot};
  Sideband& sideband = *find_sideband(*p);
  sideband.creator = this;
  sideband.cookie = entry;

  std::uint8_t& flags = lines_.flags(slot);
  flags = static_cast<std::uint8_t>((flags & ~SlotFlag::queued) | SlotFlag::sent);
  sent_ = {true, slot, mask, ByteMask{}, kNever};
  ++counters_.write_backs;
  if (write.cause == Cause::janitor) ++counters_.janitor_cleans;
  if (write.cause == Cause::flush) ++counters_.flush_cleans;
  counters_.write_back_bytes += sent_.mask.count();
  tell(Event::write_back_sent, slot);

  Fs delay = 0;
  const Sent sent = writes.request(*p, delay);
  if (sent == Sent::withheld) return;
  sent_.accepted_at = now() + delay;
  if (sent == Sent::responded) on_response(kWrites, *p, delay);
  if (delay == 0) finish_write();
}

// END_REQ: the controller has the snapshot. What was stored since stays dirty.
void L2Slice::finish_write() {
  const SentWrite done = std::exchange(sent_, SentWrite{});
  writes_free_ = done.accepted_at;
  lines_.flags(done.slot) &= static_cast<std::uint8_t>(~SlotFlag::sent);
  set_dirty(done.slot, lines_.dirty(done.slot) & (~done.mask | done.stored_again));
  recount(done.slot);
  tell(Event::write_back_accepted, done.slot);
  release_fetches(done.slot);
  if ((lines_.flags(done.slot) & SlotFlag::in_fifo) != 0) settle_fifo(lines_.set_of(done.slot));
}

}  // namespace gputlm
