// SPDX-License-Identifier: Apache-2.0
//
// The card's way to the host's memory, on which it also sends interrupts: a message is a posted write of 4 bytes to one
// address (MSI), so it stays behind all that the card wrote before it. A message is taken here and becomes a pulse on a
// line, once the memory has answered what was written before it; everything else passes through in the same call, its
// payload untouched.
#pragma once

#include <map>
#include <unordered_set>

#include "gputlm/tlm/sockets.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// Statistics: messages.
class MessageInterrupt : public Unit {
 public:
  /// `address`: where messages go, a multiple of 4.
  MessageInterrupt(const sc_core::sc_module_name& name, std::uint64_t address);

  TargetSocket<MessageInterrupt> requests;   ///< From the link.
  InitiatorSocket<MessageInterrupt> memory;  ///< To the host's memory.

  /// Up for one delta cycle per message; the next message's pulse follows after one below.
  sc_core::sc_signal<bool> line{"line"};
  /// What each message says, in the moment in which it arrives.
  tlm::tlm_analysis_port<std::uint32_t> values{"values"};

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return messages_.empty() && !requests.withholding(); }
  void list_waits(WaitList& waits) const override;

  // Socket owner.
  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t /*port*/, Payload& /*p*/, Fs /*delay*/) {}
  unsigned on_debug(std::size_t /*port*/, Payload& p) { return memory->transport_dbg(p); }
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t /*port*/, std::uint64_t first, std::uint64_t last) {
    requests.announce_debug_write(first, last);
  }

 private:
  struct Message {
    Fs arrived = 0;
    std::uint32_t value = 0;
    std::uint64_t behind = 0;  ///< Writes with lower numbers come before it.
  };

  /// A request whose END_REQ is passed on in an event of its own.
  struct Accepted {
    PayloadRef payload;
    Fs at = 0;
  };

  bool is_message(const Payload& p) const;
  void take(const Payload& message, Fs at);
  /// False for an answer that nobody waits for.
  bool answered(const Payload& p);
  void forget_all();
  bool may_pulse() const;
  void pulse();
  void accept_late();

  const std::uint64_t address_;
  Ring<Message> messages_;
  std::map<std::uint64_t, const Payload*> writes_;  ///< Not answered, by number.
  std::uint64_t next_write_ = 0;
  std::unordered_set<const Payload*> reads_;  ///< Not answered.
  std::unordered_set<const Payload*> owed_;   ///< Not answered when a reset came: their answers are dropped.
  Wakeup wakeup_;
  Accepted accepted_;
  Wakeup accept_;
  bool up_ = false;  ///< What was last written to the line, whose value follows a delta cycle later.
  Fs withheld_since_ = kNever;
  std::uint64_t count_ = 0;
};

}  // namespace gputlm
