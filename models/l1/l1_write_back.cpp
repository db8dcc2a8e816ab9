// SPDX-License-Identifier: Apache-2.0
//
// What L1Cache does when stores may stay in it: dirty bytes leave before anything that must find them at L2.
#include <algorithm>
#include <cstring>
#include <utility>

#include "gputlm/l1/l1_cache.h"
#include "gputlm/tlm/debug_span.h"

namespace gputlm {

/// Sends ahead of a request what must leave for it: its line's dirty bytes when it goes past to L2 and will look at
/// them there, those of the slot that its line will take. False: something has not left yet.
bool L1Cache::make_clean(const Payload& p, const Sideband& s, Fs& delay) {
  if (flush_.on || misses.busy()) return false;
  if (s.operation == Operation::l1_invalidate || s.operation == Operation::system_barrier) return true;
  const Slot own = array_.find(p.get_address());
  const bool passes = s.is_atomic() || (s.operation == Operation::load && !s.may_use_l1());
  if (passes || own != L1Array::kNone) return !passes || own == L1Array::kNone || write_out(own, delay);
  const Slot victim = array_.victim(p.get_address());
  return !array_.holds(victim) || write_out(victim, delay);
}

/// Sends a slot's dirty bytes on, in order with all else that goes that way: the slot is clean from here on. False:
/// they have not been taken below. Fills on their way may have left L2 without them and must not bring those bytes
/// back.
bool L1Cache::write_out(Slot slot, Fs& delay) {
  const ByteMask dirty = array_.dirty(slot);
  if (dirty.empty()) return true;
  const PayloadRef p = pool_.line(tlm::TLM_WRITE_COMMAND, array_.line(slot), Operation::store);
  std::memcpy(p->get_data_ptr(), array_.data(slot), kLineBytes);
  set_enables(*p, dirty);
  if (free_writes_.empty()) {
    free_writes_.push_back(static_cast<std::uint32_t>(write_backs_.size()));
    write_backs_.emplace_back();
  }
  Sideband& s = *find_sideband(*p);
  s.semantics = Semantics::weak;
  s.virtual_address = array_.line(slot);
  s.origin.sm = static_cast<std::uint16_t>(sm_);
  s.creator = this;
  s.cookie = free_writes_.back();
  free_writes_.pop_back();
  write_backs_[s.cookie] = p;
  ++writing_;
  ++counters_.write_backs;
  counters_.write_back_bytes += dirty.count();
  fills_.stored(array_.line(slot), dirty);
  array_.set_dirty(slot, {});
  if (observer != nullptr) observer->on_write_back(sm_, slot, *p);
  Fs leaves = delay + spec_.miss_latency;
  const Sent sent = misses.request(*p, leaves);
  if (sent == Sent::withheld) return false;
  delay = std::max(delay, leaves - spec_.miss_latency);
  road_free_ = now() + delay;
  if (sent == Sent::responded) written_back(*p, leaves);
  return true;
}

bool L1Cache::is_write_back(const Payload& p) const {
  const Sideband& s = *find_sideband(p);
  return s.creator == this && s.operation == Operation::store;
}

/// What was withheld below has its END_REQ: from road_free_ on whatever waits for the road goes on.
void L1Cache::road_is_free() {
  if (flush_.on)
    flush_.send_from = std::max(flush_.send_from, road_free_);
  else if (held_.request && held_.cause == Stall::write_back)
    retry_at_ = std::min(retry_at_, std::max(road_free_, held_.arrival));
  schedule();
}

void L1Cache::written_back(Payload& p, Fs delay) {
  const std::uint64_t cookie = find_sideband(p)->cookie;
  if (cookie >= write_backs_.size() || write_backs_[cookie].get() != &p) return;  // sent before a reset
  const PayloadRef done = std::exchange(write_backs_[cookie], PayloadRef());
  free_writes_.push_back(static_cast<std::uint32_t>(cookie));
  --writing_;
  if (p.is_response_error()) {
    ++counters_.write_back_errors;
    if (!failed_write_) failed_write_ = FailedWrite{p.get_address(), p.get_response_status()};
    drop_line(p.get_address());  // memory has not changed: its bytes must not stay here
  }
  end_flush_if_done(delay);
}

Admission L1Cache::keep(Payload& p, Fs delay) {
  ++counters_.stores_kept;
  const ByteMask mask = ByteMask::of(p);
  if (observer != nullptr) observer->on_store_kept(sm_, array_.find(p.get_address()), p, mask);
  answer_from_slot(p, mask.touched_sectors(), now() + delay);
  return Admission::accept;
}

Admission L1Cache::begin_invalidate(Payload& p, Sideband& s, Fs delay) {
  if (!clean()) {
    begin_flush(now() + delay);
    flush_.request = PayloadRef(p);
    return Admission::accept;
  }
  drop_everything();
  s.executed = true;
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  return Admission::complete;
}

void L1Cache::invalidate_all() {
  if (clean())
    drop_everything();
  else
    begin_flush(now());
}

void L1Cache::flush(std::function<void()> done) {
  if (clean()) {
    drop_everything();
    done();
    return;
  }
  begin_flush(now());
  flush_.done.push_back(std::move(done));
}

/// A flush under way serves whoever asks for another: nothing has come in since it began.
void L1Cache::begin_flush(Fs from) {
  if (!flush_.on) {
    ++counters_.flushes;
    flush_.on = true;
    flush_.next = 0;
    flush_.send_from = std::max({from, road_free_, now()});
  }
  schedule();
}

void L1Cache::pump_flush() {
  Fs delay = std::max<Fs>(0, flush_.send_from - now());
  if (delay > 0 || misses.busy()) return;
  while (flush_.on && flush_.next < array_.slots())
    if (!write_out(flush_.next++, delay)) return;
  end_flush_if_done(delay);
}

void L1Cache::end_flush_if_done(Fs delay) {
  if (!flush_.on || !clean()) return;
  drop_everything();
  Flush ended = std::exchange(flush_, Flush{});
  if (ended.ways != 0) drop_ways(ended.ways);
  if (ended.request) {
    find_sideband(*ended.request)->executed = true;
    ended.request->set_response_status(tlm::TLM_OK_RESPONSE);
    requests.respond(*ended.request, delay);
  }
  if (held_.request) {
    retry_at_ = std::min(retry_at_, std::max(now() + delay, held_.arrival));
    schedule();
  }
  for (const auto& done : ended.done) done();
}

/// A debug read sees what this SM's loads would: its own stores that have not left yet, over what is below.
unsigned L1Cache::on_debug(std::size_t /*port*/, Payload& p) {
  const unsigned count = misses->transport_dbg(p);
  if (count == 0 || array_.dirty_slots() == 0 || !p.is_read()) return count;
  const DebugSpan span(p);
  if (const Slot slot = array_.find(span.line); slot != L1Array::kNone)
    span.to_payload(array_.data(slot), p, array_.dirty(slot));
  return count;
}

void L1Cache::report_write_back(StatisticsSink& sink) const {
  const Counters& c = counters_;
  sink.count("stores_kept", "request", "Stores that stayed here", c.stores_kept);
  sink.count("write_backs", "line", "Lines whose dirty bytes were sent to L2", c.write_backs);
  sink.count("write_back_bytes", "byte", "Dirty bytes in them", c.write_back_bytes);
  sink.count("write_back_errors", "line", "Write-backs answered with an error status", c.write_back_errors);
  sink.count("flushes", "request", "Times that everything dirty was sent before an invalidate", c.flushes);
  sink.value("stall_write_back", "ns", "Time a request waited at the door for dirty bytes to leave",
             to_ns(stall_.total(Stall::write_back, now())));
}

}  // namespace gputlm
