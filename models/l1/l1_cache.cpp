// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l1/l1_cache.h"

#include <algorithm>

#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

tlm::tlm_command command_of(Operation o) {
  if (o == Operation::load) return tlm::TLM_READ_COMMAND;
  return o == Operation::store ? tlm::TLM_WRITE_COMMAND : tlm::TLM_IGNORE_COMMAND;
}

/// What is wrong with a request at the door; invalidates and barriers concern no line.
tlm::tlm_response_status check_request(const Payload& p, const Sideband& s) {
  if (s.operation == Operation::fence || p.get_command() != command_of(s.operation))
    return tlm::TLM_COMMAND_ERROR_RESPONSE;
  const bool has_line = s.operation != Operation::l1_invalidate && s.operation != Operation::system_barrier;
  return has_line ? check_line(p) : tlm::TLM_OK_RESPONSE;
}

/// Accesses that are performed at L2 and leave no copy of the line here.
bool drops_line(const Sideband& s) {
  return s.is_atomic() || (s.operation == Operation::load && !s.may_use_l1());
}

}  // namespace

L1Cache::L1Cache(const sc_core::sc_module_name& name, const L1Spec& spec, unsigned sm, PayloadPool& pool)
    : Unit(name),
      requests("requests", *this),
      misses("misses", *this),
      spec_(spec),
      sm_(sm),
      pool_(pool),
      keeps_stores_(spec.write_policy == "write_back"),
      around_(spec.write_policy == "write_around"),
      array_(spec),
      fills_(spec.fill_sectors),
      wakeup_("wakeup", [this] { run(); }) {
  for (unsigned n = 0; n < hit_occupancy_.size(); ++n)
    hit_occupancy_[n] = cycles_to_fs(n * kSectorBytes / spec_.hit_bytes_per_cycle, spec_.clock_hz);
}

Admission L1Cache::on_request(std::size_t /*port*/, Payload& p, Fs& delay) {
  array_.prefetch(p.get_address());
  Sideband& s = sideband_of(p);
  if (const auto status = check_request(p, s); status != tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    return Admission::complete;
  }
  if (s.operation == Operation::load && s.may_use_l1()) ++counters_.loads;
  return admit(p, s, delay, now() + delay);
}

/// Takes a request in, or holds it back at the door: then once more when what it waited for has come. `asked`:
/// effective time of its BEGIN_REQ; what has passed since was lost at the door.
Admission L1Cache::admit(Payload& p, Sideband& s, Fs& delay, Fs asked) {
  if (keeps_stores_ && !make_clean(p, s, delay)) return hold(p, delay, Stall::write_back);
  if (s.operation == Operation::l1_invalidate) return begin_invalidate(p, s, delay);
  if (s.operation == Operation::load && s.may_use_l1()) return load(p, delay, asked);
  if (s.operation == Operation::store) {
    store(p, keeps(s));
    if (keeps(s)) return keep(p, delay);
  }
  if (drops_line(s)) {
    ++counters_.strong_bypasses;
    drop_line(p.get_address());
  }
  return pass(p, delay);
}

Admission L1Cache::load(Payload& p, Fs& delay, Fs asked) {
  const ByteMask wanted = ByteMask::of(p);
  const Slot slot = array_.find(p.get_address());
  const ByteMask missing = slot == L1Array::kNone ? wanted : wanted & ~array_.valid(slot);
  if (slot == L1Array::kNone || !missing.empty()) return miss(p, slot, wanted, missing, delay, asked);
  counters_.load_wait.add(now() + delay - asked);
  return hit(p, slot, wanted, delay);
}

Admission L1Cache::hit(Payload& p, Slot slot, ByteMask wanted, Fs delay) {
  ++counters_.hits;
  array_.touch(slot);
  copy_masked(p.get_data_ptr(), array_.data(slot), wanted);
  if (observer != nullptr) observer->on_hit(sm_, slot, p, wanted);
  const Fs arrival = now() + delay;
  counters_.hit_latency.add(answer_from_slot(p, wanted.touched_sectors(), arrival) - arrival);
  return Admission::accept;
}

