// SPDX-License-Identifier: Apache-2.0
#include "gputlm/crossbar/crossbar.h"

#include <algorithm>

#include "gputlm/tlm/host_window.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

unsigned sectors_of(const Payload& p) {
  return count_sectors(ByteMask::of(p).touched_sectors());
}

bool is_barrier(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return s != nullptr && s->operation == Operation::system_barrier;
}

// Sectors of data a request carries towards its slice, and a response back to its SM.
unsigned sectors_in(const Payload& p) {
  return p.is_read() || is_barrier(p) ? 0 : sectors_of(p);
}

unsigned sectors_out(const Payload& p) {
  const bool has_data = p.is_read() || (!p.is_write() && find_sideband(p)->operation == Operation::atomic);
  return has_data ? sectors_of(p) : 0;
}

// The host's memory has its own addresses behind the system port, and the window's in front of it.
void enter_host(Payload& p) {
  if (!is_barrier(p)) p.set_address(p.get_address() - kHostWindow);
}
void leave_host(Payload& p) {
  if (!is_barrier(p)) p.set_address(p.get_address() + kHostWindow);
}

}  // namespace

Crossbar::Crossbar(const sc_core::sc_module_name& name, const CrossbarSpec& spec)
    : Unit(name),
      system("system", *this, spec.slices),
      spec_(spec),
      function_(make_slice_function(spec)),
      per_request_(cycles_to_fs(1.0 / spec.sm_requests_per_cycle, spec.clock_hz)),
      per_sector_in_(cycles_to_fs(kSectorBytes / spec.sm_request_bytes_per_cycle, spec.clock_hz)),
      per_sector_out_(cycles_to_fs(kSectorBytes / spec.sm_response_bytes_per_cycle, spec.clock_hz)),
      sms_(spec.sm_ports + spec.hub_ports),
      slices_(spec.slices + 1) {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    const std::string n = std::to_string(i);
    const std::string name = i < spec.sm_ports ? "sm" + n : "hub" + std::to_string(i - spec.sm_ports);
    sm.push_back(std::make_unique<TargetSocket<Crossbar>>(name.c_str(), *this, i));
    sms_[i].deliver = std::make_unique<Wakeup>("deliver" + n, [this, i] { deliver(i); });
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    const std::string n = std::to_string(i);
    if (i < spec.slices) slice.push_back(std::make_unique<InitiatorSocket<Crossbar>>(("slice" + n).c_str(), *this, i));
    slices_[i].serve = std::make_unique<Wakeup>("serve" + n, [this, i] { serve(i); });
  }
}

std::size_t Crossbar::route(const Payload& p) const {
  const bool system = is_barrier(p) || in_host_window(p.get_address());
  return system ? slice.size() : function_->slice_of(p.get_address());
}

Fs Crossbar::position(std::size_t sm_port, std::size_t out_port) const {
  double cycles = 0;
  if (sm_port < spec_.sm_position.size()) cycles += spec_.sm_position[sm_port];
  if (out_port < spec_.slice_position.size()) cycles += spec_.slice_position[out_port];
  return cycles == 0 ? 0 : cycles_to_fs(cycles, spec_.clock_hz);
}

bool Crossbar::has_room(const SmPort& port, std::size_t out_port) const {
  return port.in_network < spec_.sm_request_depth && slices_[out_port].queue.size() < spec_.slice_request_depth;
}

Admission Crossbar::on_request(std::size_t sm_port, Payload& p, Fs& delay) {
  const tlm::tlm_response_status status = check_line(p);
  if (status != tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    return Admission::complete;
  }
  sideband_of(p).ingress = static_cast<std::uint16_t>(sm_port);
  const std::size_t out_port = route(p);
  SmPort& port = sms_[sm_port];
  if (!has_room(port, out_port)) {
    park(sm_port, out_port, p, now() + delay,
         port.in_network >= spec_.sm_request_depth ? Stall::sm_share : Stall::slice_queue);
    return Admission::withhold;
  }
  delay = enter(sm_port, out_port, p, now() + delay, now() + delay) - now();
  return Admission::accept;
}

