// SPDX-License-Identifier: Apache-2.0
#include "gputlm/lsu/lsu.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gputlm/tlm/passed_on.h"
#include "gputlm/tlm/tie_off.h"

namespace gputlm {

namespace {

/// True when the access touches no byte: no active lane, or every byte disabled.
bool is_empty(const Payload& p) {
  const Sideband* s = find_sideband(p);
  if (s != nullptr && s->operation == Operation::fence) return false;
  if (s != nullptr && s->lanes != nullptr) return s->lanes->active == 0;
  const unsigned char* enables = p.get_byte_enable_ptr();
  if (enables == nullptr) return false;
  const unsigned length = std::min(p.get_byte_enable_length(), p.get_data_length());
  return std::all_of(enables, enables + length, [](unsigned char e) { return e == 0; });
}

}  // namespace

Lsu::Durations::Durations(const LsuSpec& spec) {
  auto cycles = [&spec](double n) { return cycles_to_fs(n, spec.clock_hz); };
  load_interval = cycles(spec.load_issue_interval);
  store_interval = cycles(spec.store_issue_interval);
  store_interval_8 = cycles(spec.store_issue_interval_8);
  store_interval_16 = cycles(spec.store_issue_interval_16);
  cta_fence = cycles(spec.cta_fence_cycles);
  header = cycles(1.0 / spec.exit_loads_per_cycle);
  for (unsigned n = 0; n < data.size(); ++n)
    data[n] = cycles(std::max(spec.exit_min_store_cycles, n * kSectorBytes / spec.exit_bytes_per_cycle));
}

Lsu::Lsu(const sc_core::sc_module_name& name, const LsuSpec& spec, unsigned sm, PayloadPool& pool)
    : Unit(name),
      external("external", *this, spec.sub_partitions),
      line("line", *this),
      spec_(spec),
      durations_(spec),
      sm_(sm),
      pool_(pool),
      wake_("wake", [this] { run(); }),
      entries_(spec.sub_partitions + 1),
      leave_at_(entries_.size(), kNever) {
  for (unsigned i = 0; i < spec.sub_partitions; ++i)
    accesses.push_back(std::make_unique<TargetSocket<Lsu>>(("access_" + std::to_string(i)).c_str(), *this, i));
}

Lsu::~Lsu() = default;

void Lsu::before_end_of_elaboration() {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (socket_of(i).get_base_port().bind_count() > 0) continue;
    tie_offs_.push_back(std::make_unique<TieOff>("tie_off_" + std::to_string(i)));
    tie_offs_.back()->bind(socket_of(i));
  }
}

void Lsu::reset() {
  ++epoch_;
  wake_.cancel();
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i] = Entry{};
    socket_of(i).reset();
    leave_at_[i] = kNever;
  }
  line.reset();
  table_.clear();
  lines_.clear();
  responses_.clear();
  controls_.clear();
  fences_.clear();
  window_.reset();
  exit_free_ = 0;
  exit_turn_ = 0;
  at_exit_ = 0;
  handing_ = kNone;
  busy_ = false;
  exit_stalls_.reset();
  count_ = Counters{};
}

Admission Lsu::on_request(std::size_t number, Payload& p, Fs& delay) {
  const tlm::tlm_response_status status = check_access(p);
  if (status != tlm::TLM_OK_RESPONSE || is_empty(p)) {
    p.set_response_status(status);
    Sideband* s = find_sideband(p);
    if (s != nullptr) s->executed = status == tlm::TLM_OK_RESPONSE;
    ++(status == tlm::TLM_OK_RESPONSE ? count_.empty : count_.faults);
    if (observer != nullptr && s != nullptr && status != tlm::TLM_OK_RESPONSE)
      observer->on_fault(sm_, p, p.get_address(), status);
    if (observer != nullptr) observer->on_access_answered(sm_, p);
    return Admission::complete;
  }
  const Fs at = now() + delay;
  Entry& entry = entries_[number];
  if (entry.queue.size() >= spec_.queue_entries) {
    entry.withheld = PayloadRef(p);
    entry.withheld_from = at;
    entry.stalls.begin(QueueStall::full, at);
    return Admission::withhold;
  }
  admit(number, p, at, at);
  if (busy_) return Admission::accept;  // an initiator that sends from within its callback; the outer call goes on
  // With nothing due at this instant, what can leave at once needs no event.
  if (wake_.due() > now()) dispatch(now());
  schedule();
  return Admission::accept;
}

