// SPDX-License-Identifier: Apache-2.0
//
// The host's ordering point as a system barrier meets it: the barrier comes in from the crossbar, is pushed across PCIe
// behind earlier posted writes and answered when the host has it. Here a constant round trip, the 740 ns that a
// kernel-end barrier was measured to cost (WRITES); nothing else crosses this link.
#pragma once

#include "gputlm/host/host_spec.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Answers system barriers after the host's round trip; any other operation is a command error.
class OrderingPoint : public Unit {
 public:
  OrderingPoint(const sc_core::sc_module_name& name, const HostSpec& spec);

  TargetSocket<OrderingPoint> barriers;  ///< From the crossbar's system port.

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return in_flight_.empty(); }
  void list_waits(WaitList& waits) const override;

  /// Barriers that are not answered yet, and when the next answer goes; kNever: none.
  std::size_t waiting() const { return in_flight_.size(); }
  Fs next_answer() const { return in_flight_.next(); }

  Admission on_request(std::size_t, Payload& p, Fs& delay);
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t, Payload& p);

 private:
  void answer();

  const HostSpec spec_;
  TimedQueue<PayloadRef> in_flight_;
  Wakeup wakeup_;
  std::uint64_t barriers_ = 0;
};

}  // namespace gputlm