// Puts a request, whose BEGIN_REQ was at `asked`, into the network; returns when the SM port takes the next one.
Fs Crossbar::enter(std::size_t sm_port, std::size_t out_port, Payload& p, Fs at, Fs asked) {
  SmPort& port = sms_[sm_port];
  const Fs start = std::max(at, port.request_free);
  port.request_free = start + std::max(per_request_, sectors_in(p) * per_sector_in_);
  ++port.in_network;
  OutPort& o = slices_[out_port];
  // It arrives whole, so the response cannot come before its END_REQ either.
  const Fs crossing = spec_.request_latency + position(sm_port, out_port);
  o.queue.push(std::max(start + crossing, port.request_free), {PayloadRef(p), asked + crossing});
  o.peak = std::max(o.peak, o.queue.size());
  if (!out(out_port).busy()) o.serve->at(std::max(o.queue.next(), std::max(o.free_at, now())));
  return port.request_free;
}

void Crossbar::park(std::size_t sm_port, std::size_t out_port, Payload& p, Fs at, Stall cause) {
  SmPort& port = sms_[sm_port];
  port.parked = PayloadRef(p);
  port.parked_for = out_port;
  port.parked_from = at;
  port.stalls.begin(cause, std::max(at, now()));
  if (cause == Stall::slice_queue) slices_[out_port].waiting.push_back(sm_port);
}

// The parked request goes on if it can; one that now lacks room in the slice's queue only joins that queue's waiters.
void Crossbar::try_parked(std::size_t sm_port) {
  SmPort& port = sms_[sm_port];
  const std::size_t out_port = port.parked_for;
  if (!has_room(port, out_port)) {
    if (port.stalls.cause() == Stall::sm_share && port.in_network < spec_.sm_request_depth) {
      port.stalls.begin(Stall::slice_queue, now());
      slices_[out_port].waiting.push_back(sm_port);
    }
    return;
  }
  PayloadRef p = std::move(port.parked);
  const Fs at = std::max(port.parked_from, now());
  port.stalls.end(at);
  const Fs next = enter(sm_port, out_port, *p, at, port.parked_from);
  sm[sm_port]->accept(*p, next - now());
}

bool Crossbar::fill_queue(Payload& p) {
  const std::size_t out_port = route(p);
  OutPort& o = slices_[out_port];
  if (o.queue.size() >= spec_.slice_request_depth) return false;
  sideband_of(p).ingress = kNobody;
  o.queue.push(now(), {PayloadRef(p), now()});
  o.peak = std::max(o.peak, o.queue.size());
  if (!out(out_port).busy()) o.serve->at(std::max(o.free_at, now()));
  return true;
}

// A request of sm_port has left the network through out_port: room for those that wait.
void Crossbar::left(std::size_t out_port, std::size_t sm_port) {
  OutPort& o = slices_[out_port];
  if (sm_port != kNobody) --sms_[sm_port].in_network;
  while (!o.waiting.empty() && o.queue.size() < spec_.slice_request_depth) {
    const std::size_t first = o.waiting.pop_front();
    try_parked(first);
  }
  if (sm_port == kNobody) return;
  const SmPort& port = sms_[sm_port];
  if (port.parked && port.stalls.cause() == Stall::sm_share) try_parked(sm_port);
}

void Crossbar::serve(std::size_t out_port) {
  OutPort& o = slices_[out_port];
  if (out(out_port).busy() || o.queue.empty()) return;
  const Fs t = now();
  if (t < o.free_at || t < o.queue.next()) {
    o.serve->at(std::max(o.free_at, o.queue.next()));
    return;
  }
  const Crossing crossed = o.queue.pop();
  const PayloadRef& p = crossed.request;
  if (!o.queue.empty()) o.queue.front().request.prefetch();
  const std::size_t sm_port = find_sideband(*p)->ingress;
  ++o.requests;
  if (sm_port != kNobody) (p->is_read() ? load_request_wait_ : store_request_wait_).add(t - crossed.unloaded);
  Fs delay = 0;
  if (is_system(out_port)) enter_host(*p);
  switch (out(out_port).request(*p, delay)) {
    case Sent::accepted:
      o.free_at = t + delay;
      break;
    case Sent::withheld:
      o.blocked_since = t;
      break;
    case Sent::responded:
      o.free_at = t + delay;
      answered(out_port, *p, t + delay);
      break;
  }
  left(out_port, sm_port);
  if (!out(out_port).busy() && !o.queue.empty()) o.serve->at(std::max(o.free_at, o.queue.next()));
}

