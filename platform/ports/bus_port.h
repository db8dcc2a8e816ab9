// SPDX-License-Identifier: Apache-2.0
//
// A port for other people's initiators: any transaction of the generic payload on one side, line transactions on the
// other.
//
// Taken: READ and WRITE of any address, length and alignment, with byte enables of any length or none; a burst that
// crosses lines travels as one transaction per line and is answered once, when all of them are answered, with the worst
// of their statuses. With a sideband also reductions, atomics and a system barrier. TLM_IGNORE_COMMAND without a
// meaning for this model is answered OK and does nothing, as TLM allows. The caller's payload stays here: lines carry
// copies of its sideband, and whatever else it has attached is never touched. Narrow and wide sockets: width_adapter.h.
//
// Refused: a streaming width below the length (burst error), an address beyond `bytes` (address error, nothing is
// done), a command that does not fit its sideband's operation, warp accesses, fences and invalidations (command error:
// they are an SM's own).
//
// Back-pressure: END_REQ comes when the last line of a burst has been taken below, and no line leaves while
// `outstanding_lines` are not answered. One burst at a time stands at the door; responses may overtake each other.
#pragma once

#include <unordered_map>

#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Parameters of a port; they follow from the card's.
struct BusPortSpec {
  std::uint64_t bytes = 0;         ///< Addresses 0 to bytes - 1 are served.
  unsigned outstanding_lines = 0;  ///< Lines sent and not answered.
  bool byte_exact_loads = false;   ///< A load asks for its bytes, not for whole sectors.
};

/// Statistics: requests, lines, bytes, refused, latencies, time at the door.
class BusPort : public Unit {
 public:
  BusPort(const sc_core::sc_module_name& name, const BusPortSpec& spec, PayloadPool& pool);

  TargetSocket<BusPort> bus;       ///< From anybody.
  InitiatorSocket<BusPort> lines;  ///< Line transactions.

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return bursts_.empty(); }
  void list_waits(WaitList& waits) const override;

  // Socket owner.
  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t port, Payload& p);
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t port, std::uint64_t first, std::uint64_t last);

 private:
  enum class Stall : std::uint8_t { lines };
  /// A transaction from its request to its response.
  struct Burst {
    PayloadRef payload;
    Fs begun = 0;        ///< BEGIN_REQ.
    unsigned bytes = 0;  ///< From the address on; a compare-and-swap's data have twice as many.
    unsigned sent = 0;   ///< Bytes that lines have been made for.
    unsigned unanswered = 0;
    bool barrier = false;  ///< One line without an address or data.
    bool executed = true;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    Fs done = 0;  ///< Effective time of the last answer so far.
  };
  /// The part of a burst that lies in one line.
  struct Piece {
    std::uint64_t line;
    unsigned first, count;  ///< Bytes of the line.
    unsigned offset;        ///< Of the first within the burst.
    ByteMask mask;          ///< Enabled bytes of the line.
  };

  // bus_port.cpp: the bus's side
  tlm::tlm_response_status check(const Payload& p) const;
  bool in_range(std::uint64_t address, std::uint64_t bytes) const {
    return address < spec_.bytes && bytes <= spec_.bytes - address;
  }
  void run();
  void answer_due();

  // bus_port_lines.cpp: the lines' side
  static Piece piece_at(const Burst& burst, unsigned offset);
  static bool skip_disabled(Burst& burst);
  bool pump();
  void send(Burst& burst);
  PayloadRef make_line(const Burst& burst, const Piece& piece);
  void take_answer(Burst& burst, const Payload& line, Fs at);
  static void take_data(const Burst& burst, const Payload& line);
  void answer_if_done(const Burst& burst, std::uint64_t number);

  const BusPortSpec spec_;
  PayloadPool& pool_;
  std::unordered_map<std::uint64_t, Burst> bursts_;  ///< By number.
  std::uint64_t next_number_ = 0;
  Burst* entering_ = nullptr;  ///< At the door: its END_REQ has not been given.
  std::uint64_t entering_number_ = 0;
  std::unordered_map<const Payload*, PayloadRef> under_way_;  ///< Lines not answered.
  Fs lines_free_ = 0;                                         ///< The next line may be sent.
  TimedQueue<std::uint64_t> due_;
  Wakeup wake_;

  std::uint64_t requests_ = 0, line_count_ = 0, bytes_ = 0, refused_ = 0;
  StallClock<Stall, 1> stall_;
  Histogram read_latency_, write_latency_;
};

}  // namespace gputlm
