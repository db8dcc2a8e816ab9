// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: bytes that have to come from DRAM.
#include <algorithm>
#include <cstring>
#include <utility>

#include "gputlm/l2/l2_slice.h"

namespace gputlm {

// Bytes of the slot whose present value is known. A byte that a waiting atomic will write is not.
ByteMask L2Slice::available(Slot slot) const {
  const PendingLine* pending = pending_line(slot);
  return pending == nullptr ? lines_.valid(slot) : lines_.valid(slot) & ~pending->deferred;
}

// Sectors with missing bytes that nobody is fetching yet.
SectorSet L2Slice::sectors_to_fetch(Slot slot, ByteMask missing) const {
  const PendingLine* pending = pending_line(slot);
  const SectorSet lacking = missing.touched_sectors();
  return pending == nullptr ? lacking : static_cast<SectorSet>(lacking & ~pending->in_flight);
}

// Sectors that a store would leave with bytes that nobody holds or fetches. `way`: kNoWay when the line is absent.
SectorSet L2Slice::sectors_to_complete(unsigned set, unsigned way, ByteMask stored) const {
  const ByteMask missing = ByteMask::sectors(stored.touched_sectors()) & ~stored;
  if (way == kNoWay) return missing.touched_sectors();
  const Slot slot = lines_.slot(set, way);
  return sectors_to_fetch(slot, missing & ~lines_.valid(slot));
}

void L2Slice::start_fetch(Slot slot, SectorSet sectors, const Payload& cause) {
  PayloadRef p = pool_.line(tlm::TLM_READ_COMMAND, lines_.line(slot), Operation::load);
  set_enables(*p, ByteMask::sectors(sectors));
  Sideband& sideband = *find_sideband(*p);
  sideband.creator = this;
  if (const Sideband* from = find_sideband(cause)) sideband.origin = from->origin;
  const unsigned entry = fetches_.add(slot, sectors, p, now());
  lines_.flags(slot) |= SlotFlag::fetching;
  PendingLine& pending = *fetches_.find(slot);
  pending.lacking |= ByteMask::sectors(sectors) & ~lines_.valid(slot);
  sideband.cookie = entry;
  ++counters_.fetches;
  counters_.fetched_sectors += count_sectors(sectors);
  counters_.fetches_in_flight_peak = std::max(counters_.fetches_in_flight_peak, fetches_.used());
  if ((lines_.flags(slot) & (SlotFlag::queued | SlotFlag::sent)) != 0) {
    ++counters_.fetches_held;
    ++pending.held;
    fetches_.fetch(entry).held = true;
  } else {
    waiting_fetches_.push_back(entry);
  }
}

// The line's write-back was accepted: from here on the controller answers reads with those bytes.
void L2Slice::release_fetches(Slot slot) {
  PendingLine* pending = pending_line(slot);
  if (pending == nullptr || pending->held == 0 || (lines_.flags(slot) & SlotFlag::queued) != 0) return;
  pending->held = 0;
  for (unsigned entry = 0; entry < fetches_.entries(); ++entry) {
    Fetch& fetch = fetches_.fetch(entry);
    if (!fetch.payload || fetch.slot != slot || !fetch.held) continue;
    fetch.held = false;
    waiting_fetches_.push_back(entry);
  }
}

void L2Slice::pump_reads() {
  while (!waiting_fetches_.empty() && !reads.busy() && reads_free_ <= now()) {
    const unsigned entry = waiting_fetches_.pop_front();
    const PayloadRef p = fetches_.fetch(entry).payload;
    Fs delay = 0;
    const Sent sent = reads.request(*p, delay);
    if (sent == Sent::withheld) return;
    if (delay > 0) reads_free_ = now() + delay;
    if (sent == Sent::responded) fills_.push(now() + delay, entry);
  }
}

bool L2Slice::on_response(std::size_t port, Payload& p, Fs delay) {
  const std::uint64_t cookie = find_sideband(p)->cookie;
  if (port == kReads) {
    if (fetches_.in_use_by(cookie, p) == nullptr) return true;  // asked for before a reset
    const auto entry = static_cast<unsigned>(cookie);
    if (delay > 0)
      fills_.push(now() + delay, entry);
    else
      fill(entry);
    if (held_.payload != nullptr || flushing_) wake_.at(now());
    schedule();
    return true;
  }
  if (cookie >= writes_in_flight_.size() || writes_in_flight_[cookie].payload.get() != &p) return true;
  const WriteInFlight write = std::exchange(writes_in_flight_[cookie], WriteInFlight{});
  free_writes_.push_back(static_cast<std::uint32_t>(cookie));
  if (p.get_response_status() != tlm::TLM_OK_RESPONSE) ++counters_.write_back_errors;
  if (observer != nullptr)
    observer->on_line(number_, Event::written_to_dram, lines_.set_of(write.slot), lines_.way_of(write.slot),
                      p.get_address());
  return true;
}

// The fetched sectors are replayed for those who wait, in the order of arrival: a load takes the bytes it lacked, an
// atomic changes them for all who come after it. What is left at the end goes into the slot, under the bytes stored
// meanwhile.
void L2Slice::fill(unsigned entry) {
  Fetch& fetch = fetches_.fetch(entry);
  const Slot slot = fetch.slot;
  const SectorSet sectors = fetch.sectors;
  const tlm::tlm_response_status status = fetch.payload->get_response_status();
  PendingLine& pending = *fetches_.find(slot);
  alignas(8) unsigned char image[kLineBytes];
  std::memcpy(image, fetch.payload->get_data_ptr(), kLineBytes);
  fetch_latency_.add(now() - fetch.started);

  fetches_.serve_waiters(pending, [&](Waiter& w) { return serve_waiter(w, sectors, status, image); });
  const ByteMask arrived = ByteMask::sectors(sectors);
  const ByteMask computed = pending.deferred & arrived;
  if (status == tlm::TLM_OK_RESPONSE) {
    copy_masked(lines_.data(slot), image, arrived & (~lines_.valid(slot) | computed));
    lines_.valid(slot) |= arrived;
    if (!computed.empty()) mark_stored(slot, computed);
    tell(Event::filled, slot);
  } else {
    ++counters_.fetch_errors;
    pending.deferred &= ~arrived;
  }
  fetches_.remove(entry);
  if (fetches_.find(slot) == nullptr) lines_.flags(slot) &= static_cast<std::uint8_t>(~SlotFlag::fetching);
  recount(slot);
  if (lines_.valid(slot).empty() && !is_fetching(slot)) {
    leave_fifo(slot);
    lines_.release(slot);
  }
  if ((lines_.flags(slot) & SlotFlag::in_fifo) != 0) settle_fifo(lines_.set_of(slot));
}

bool L2Slice::serve_waiter(Waiter& w, SectorSet arrived, tlm::tlm_response_status status, unsigned char* image) {
  if ((w.waiting & arrived) == 0) return false;
  const ByteMask bytes = w.wanted & ByteMask::sectors(arrived);
  Payload& p = *w.request;
  if (status != tlm::TLM_OK_RESPONSE) {
    w.failed = true;
    p.set_response_status(status);
  } else if (w.atomic) {
    copy_masked(image, w.captured_data.data(), w.captured & bytes);
    perform_atomic(p, bytes, image);
  } else {
    copy_masked(p.get_data_ptr(), image, bytes);
  }
  w.waiting = static_cast<SectorSet>(w.waiting & ~arrived);
  if (w.waiting != 0) return false;
  if (w.atomic && !w.failed) {
    finish_atomic(p, ByteMask::of(p), w.arrived, same_word_.book(p.get_address(), w.wanted, now()), w.accepted);
  } else {
    if (!w.failed && observer != nullptr) observer->on_load_done(number_, p);
    return_data(p, ByteMask::of(p), w.arrived, std::max(now() + spec_.load_latency, w.accepted));
  }
  return true;
}

}  // namespace gputlm
