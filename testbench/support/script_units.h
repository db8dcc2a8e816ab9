// SPDX-License-Identifier: Apache-2.0
//
// Two well-behaved ends for an arrow, built on the project's sockets, that do what a test tells them and log what they
// see, one line an event: "accepted 80 at 10" is address 0x80 at 10 fs.
#pragma once

#include <string>
#include <vector>

#include "gputlm/tlm/sockets.h"

namespace gputlm {

using ScriptLog = std::vector<std::string>;

/// Sends payloads in order, each as soon as the arrow allows. Log: accepted, responded (with the status unless OK).
class ScriptInitiator : public sc_core::sc_module {
 public:
  explicit ScriptInitiator(const sc_core::sc_module_name& name);

  /// Sends not before time `at`. The payload is held until its response.
  void send(PayloadRef p, Fs at = 0);
  /// Ends the oldest response that was held back.
  void end_response(Fs delay = 0);

  InitiatorSocket<ScriptInitiator> socket;
  bool takes_responses = true;  ///< False: withholds END_RESP until end_response().
  ScriptLog log;

  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t port, std::uint64_t first, std::uint64_t last);

 private:
  void send_next();
  void note_response(const Payload& p, Fs delay);
  void drop(const Payload& p);

  TimedQueue<PayloadRef> to_send_;
  std::vector<PayloadRef> in_flight_, held_;
  Wakeup wakeup_;
};

/// Answers requests with OK after a latency, or when told. Log: request, taken.
class ScriptTarget : public sc_core::sc_module {
 public:
  explicit ScriptTarget(const sc_core::sc_module_name& name);

  /// Accepts the withheld request.
  void accept(Fs delay = 0);
  /// Answers the oldest request not yet answered.
  void respond(Fs delay = 0, tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE);
  /// Forgets everything, socket included.
  void reset();

  TargetSocket<ScriptTarget> socket;
  Admission admission = Admission::accept;  ///< What on_request answers.
  Fs accept_after = 0;                      ///< Added to a request's annotation where it is accepted or completed.
  Fs latency = kNever;  ///< From the accepted request to its answer; kNever: when respond() is called.
  ScriptLog log;

  Admission on_request(std::size_t port, Payload& p, Fs& delay);
  void on_response_taken(std::size_t port, Payload& p, Fs delay);
  unsigned on_debug(std::size_t port, Payload& p);

 private:
  void answer_due();

  PayloadRef withheld_;
  Ring<PayloadRef> unanswered_;
  TimedQueue<PayloadRef> due_;
  Wakeup wakeup_;
};

}  // namespace gputlm