Lsu::Access& Lsu::admit(std::size_t number, Payload& p, Fs requested, Fs arrived) {
  Access access;
  access.payload = PayloadRef(p);
  access.sideband = find_sideband(p);
  access.entry = number;
  access.requested = requested;
  access.arrived = arrived;
  access.operation = access.sideband != nullptr ? access.sideband->operation
                     : p.is_write()             ? Operation::store
                                                : Operation::load;
  ++count_.instructions[static_cast<std::size_t>(access.operation)];
  Entry& entry = entries_[number];
  entry.queue.push_back(table_.put(std::move(access)));
  entry.peak = std::max(entry.peak, entry.queue.size());
  if (entry.queue.size() == 1) note_leave_time(number);
  return table_[entry.queue.back()];
}

void Lsu::admit_withheld(std::size_t number, Fs at) {
  Entry& entry = entries_[number];
  const PayloadRef p = std::move(entry.withheld);
  const Fs arrived = std::max(at, entry.withheld_from);
  entry.stalls.end(arrived);
  admit(number, *p, entry.withheld_from, arrived);
  socket_of(number).accept(*p, std::max<Fs>(0, arrived - now()));
}

void Lsu::run() {
  const Fs t = now();
  busy_ = true;
  do {
    while (responses_.next() <= t) take_response(responses_.pop());
    dispatch(t);
  } while (check_fences(t) || responses_.next() <= t);
  busy_ = false;
  schedule();
}

void Lsu::dispatch(Fs t) {
  const bool outer = std::exchange(busy_, true);
  bool progress = true;
  while (progress) {
    progress = false;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      while (leave_at_[i] <= t) {
        leave(i);
        progress = true;
      }
    }
    while (send_next(t)) progress = true;
  }
  busy_ = outer;
}

// The queue's head may leave unless its predecessor is still at the exit.
void Lsu::note_leave_time(std::size_t number) {
  const Entry& entry = entries_[number];
  const bool waits = entry.queue.empty() || entry.leaving != kNone;
  leave_at_[number] = waits ? kNever : std::max(table_[entry.queue.front()].arrived, entry.next_leave);
}

// The queue's head leaves: its time has come.
void Lsu::leave(std::size_t number) {
  const Fs at = leave_at_[number];
  Entry& entry = entries_[number];
  const std::uint32_t slot = entry.queue.pop_front();
  if (entry.withheld) admit_withheld(number, at);
  Access& access = table_[slot];
  if (!entry.queue.empty()) table_[entry.queue.front()].payload.prefetch();
  if (access.operation == Operation::fence) {
    note_leave_time(number);
    start_fence(slot, at);
    return;
  }
  if (access.operation != Operation::load) access.sequence = window_.issue();
  entry.leaving = slot;
  entry.left_at = at;
  entry.next_leave = at + issue_interval(access);
  ++at_exit_;
  note_leave_time(number);
  start_lines(entry, access);
}

Fs Lsu::issue_interval(const Access& access) const {
  if (access.operation == Operation::load) return durations_.load_interval;
  const Sideband* s = access.sideband;
  const unsigned lane_bytes = s != nullptr && s->lanes != nullptr ? s->lanes->lane_bytes : 4;
  if (lane_bytes <= 4) return durations_.store_interval;
  return lane_bytes == 8 ? durations_.store_interval_8 : durations_.store_interval_16;
}

void Lsu::start_lines(Entry& entry, const Access& access) {
  const Sideband* s = access.sideband;
  if (s == nullptr || s->lanes == nullptr)
    entry.coalescer.start(access.payload->get_address(), access.payload->get_data_length());
  else if (s->is_atomic())
    entry.coalescer.start_atomic(*s->lanes);
  else
    entry.coalescer.start(*s->lanes);
  next_request(entry);
}

// Fetches the next request with at least one enabled byte.
bool Lsu::next_request(Entry& entry) {
  while (entry.coalescer.next(entry.request)) {
    entry.request.mask = enabled_bytes(entry.request, *table_[entry.leaving].payload);
    if (!entry.request.mask.empty()) return true;
  }
  return false;
}

bool Lsu::send_next(Fs t) {
  if (line.busy() || !exit_wanted()) return false;
  if (exit_free_ > t) {
    if (!exit_stalls_.stalled()) exit_stalls_.begin(ExitStall::exit_busy, t);
    return false;
  }
  exit_stalls_.end(t);
  if (!controls_.empty()) {
    send_control();
    return true;
  }
  do exit_turn_ = (exit_turn_ + 1) % entries_.size();
  while (entries_[exit_turn_].leaving == kNone);
  send_request(exit_turn_);
  return true;
}