/// The request is done here and holds the data port for its sectors; returns when it is answered.
Fs L1Cache::answer_from_slot(Payload& p, SectorSet sectors, Fs arrival) {
  const Fs start = std::max(arrival, hit_port_free_);
  hit_port_free_ = start + hit_occupancy_[count_sectors(sectors)];
  hits_.push(start + spec_.hit_latency, PayloadRef(p));
  schedule();
  return start + spec_.hit_latency;
}

/// `slot`: the line's, kNone when it has none yet.
Admission L1Cache::miss(Payload& p, Slot slot, ByteMask wanted, ByteMask missing, Fs& delay, Fs asked) {
  const std::uint64_t line = p.get_address();
  const ByteMask needed = wanted & ByteMask::sectors(missing.touched_sectors());
  const FillTable::Index usable = fills_.find_usable(line, missing);
  if (usable == FillTable::kNone && !fills_.has_room(count_sectors(needed.touched_sectors())))
    return hold(p, delay, Stall::fills);

  const Fs arrival = now() + delay;
  counters_.load_wait.add(arrival - asked);
  ++counters_.misses;
  if (slot == L1Array::kNone)
    slot = allocate(line);
  else
    array_.touch(slot);
  const ByteMask captured = wanted & ~missing;
  if (!captured.empty()) {
    ++counters_.partial_hits;
    copy_masked(p.get_data_ptr(), array_.data(slot), captured);
  }
  if (usable != FillTable::kNone) {
    ++counters_.fills_merged;
    fills_.wait(usable, {PayloadRef(p), captured, arrival});
    return Admission::accept;
  }

  ++counters_.fills;
  const FillTable::Index fill = fills_.add(make_child(p, needed), line, needed, arrival);
  Payload& child = *fills_[fill].child;
  const Admission admission = send(child, p, delay);
  if (admission == Admission::complete) {
    install(fill);
    answer(p, captured, child);
    fills_.finish(fill, [](const FillTable::Waiter&) {});
  } else {
    fills_.wait(fill, {PayloadRef(p), captured, arrival});
  }
  return admission;
}

Admission L1Cache::pass(Payload& p, Fs& delay) {
  ++passing_;
  const Admission admission = send(p, p, delay);
  if (admission == Admission::complete) passed_back(p);
  return admission;
}

/// Sends on what a request asks for. END_REQ goes up as soon as it lets the next request arrive below in its time: this
/// stage delays requests, it does not space them.
Admission L1Cache::send(Payload& outgoing, Payload& request, Fs& delay) {
  Fs leaves = delay + spec_.miss_latency;
  switch (misses.request(outgoing, leaves)) {
    case Sent::withheld:
      return hold(request, delay, Stall::network);
    case Sent::responded:
      delay = leaves;
      return Admission::complete;
    case Sent::accepted:
    default:
      delay = std::max(delay, leaves - spec_.miss_latency);
      road_free_ = now() + delay;
      return Admission::accept;
  }
}

Admission L1Cache::hold(Payload& request, Fs delay, Stall cause) {
  const Fs at = now() + delay;
  if (!stall_.stalled() || stall_.cause() != cause) stall_.begin(cause, at);
  held_ = {PayloadRef(request), at, cause};
  return Admission::withhold;
}

/// `kept`: the bytes are not sent on now.
void L1Cache::store(const Payload& p, bool kept) {
  const std::uint64_t line = p.get_address();
  const ByteMask mask = ByteMask::of(p);
  ++counters_.stores;
  fills_.stored(line, mask);
  Slot slot = array_.find(line);
  if (slot == L1Array::kNone) {
    if (around_) return;
    slot = allocate(line);
  } else {
    ++counters_.store_hits;
    array_.touch(slot);
  }
  array_.write(slot, p.get_data_ptr(), mask);
  if (keeps_stores_) array_.set_dirty(slot, kept ? array_.dirty(slot) | mask : array_.dirty(slot) & ~mask);
  if (observer != nullptr) observer->on_store_update(sm_, slot, p, mask);
}

