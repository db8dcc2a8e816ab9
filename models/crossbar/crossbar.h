// SPDX-License-Identifier: Apache-2.0
//
// Crossbar between the SMs and the L2 slices: a request network and a response network that share nothing.
//
// Requests enter by SM port (a rate of headers and of store data per cycle), cross with a constant latency and wait in
// the queue of their slice's port, oldest first whatever their SM, so that no port can starve another; a slice that
// withholds END_REQ stops its port. An SM may have a bounded number of requests in the network, a slice's queue is
// bounded too: beyond either, END_REQ at the SM port is withheld. Requests of one (SM, slice) pair keep their order.
// System barriers and accesses to the host's memory leave by the system port, the latter with the host's own addresses.
// Responses cross with a constant latency and leave by SM port at a rate of data per cycle. Left out: the network's
// inner topology; contention exists at the ports only.
#pragma once

#include <memory>
#include <vector>

#include "gputlm/crossbar/crossbar_spec.h"
#include "gputlm/crossbar/slice_function.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Routes line transactions by physical address. Timing sources: facts of READS and WRITES, split assumed (configs/).
class Crossbar : public Unit {
 public:
  /// Why a request waits at an SM port.
  enum class Stall : std::uint8_t { sm_share, slice_queue };
  static constexpr std::size_t kStalls = 2;

  Crossbar(const sc_core::sc_module_name& name, const CrossbarSpec& spec);

  std::vector<std::unique_ptr<TargetSocket<Crossbar>>> sm;        ///< One per SM, then one per hub port.
  std::vector<std::unique_ptr<InitiatorSocket<Crossbar>>> slice;  ///< One per L2 slice.
  InitiatorSocket<Crossbar> system;                               ///< To the host.

  unsigned slice_of(std::uint64_t physical) const { return function_->slice_of(physical); }

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  /// Requests now waiting in the network for a slice.
  std::size_t waiting_for(unsigned slice_number) const { return slices_[slice_number].queue.size(); }
  /// Time for which requests were held at an SM's (or hub's) port, up to now.
  Fs stall_time(std::size_t sm_port, Stall cause) const {
    const SmPort& port = sms_[sm_port];
    return port.stalls.total(cause, std::max(now(), port.parked_from));
  }
  /// Backdoor: puts a line request into the queue of the slice that owns its address, as if it had just crossed; nobody
  /// is told of its answer. False, and nothing done, when that queue is full.
  bool fill_queue(Payload& p);

  Admission on_request(std::size_t sm_port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t sm_port, Payload& p);
  void on_accepted(std::size_t out_port, Payload& p, Fs delay);
  bool on_response(std::size_t out_port, Payload& p, Fs delay);
  void on_debug_written(std::size_t out_port, std::uint64_t first, std::uint64_t last);

 private:
  static constexpr std::uint16_t kNobody = 0xffff;  // ingress of what the backdoor put in

  struct SmPort {
    std::unique_ptr<Wakeup> deliver;
    TimedQueue<PayloadRef> responses;
    PayloadRef parked;           // the request whose END_REQ is withheld
    std::size_t parked_for = 0;  // its way out
    Fs parked_from = 0;          // effective time of its BEGIN_REQ
    Fs request_free = 0, response_free = 0;
    unsigned in_network = 0;
    StallClock<Stall, kStalls> stalls;
  };
  /// A request inside the network.
  struct Crossing {
    PayloadRef request;
    Fs unloaded = 0;  // when it would reach its slice if nothing held it up
  };
  struct OutPort {
    std::unique_ptr<Wakeup> serve;
    TimedQueue<Crossing> queue;
    Ring<std::size_t> waiting;  // SM ports parked for room in this queue, in order
    Fs free_at = 0, blocked_since = kNever, blocked = 0;
    std::uint64_t requests = 0;
    std::size_t peak = 0;
  };

  InitiatorSocket<Crossbar>& out(std::size_t port) { return port == slice.size() ? system : *slice[port]; }
  std::size_t route(const Payload& p) const;
  bool is_system(std::size_t out_port) const { return out_port == slice.size(); }
  void answered(std::size_t out_port, Payload& p, Fs at);
  std::string way_in(std::size_t port) const;
  std::string way_out(std::size_t port) const;
  bool has_room(const SmPort& port, std::size_t out_port) const;
  Fs enter(std::size_t sm_port, std::size_t out_port, Payload& p, Fs at, Fs asked);
  void park(std::size_t sm_port, std::size_t out_port, Payload& p, Fs at, Stall cause);
  void try_parked(std::size_t sm_port);
  void left(std::size_t out_port, std::size_t sm_port);
  void serve(std::size_t out_port);
  void deliver(std::size_t sm_port);
  void send_back(std::size_t sm_port, Payload& p, Fs at);
  Fs position(std::size_t sm_port, std::size_t out_port) const;

  const CrossbarSpec spec_;
  std::unique_ptr<SliceFunction> function_;
  Fs per_request_ = 0, per_sector_in_ = 0, per_sector_out_ = 0;
  std::vector<SmPort> sms_;
  std::vector<OutPort> slices_;  // the last one is the system port
  std::uint64_t responses_ = 0;
  Histogram load_request_wait_, store_request_wait_, load_response_wait_, store_response_wait_;
};

}  // namespace gputlm
