// SPDX-License-Identifier: Apache-2.0
//
// The link between requesters on the GPU's side, the host's memory, a CPU and a scripted aperture.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "gputlm/host/pcie_link.h"
#include "gputlm/host/system_memory.h"
#include "gputlm/test_support/script_units.h"

namespace gputlm::test {

/// The card's values, except that the link's rate is exactly 32 bytes per ns, so that times are whole numbers.
inline HostSpec host_spec() {
  HostSpec spec;
  spec.ordering_round_trip = 740 * kFsPerNs;
  spec.pcie.lanes = 16;
  spec.pcie.transfers_hz = 16e9;
  spec.pcie.encoding = 1;
  spec.pcie.usable_share = 1;
  spec.pcie.packet_overhead = 32;
  spec.pcie.max_payload = 256;
  spec.pcie.queue_lines = 64;
  spec.pcie.posted_credits = spec.pcie.non_posted_credits = 256;
  spec.pcie.read_tags = 512;
  spec.memory.capacity = std::uint64_t{1} << 30;
  spec.memory.read_latency = 90 * kFsPerNs;
  return spec;
}

/// Sends what it is given in order, as fast as the arrow takes it, and notes when each is answered.
class Requester : public sc_core::sc_module {
 public:
  explicit Requester(const sc_core::sc_module_name& name)
      : sc_module(name), out("out", *this), wakeup_("send", [this] { send(); }) {}

  InitiatorSocket<Requester> out;
  std::map<const Payload*, Fs> answered;
  std::vector<const Payload*> order;

  void queue(const PayloadRef& p, Fs at = 0) {
    to_send_.push(std::max(at, now()), p);
    wakeup_.at(to_send_.next());
  }
  void on_accepted(std::size_t, Payload&, Fs delay) { wakeup_.at(now() + delay); }
  bool on_response(std::size_t, Payload& p, Fs delay) {
    note(p, delay);
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t first, std::uint64_t last) { written.emplace_back(first, last); }
  std::vector<std::pair<std::uint64_t, std::uint64_t>> written;

 private:
  void send() {
    while (!out.busy() && to_send_.next() <= now()) {
      held_.push_back(to_send_.pop());
      Fs delay = 0;
      if (out.request(*held_.back(), delay) == Sent::responded) note(*held_.back(), delay);
    }
    if (!out.busy() && !to_send_.empty()) wakeup_.at(to_send_.next());
  }
  void note(const Payload& p, Fs delay) {
    answered[&p] = now() + delay;
    order.push_back(&p);
  }

  TimedQueue<PayloadRef> to_send_;
  std::vector<PayloadRef> held_;
  Wakeup wakeup_;
};

struct LinkBench {
  explicit LinkBench(const HostSpec& spec = host_spec())
      : memory("memory", spec.memory), link("link", spec, 2, pool), a("a"), b("b"), cpu("cpu"), aperture("aperture") {
    a.out.bind(*link.device[0]);
    b.out.bind(*link.device[1]);
    cpu.out.bind(link.host);
    link.to_host.bind(memory.requests);
    link.to_device.bind(aperture.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  PayloadRef read(std::uint64_t line) {
    PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, line, Operation::load);
    set_enables(*p, ByteMask::full());
    return p;
  }
  PayloadRef write(std::uint64_t line, unsigned char value, ByteMask mask = ByteMask::full()) {
    PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, line, Operation::store);
    std::fill_n(p->get_data_ptr(), kLineBytes, value);
    set_enables(*p, mask);
    return p;
  }
  PayloadRef barrier() { return pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier); }
  unsigned char byte_at(std::uint64_t address) const {
    unsigned char value = 0;
    memory.read(address, &value, 1);
    return value;
  }

  PayloadPool pool;
  SystemMemory memory;
  PcieLink link;
  Requester a, b, cpu;
  ScriptTarget aperture;
};

}  // namespace gputlm::test