void Lsu::send_control() {
  const Control control = controls_.pop_front();
  PayloadRef p = pool_.line(tlm::TLM_IGNORE_COMMAND, 0, control.operation);
  Sideband& s = *find_sideband(*p);
  if (const Sideband* from = table_[control.access].sideband) {
    s.semantics = from->semantics;
    s.scope = from->scope;
    s.origin = from->origin;
  }
  handing_ = kNone;
  transmit(std::move(p), control.access, 0, std::max(exit_free_, control.ready), durations_.header);
}

void Lsu::send_request(std::size_t number) {
  Entry& entry = entries_[number];
  Access& access = table_[entry.leaving];
  ++access.unanswered;
  const LineRequest& request = entry.request;
  const unsigned sectors = count_sectors(request.mask.touched_sectors());
  const bool loads = access.operation == Operation::load;
  count_.sectors += sectors;
  (loads ? count_.load_bytes : count_.store_bytes) += request.mask.count();
  if (access.asked) (loads ? count_.load_line_wait : count_.store_line_wait).add(now() - access.requested);
  handing_ = number;
  transmit(make_line(request, access), entry.leaving, request.lanes, std::max(exit_free_, entry.left_at),
           loads ? durations_.header : durations_.data[sectors]);
}

PayloadRef Lsu::make_line(const LineRequest& request, const Access& access) {
  const Payload& from = *access.payload;
  const Sideband* asked = access.sideband;
  const bool compares = asked != nullptr && asked->is_atomic() && asked->function == AtomicFunction::compare_and_swap;
  PayloadRef p =
      compares ? pool_.compare_line(request.line) : pool_.line(from.get_command(), request.line, access.operation);
  if (asked != nullptr) pass_on(*asked, *find_sideband(*p));
  if (access.operation == Operation::load) {
    set_enables(*p, spec_.byte_exact_loads ? request.mask : ByteMask::sectors(request.mask.touched_sectors()));
    return p;
  }
  set_enables(*p, request.mask);
  scatter(request, from, p->get_data_ptr());
  if (compares) scatter_compare(request, from, p->get_data_ptr() + kLineBytes);
  return p;
}

void Lsu::transmit(PayloadRef p, std::uint32_t access, std::uint32_t lanes, Fs start, Fs occupancy) {
  Payload& sent = *p;
  Sideband& s = *find_sideband(sent);
  ++count_.lines[static_cast<std::size_t>(s.operation)];
  s.creator = this;
  s.cookie = std::uint64_t{epoch_} << 32U | lines_.put({p, access, lanes});
  if (observer != nullptr) observer->on_line_request(sm_, sent);
  exit_free_ = start + occupancy;
  Fs delay = 0;
  switch (line.request(sent, delay)) {
    case Sent::withheld:
      exit_stalls_.begin(ExitStall::back_pressure, now());
      return;
    case Sent::responded:
      responses_.push(now() + delay, std::move(p));
      [[fallthrough]];
    case Sent::accepted:
      handed_over(delay > 0 ? now() + delay : 0);
  }
}

// The request at the exit has its END_REQ, effective at `at`; its entry goes on to the next.
void Lsu::handed_over(Fs at) {
  exit_free_ = std::max(exit_free_, at);
  if (handing_ == kNone) return;
  const std::size_t number = std::exchange(handing_, std::size_t{kNone});
  Entry& entry = entries_[number];
  if (next_request(entry)) return;
  entry.leaving = kNone;
  --at_exit_;
  entry.next_leave = std::max(entry.next_leave, exit_free_);
  note_leave_time(number);
}

void Lsu::on_accepted(std::size_t, Payload&, Fs delay) {
  const Fs at = now() + delay;
  exit_stalls_.end(at);
  handed_over(at);
  if (exit_wanted() && exit_free_ > at) exit_stalls_.begin(ExitStall::exit_busy, at);
  schedule();
}

void Lsu::schedule() {
  Fs next = responses_.next();
  for (const Fs at : leave_at_) next = std::min(next, at);
  if (!line.busy() && exit_wanted()) next = std::min(next, exit_free_);
  for (const Fence& fence : fences_)
    if (answered(fence)) next = std::min(next, fence.not_before);
  if (next != kNever) wake_.at(std::max(next, now()));
}

}  // namespace gputlm
