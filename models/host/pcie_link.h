// SPDX-License-Identifier: Apache-2.0
//
// The PCIe link between the GPU and the host, with the root complex at its far end: a wire per direction.
//
// Hardware: Gen4 x16, 16 GT/s a lane, 128b/130b; packets of up to 256 bytes of data with some 26 bytes around them.
// Neighbouring whole lines of one port that wait together share a packet, so a stream gets the rate of full packets and
// a lone line that of its own. Order: nothing passes a posted write that stands before it, posted writes pass what is
// stuck, and delivery is in the order of the wire. Flow control: a side sends a posted write or a read request only
// when the far side has room for it, asks for no more lines than it has tags, and always has room for completions.
//
// Reads are answered with their data. A store is posted: it is answered when it has its place in the link's order, and
// nothing that is sent later reaches the other side before it; its own error can only be counted. A system barrier is a
// read of no bytes: it goes behind earlier posted writes, is answered at the root complex when the host has them, and
// its answer is the round trip that a barrier at a kernel's end was measured to cost (WRITES).
//
// Left out: retraining and replay, power states, relaxed ordering, atomics over the link (a command error), and the
// root complex's other ports.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "gputlm/host/host_spec.h"
#include "gputlm/host/packet_queues.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Statistics, per direction: data, wire bytes, packets, busy and stalled time; barriers; read round trips.
class PcieLink : public Unit {
 public:
  /// Where a request enters: the GPU's ports count from 0, the host's is behind them.
  PcieLink(const sc_core::sc_module_name& name, const HostSpec& spec, unsigned device_ports, PayloadPool& pool);

  std::vector<std::unique_ptr<TargetSocket<PcieLink>>>
      device;                           ///< From the GPU's units: the host's physical addresses.
  TargetSocket<PcieLink> host;          ///< From the CPU: addresses in the GPU's apertures.
  InitiatorSocket<PcieLink> to_host;    ///< To the host's memory.
  InitiatorSocket<PcieLink> to_device;  ///< To the GPU's apertures.

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  /// Data bytes per ns that a stream of full packets gets.
  double stream_bytes_per_ns() const;
  /// One way, from the end of a packet on the wire to its delivery.
  Fs latency(bool towards_host) const { return ways_[towards_host ? kUp : kDown].latency; }

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t number, Payload& p, Fs delay);
  bool on_response(std::size_t number, Payload& p, Fs delay);
  void on_debug_written(std::size_t way, std::uint64_t first, std::uint64_t last);

 private:
  static constexpr std::size_t kUp = 0, kDown = 1;  // towards the host, towards the GPU

  /// One direction.
  struct Way {
    Fs latency = 0;
    PacketQueues queues;
    Fs wire_free = 0;
    Fs exit_free = 0;  // effective time of the last delivery
    TimedQueue<PacketItem> in_flight;
    Ring<PacketItem> delivery;                       // arrived, in the order of the wire
    std::array<Ring<Fs>, kPacketClasses> returning;  // credits on their way back, by arrival
    std::array<unsigned, kPacketClasses> credits{};
    unsigned posted_waiting = 0;  // arrived and not yet taken by their target
    unsigned posted_open = 0;     // taken and not yet answered
    unsigned tags = 0;            // of this way's read requests
    std::unordered_map<const Payload*, PacketItem> open;
    Ring<std::size_t> waiting;  // ports whose END_REQ is withheld, in order
    std::unique_ptr<Wakeup> send, arrive;
    std::uint64_t data = 0, bytes = 0, packets = 0, refused_posted = 0;
    Fs busy = 0, starved = 0, starved_since = kNever;  // starved: something is ready and the far side has no room
    std::size_t queue_peak = 0;
  };
  struct Port {
    PayloadRef withheld;
    Fs since = 0;
    Fs stalled = 0;
  };

  std::size_t way_of_port(std::size_t port) const { return port < device.size() ? kUp : kDown; }
  TargetSocket<PcieLink>& entry(std::size_t port) { return port < device.size() ? *device[port] : host; }
  InitiatorSocket<PcieLink>& exit(std::size_t way) { return way == kUp ? to_host : to_device; }
  Fs wire_time(unsigned bytes) const;

  // pcie_link.cpp: requests enter, answers are made
  tlm::tlm_response_status check(const Payload& p) const;
  bool has_room(std::size_t way, const Payload& p) const;
  void enter(std::size_t port, Payload& p, Fs at);
  PayloadRef copy_of(const Payload& store);
  void admit_waiting(std::size_t way);
  void answer(std::size_t way, PacketItem request, Fs at);

  // pcie_wire.cpp: what the wire and the far side do
  void transmit(std::size_t number);
  void schedule(std::size_t number);
  std::array<bool, kPacketClasses> far_side_has_room(Way& way) const;
  void send_packet(Way& way, PacketClass c);
  PacketItem take_from_queue(Way& way, PacketClass c);
  void note_starvation(Way& way);
  void arrive(std::size_t number);
  void deliver(std::size_t number);
  void deliver_completion(std::size_t number, const PacketItem& item);
  void deliver_one(std::size_t number, PacketItem item);
  void return_credit(std::size_t number, PacketClass c, Fs at);
  void take_response(std::size_t number, const Payload& p, Fs at);

  const HostSpec spec_;
  PayloadPool& pool_;
  const double bytes_per_second_;
  std::array<Way, 2> ways_;
  std::vector<Port> ports_;
  std::uint64_t barriers_ = 0;
  std::vector<PacketItem> packet_;  // the one being put together
  Histogram read_round_trip_;
};

}  // namespace gputlm