/// A request that went on was answered. A store that failed has changed no memory: its bytes must not stay here.
void L1Cache::passed_back(Payload& p) {
  if (passing_ > 0) --passing_;
  const Sideband& s = sideband_of(p);
  if (drops_line(s) || (s.operation == Operation::store && p.is_response_error())) drop_line(p.get_address());
}

void L1Cache::on_accepted(std::size_t /*port*/, Payload& p, Fs delay) {
  road_free_ = std::max(now(), now() + delay - spec_.miss_latency);
  if (keeps_stores_ && is_write_back(p)) return road_is_free();
  if (!held_.request) return;
  const Fs at = std::max(held_.arrival, road_free_);
  stall_.end(at);
  const PayloadRef request = std::move(held_.request);
  // A response that comes before its END_REQ implies it, on the arrow above as well.
  if (request->get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) requests.accept(*request, at - now());
  if (flush_.on) road_is_free();
}

bool L1Cache::on_response(std::size_t /*port*/, Payload& p, Fs delay) {
  const Sideband& s = sideband_of(p);
  if (s.creator != this) {
    passed_back(p);
    requests.respond(p, delay);
    return true;
  }
  if (s.operation == Operation::store) {
    written_back(p, delay);
    return true;
  }
  const FillTable::Index fill = fills_.of_cookie(s.cookie);
  if (fill == FillTable::kNone) return true;  // asked for before a reset
  counters_.fill_latency.add(now() + delay - fills_[fill].issued);
  install(fill);
  const PayloadRef child = fills_[fill].child;
  fills_.finish(fill, [&](const FillTable::Waiter& w) {
    answer(*w.load, w.captured, *child);
    requests.respond(*w.load, std::max(delay, w.arrival - now()));
  });
  if (held_.request && held_.cause == Stall::fills) {
    retry_at_ = std::min(retry_at_, now() + delay);
    schedule();
  }
  return true;
}

void L1Cache::on_debug_written(std::size_t /*port*/, std::uint64_t first, std::uint64_t last) {
  fills_.poison_range(first, last);
  array_.for_each_in(first, last, [&](Slot slot) { refresh(slot, first, last); });
  requests.announce_debug_write(first, last);
}

void L1Cache::run() {
  while (hits_.next() <= now()) {
    const PayloadRef done = hits_.pop();
    done->set_response_status(tlm::TLM_OK_RESPONSE);
    requests.respond(*done);
  }
  if (flush_.on) pump_flush();
  if (retry_at_ <= now()) {
    retry_at_ = kNever;
    retry();
  }
  schedule();
}

/// A request held back tries again: what a load needs may be here or on its way by now, what was dirty may have left.
void L1Cache::retry() {
  if (!held_.request || held_.cause == Stall::network) return;
  const PayloadRef request = std::move(held_.request);
  const Fs arrival = held_.arrival;
  Fs delay = std::max<Fs>(0, arrival - now());
  const Admission admission = admit(*request, *find_sideband(*request), delay, arrival);
  if (admission == Admission::withhold) {
    held_.arrival = arrival;
    return;
  }
  stall_.end(now() + delay);
  if (admission == Admission::complete)
    requests.respond(*request, delay);  // implies END_REQ
  else
    requests.accept(*request, delay);
}

void L1Cache::schedule() {
  Fs next = std::min(hits_.next(), retry_at_);
  if (flush_.on && !misses.busy() && flush_.next < array_.slots()) next = std::min(next, flush_.send_from);
  if (next != kNever) wakeup_.at(std::max(next, now()));
}

}  // namespace gputlm
