// SPDX-License-Identifier: Apache-2.0
//
// An initiator of line transactions, as a user's own SM model has.
#pragma once

#include <algorithm>
#include <functional>

#include "gputlm/tlm/sockets.h"

namespace gputlm::test {

struct LineInitiator : sc_core::sc_module {
  explicit LineInitiator(const sc_core::sc_module_name& name) : sc_module(name) {}
  InitiatorSocket<LineInitiator> out{"out", *this};
  std::function<void(Payload&)> accepted = [](Payload&) {}, answered = [](Payload&) {};

  /// Sends it, no sooner than the arrow allows; only when none waits for its END_REQ.
  void send(Payload& p) {
    Fs delay = std::max<Fs>(0, free_at_ - now());
    const Sent sent = out.request(p, delay);
    if (sent == Sent::withheld) return;
    free_at_ = now() + delay;
    accepted(p);
    if (sent == Sent::responded) answered(p);
  }

  // Socket owner.
  void on_accepted(std::size_t, Payload& p, Fs delay) {
    free_at_ = now() + delay;
    accepted(p);
  }
  bool on_response(std::size_t, Payload& p, Fs) {
    answered(p);
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}

 private:
  Fs free_at_ = 0;
};

}  // namespace gputlm::test