void Crossbar::on_accepted(std::size_t out_port, Payload&, Fs delay) {
  OutPort& o = slices_[out_port];
  const Fs t = now();
  if (o.blocked_since != kNever) o.blocked += t + delay - o.blocked_since;
  o.blocked_since = kNever;
  o.free_at = t + delay;
  if (!o.queue.empty()) o.serve->at(std::max(o.free_at, o.queue.next()));
}

bool Crossbar::on_response(std::size_t out_port, Payload& p, Fs delay) {
  answered(out_port, p, now() + delay);
  return true;
}

void Crossbar::answered(std::size_t out_port, Payload& p, Fs at) {
  if (is_system(out_port)) leave_host(p);
  const std::size_t sm_port = find_sideband(p)->ingress;
  if (sm_port != kNobody) send_back(sm_port, p, at + spec_.response_latency + position(sm_port, out_port));
}

void Crossbar::send_back(std::size_t sm_port, Payload& p, Fs at) {
  SmPort& port = sms_[sm_port];
  port.responses.push(at, PayloadRef(p));
  port.deliver->at(std::max(port.responses.next(), std::max(port.response_free, now())));
}

void Crossbar::deliver(std::size_t sm_port) {
  SmPort& port = sms_[sm_port];
  const Fs t = now();
  while (port.responses.next() <= t && port.response_free <= t) {
    const Fs unloaded = port.responses.next();
    PayloadRef p = port.responses.pop();
    (p->is_read() ? load_response_wait_ : store_response_wait_).add(t - unloaded);
    if (!port.responses.empty()) port.responses.front().prefetch();
    port.response_free = t + sectors_out(*p) * per_sector_out_;
    ++responses_;
    sm[sm_port]->respond(*p);
  }
  if (!port.responses.empty()) port.deliver->at(std::max(port.responses.next(), port.response_free));
}

unsigned Crossbar::on_debug(std::size_t, Payload& p) {
  const std::size_t out_port = route(p);
  if (is_system(out_port)) enter_host(p);
  const unsigned bytes = out(out_port)->transport_dbg(p);
  if (is_system(out_port)) leave_host(p);
  return bytes;
}

void Crossbar::on_debug_written(std::size_t out_port, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t base = is_system(out_port) ? kHostWindow : 0;
  for (auto& port : sm) port->announce_debug_write(base + first, base + last);
}

void Crossbar::reset() {
  for (std::size_t i = 0; i < sms_.size(); ++i) {
    auto wakeup = std::move(sms_[i].deliver);
    wakeup->cancel();
    sms_[i] = SmPort{};
    sms_[i].deliver = std::move(wakeup);
    sm[i]->reset();
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    auto wakeup = std::move(slices_[i].serve);
    wakeup->cancel();
    slices_[i] = OutPort{};
    slices_[i].serve = std::move(wakeup);
    out(i).reset();
  }
  responses_ = 0;
  for (Histogram* h : {&load_request_wait_, &store_request_wait_, &load_response_wait_, &store_response_wait_})
    h->reset();
}

bool Crossbar::idle() const {
  return std::all_of(sms_.begin(), sms_.end(), [](const SmPort& p) { return p.responses.empty() && !p.parked; }) &&
         std::all_of(slices_.begin(), slices_.end(),
                     [](const OutPort& o) { return o.queue.empty() && o.blocked_since == kNever; });
}

}  // namespace gputlm
