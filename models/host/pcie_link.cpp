// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/pcie_link.h"

#include <algorithm>

#include "gputlm/tlm/debug_span.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {
namespace {

constexpr unsigned kDword = 4;  // the wire carries data in whole dwords

bool is_barrier(const Payload& p) {
  const Sideband* s = find_sideband(p);
  return s != nullptr && s->operation == Operation::system_barrier;
}

struct WireShare {
  unsigned data = 0, packets = 0;
};

// A packet's bytes are contiguous: a write with holes takes one for each run.
WireShare share_of_write(ByteMask mask) {
  if (mask.is_full()) return {kLineBytes, 1};
  WireShare share;
  for (unsigned i = 0; i < kLineBytes; ++i) {
    if (!mask.test(i)) continue;
    const unsigned first = i / kDword;
    while (i + 1 < kLineBytes && mask.test(i + 1)) ++i;
    share.data += kDword * (i / kDword - first + 1);
    ++share.packets;
  }
  return share;
}

// A read asks for the bytes from the first to the last that is wanted.
unsigned data_of_read(ByteMask mask) {
  unsigned first = 0, last = kLineBytes - 1;
  if (mask.empty()) return 0;
  while (!mask.test(first)) ++first;
  while (!mask.test(last)) --last;
  return kDword * (last / kDword - first / kDword + 1);
}

double rate_of(const PcieSpec& spec) {
  constexpr double kBitsPerByte = 8;
  return spec.lanes * spec.transfers_hz / kBitsPerByte * spec.encoding * spec.usable_share;
}

}  // namespace

PcieLink::PcieLink(const sc_core::sc_module_name& name, const HostSpec& spec, unsigned device_ports, PayloadPool& pool)
    : Unit(name),
      host("host", *this, device_ports),
      to_host("to_host", *this, kUp),
      to_device("to_device", *this, kDown),
      spec_(spec),
      pool_(pool),
      bytes_per_second_(rate_of(spec.pcie)),
      ports_(device_ports + 1) {
  for (std::size_t i = 0; i < device_ports; ++i)
    device.push_back(std::make_unique<TargetSocket<PcieLink>>(("device" + std::to_string(i)).c_str(), *this, i));
  // The round trip that was measured, less its two headers, is the way there and back.
  const Fs both = std::max<Fs>(0, spec.ordering_round_trip - 2 * wire_time(spec.pcie.packet_overhead));
  ways_[kUp].latency = both / 2;
  ways_[kDown].latency = both - both / 2;
  for (std::size_t w : {kUp, kDown}) {
    const std::string suffix = w == kUp ? "_up" : "_down";
    ways_[w].send = std::make_unique<Wakeup>("send" + suffix, [this, w] { transmit(w); });
    ways_[w].arrive = std::make_unique<Wakeup>("arrive" + suffix, [this, w] { arrive(w); });
  }
  PcieLink::reset();
}

Fs PcieLink::wire_time(unsigned bytes) const {
  return cycles_to_fs(bytes, bytes_per_second_);
}

double PcieLink::stream_bytes_per_ns() const {
  const PcieSpec& s = spec_.pcie;
  return bytes_per_second_ / 1e9 * s.max_payload / (s.max_payload + s.packet_overhead);
}

tlm::tlm_response_status PcieLink::check(const Payload& p) const {
  if (const auto status = check_line(p); status != tlm::TLM_OK_RESPONSE) return status;
  return p.is_read() || p.is_write() || is_barrier(p) ? tlm::TLM_OK_RESPONSE : tlm::TLM_COMMAND_ERROR_RESPONSE;
}

bool PcieLink::has_room(std::size_t way, const Payload& p) const {
  const PacketClass c = p.is_write() ? PacketClass::posted : PacketClass::non_posted;
  return ways_[way].queues.size(c) < spec_.pcie.queue_lines;
}

Admission PcieLink::on_request(std::size_t port, Payload& p, Fs& delay) {
  if (const auto status = check(p); status != tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    return Admission::complete;
  }
  const std::size_t way = way_of_port(port);
  if (!has_room(way, p)) {
    ports_[port].withheld = PayloadRef(p);
    ports_[port].since = now() + delay;
    ways_[way].waiting.push_back(port);
    return Admission::withhold;
  }
  enter(port, p, now() + delay);
  return p.is_write() ? Admission::complete : Admission::accept;
}

// Gives a request its place in the order of the link; a store is then done.
void PcieLink::enter(std::size_t port, Payload& p, Fs at) {
  Way& way = ways_[way_of_port(port)];
  PacketItem item;
  item.port = port;
  item.entered = item.ready = at;
  const ByteMask mask = ByteMask::of(p);
  if (p.is_write()) {
    const WireShare share = share_of_write(mask);
    item.payload = copy_of(p);
    item.data = share.data;
    item.packets = share.packets;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  } else {
    item.payload = PayloadRef(p);
    item.packet_class = PacketClass::non_posted;
    if (is_barrier(p)) ++barriers_;
  }
  item.whole_line = mask.is_full() && !is_barrier(p);
  if (item.packets == 0) return;  // a store of no bytes: nothing to send
  way.queue_peak = std::max(way.queue_peak, way.queues.size(item.packet_class) + 1);
  way.queues.push(std::move(item));
  schedule(way_of_port(port));
}

// A store's payload belongs to its initiator again as soon as it is answered.
PayloadRef PcieLink::copy_of(const Payload& store) {
  PayloadRef copy = pool_.line(tlm::TLM_WRITE_COMMAND, store.get_address(), Operation::store);
  std::copy_n(store.get_data_ptr(), kLineBytes, copy->get_data_ptr());
  set_enables(*copy, ByteMask::of(store));
  if (const Sideband* s = find_sideband(store)) find_sideband(*copy)->origin = s->origin;
  return copy;
}

void PcieLink::admit_waiting(std::size_t way) {
  Ring<std::size_t>& waiting = ways_[way].waiting;
  for (std::size_t i = 0; i < waiting.size();) {
    const std::size_t number = waiting[i];
    Port& port = ports_[number];
    if (!has_room(way, *port.withheld)) {
      ++i;
      continue;
    }
    waiting.take(i);
    const PayloadRef p = std::move(port.withheld);
    const Fs at = std::max(now(), port.since);
    port.stalled += at - port.since;
    enter(number, *p, at);
    if (p->is_write())
      entry(number).respond(*p, at - now());
    else
      entry(number).accept(*p, at - now());
  }
}

// The answer to a read request sets out from where the request ended.
void PcieLink::answer(std::size_t way, PacketItem request, Fs at) {
  const std::size_t back = 1 - way;
  request.packet_class = PacketClass::completion;
  request.ready = at;
  const bool has_data = request.payload->is_read() && request.payload->is_response_ok();
  request.data = has_data ? data_of_read(ByteMask::of(*request.payload)) : 0;
  request.whole_line = request.whole_line && has_data;
  ways_[back].queues.push(std::move(request));
  schedule(back);
}

unsigned PcieLink::on_debug(std::size_t port, Payload& p) {
  return exit(way_of_port(port))->transport_dbg(p);
}

void PcieLink::on_debug_written(std::size_t way, std::uint64_t first, std::uint64_t last) {
  if (way == kDown) {
    host.announce_debug_write(first, last);
    return;
  }
  for (auto& port : device) port->announce_debug_write(first, last);
}

}  // namespace gputlm
