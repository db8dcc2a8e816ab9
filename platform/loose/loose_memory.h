// SPDX-License-Identifier: Apache-2.0
//
// Device memory, loosely timed: takes the place of network, L2 and DRAM in front of the crossbar. A line transaction
// takes effect in the call that brings it, so the order of calls is the order of memory, and is answered when
// LooseTiming says; what is asked for device memory is never passed on. System barriers and accesses to the host's
// memory go on to the crossbar and its system port, approximately timed as ever. Debug access goes that way, too: the
// slices behind hold nothing, so it reads and writes DRAM's contents.
//
// Watched by an L2Observer as a slice is, except for what happens to ways. Left out, besides LooseTiming's list:
// END_REQ is never withheld from device memory's requests, but dated as far ahead as the port and the SM's share of the
// network need.
#pragma once

#include <memory>
#include <vector>

#include "gputlm/dram/sparse_memory.h"
#include "gputlm/l2/l2_observer.h"
#include "gputlm/loose/loose_port.h"
#include "gputlm/loose/loose_timing.h"
#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Statistics: requests by kind, hits, lines fetched and written back, latencies.
class LooseMemory : public Unit {
 public:
  /// `depth`: requests of one port that have not reached their slice; END_REQ of more is late. `timing`, `memory` and
  /// `pool` outlive it.
  LooseMemory(const sc_core::sc_module_name& name, unsigned ports, unsigned depth, LooseTiming& timing,
              SparseMemory& memory, PayloadPool& pool);

  std::vector<std::unique_ptr<TargetSocket<LooseMemory>>> in;      ///< As Crossbar::sm: SMs, then hub ports.
  std::vector<std::unique_ptr<InitiatorSocket<LooseMemory>>> out;  ///< To the crossbar's, one each.

  L2Observer* observer = nullptr;

  /// A piece of a read or write that comes in at a port without a transaction: takes effect now, begins at `at`;
  /// returns when it is answered.
  Fs access(unsigned port, const LoosePiece& piece, Fs at);

  /// Starts the write-back of every line that is dirty now.
  void flush();
  bool flushing() const { return now() < flushed_; }

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override;
  void list_waits(WaitList& waits) const override;

  // Socket owner.
  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p) { return (*out[port])->transport_dbg(p); }
  void on_accepted(std::size_t port, Payload& p, Fs delay) { in[port]->accept(p, delay); }
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t port, std::uint64_t first, std::uint64_t last) {
    in[port]->announce_debug_write(first, last);
  }

 private:
  /// An answer that is not due yet.
  struct Answer {
    PayloadRef payload;
    Fs begun = 0;  ///< BEGIN_REQ.
  };
  struct Port {
    TimedQueue<Answer> answers;
    std::unique_ptr<Wakeup> deliver;
    std::vector<Fs> served;  ///< When each of the last `depth` requests reached its slice, in a ring.
    std::size_t next = 0;
    std::uint64_t passed_on = 0;  ///< Not answered by the crossbar.
  };

  Admission pass_on(std::size_t port, Payload& p, Fs& delay);
  tlm::tlm_response_status check(const Payload& p) const;
  void perform(Payload& p, ByteMask mask, unsigned slice);
  void perform_words(Payload& p, ByteMask words);
  void deliver(std::size_t port);

  LooseTiming& timing_;
  SparseMemory& memory_;
  PayloadPool& pool_;
  std::vector<Port> ports_;
  Wakeup flush_end_;
  Fs flushed_ = 0;
  std::uint64_t refused_ = 0;
  Histogram load_latency_, store_latency_;
};

}  // namespace gputlm
