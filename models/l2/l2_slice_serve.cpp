// SPDX-License-Identifier: Apache-2.0
//
// L2Slice: one request served. Whatever may stall it is asked first; from the observer's call on it is done as a whole.
#include <algorithm>

#include "gputlm/l2/l2_slice.h"

namespace gputlm {

bool L2Slice::serve(Request& r) {
  const tlm::tlm_command command = r.payload->get_command();
  const bool served = command == tlm::TLM_WRITE_COMMAND  ? serve_store(r)
                      : command == tlm::TLM_READ_COMMAND ? serve_load(r)
                                                         : serve_atomic(r);
  if (served) ++counters_.requests;
  return served;
}

bool L2Slice::serve_store(Request& r) {
  Payload& p = *r.payload;
  const std::uint64_t line = p.get_address();
  const unsigned set = index_->set_of(line);
  unsigned way = r.mask.empty() ? kNoWay : lines_.find(set, line);
  if (!r.mask.empty() && !clean_ahead(r, set, way)) return false;
  const bool hit = way != kNoWay;
  const SectorSet fetch = fetch_on_store_ ? sectors_to_complete(set, way, r.mask) : SectorSet{0};
  if (fetch != 0 && fetches_.full()) return stalled(r, Stall::fetch_entries);
  if (!r.mask.empty() && !hit && !take_way(r, set, way)) return false;
  if (observer != nullptr) observer->on_store(number_, p);
  ++counters_.stores;
  if (!r.mask.empty()) {
    const Slot slot = lines_.slot(set, way);
    if (hit) {
      ++counters_.store_hits;
      replacement_->on_store_hit(lines_.ways_of(set), way);
      tell(Event::store_hit, slot);
    }
    touch_by_store(slot);
    copy_masked(lines_.data(slot), p.get_data_ptr(), r.mask);
    mark_stored(slot, r.mask);
    if (honour_classes_) note_hint(slot, p);
    recount(slot);
    if (fetch != 0) {
      ++counters_.store_fetches;
      start_fetch(slot, fetch, p);
      pump_reads();
    }
    pump_writes();
  }
  close_port(p, r.mask, now());
  acknowledge(p, r.arrived, std::max(now() + spec_.store_latency, port_free_));
  schedule();
  return true;
}

bool L2Slice::serve_load(Request& r) {
  Payload& p = *r.payload;
  const std::uint64_t line = p.get_address();
  const unsigned set = index_->set_of(line);
  const ByteMask needed = whole_sectors_ ? ByteMask::sectors(r.mask.touched_sectors()) : r.mask;
  unsigned way = needed.empty() ? kNoWay : lines_.find(set, line);
  ByteMask present;
  SectorSet fetch = needed.touched_sectors();
  if (way != kNoWay) {
    present = available(lines_.slot(set, way));
    fetch = sectors_to_fetch(lines_.slot(set, way), needed & ~present);
  }
  const bool hit = present.contains(needed);
  if (fetch != 0 && !hit && fetches_.full()) return stalled(r, Stall::fetch_entries);
  if (!hit && way == kNoWay && !take_way(r, set, way)) return false;

  if (observer != nullptr) observer->on_load(number_, p);
  ++counters_.loads;
  close_port(p, r.mask, now());
  const Slot slot = way == kNoWay ? 0 : lines_.slot(set, way);
  if (way != kNoWay) {
    lines_.last_use(slot) = ++order_;
    if (honour_classes_) note_hint(slot, p);
    copy_masked(p.get_data_ptr(), lines_.data(slot), present & r.mask);
  }
  if (hit) {
    ++counters_.load_hits;
    if (way != kNoWay) {
      replacement_->on_load_hit(lines_.ways_of(set), way);
      tell(Event::load_hit, slot);
    }
    if (observer != nullptr) observer->on_load_done(number_, p);
    return_data(p, r.mask, r.arrived, std::max(now() + spec_.load_latency, port_free_));
  } else {
    ++counters_.load_misses;
    const ByteMask found = needed & present;
    if ((found.touched_sectors() & (needed & ~present).touched_sectors()) != 0) ++counters_.partial_sector_loads;
    tell(Event::load_miss, slot);
    wait_for_fill(r, slot, fetch, r.mask & ~present).waiting = (needed & ~present).touched_sectors();
    pump_reads();
  }
  pump_writes();
  schedule();
  return true;
}

bool L2Slice::serve_atomic(Request& r) {
  Payload& p = *r.payload;
  Sideband& sideband = *find_sideband(p);
  const std::uint64_t line = p.get_address();
  const unsigned set = index_->set_of(line);
  unsigned way = r.mask.empty() ? kNoWay : lines_.find(set, line);
  SectorSet fetch = r.mask.touched_sectors();
  if (!r.mask.empty()) {
    if (!clean_ahead(r, set, way)) return false;
    if (way != kNoWay) {
      const Slot slot = lines_.slot(set, way);
      fetch = sectors_to_fetch(slot, r.mask & ~complete_words(available(slot) & r.mask, sideband.word_bytes));
    }
    if (fetch != 0 && fetches_.full()) return stalled(r, Stall::fetch_entries);
    if (way == kNoWay && !take_way(r, set, way)) return false;
  }

  if (observer != nullptr) observer->on_atomic(number_, p);
  ++(sideband.operation == Operation::atomic ? counters_.atomics : counters_.reductions);
  const ByteMask present = way == kNoWay ? r.mask : available(lines_.slot(set, way));
  const ByteMask ready = complete_words(present & r.mask, sideband.word_bytes);
  const ByteMask later = r.mask & ~ready;
  const Fs start = later.empty() ? same_word_.book(line, r.mask, now()) : now();
  close_port(p, r.mask, start);
  if (way != kNoWay) {
    const Slot slot = lines_.slot(set, way);
    touch_by_store(slot);
    if (honour_classes_) note_hint(slot, p);
    perform_atomic(p, ready, lines_.data(slot));
    mark_stored(slot, ready);
    if (!later.empty()) {
      Waiter& waiter = wait_for_fill(r, slot, fetch, later);
      waiter.atomic = true;
      waiter.captured = later & present;
      copy_masked(waiter.captured_data.data(), lines_.data(slot), waiter.captured);
      fetches_.find(slot)->deferred |= later;
      pump_reads();
    }
    recount(slot);
    pump_writes();
  }
  if (later.empty()) finish_atomic(p, r.mask, r.arrived, start, port_free_);
  schedule();
  return true;
}

void L2Slice::finish_atomic(Payload& p, ByteMask words, Fs arrived, Fs start, Fs accepted) {
  Sideband& sideband = *find_sideband(p);
  sideband.executed = true;
  if (observer != nullptr) observer->on_atomic_done(number_, p);
  const Fs at = std::max(start + spec_.load_latency + spec_.atomic_latency, accepted);
  if (sideband.operation == Operation::atomic)
    return_data(p, words, arrived, at);
  else
    acknowledge(p, arrived, at);
}

// The request joins those who wait for the slot's sectors; `fetch` are the ones nobody is fetching yet.
Waiter& L2Slice::wait_for_fill(const Request& r, Slot slot, SectorSet fetch, ByteMask wanted) {
  if (fetch != 0) start_fetch(slot, fetch, *r.payload);
  Waiter& waiter = fetches_.add_waiter(*fetches_.find(slot));
  waiter.request = PayloadRef(*r.payload);
  waiter.arrived = r.arrived;
  waiter.accepted = port_free_;
  waiter.wanted = wanted;
  waiter.waiting = wanted.touched_sectors();
  return waiter;
}

}  // namespace gputlm
