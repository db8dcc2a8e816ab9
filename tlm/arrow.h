// SPDX-License-Identifier: Apache-2.0
//
// What both ends of an arrow share: the answers, and what an observer of the arrow sees.
#pragma once

#include <cstdint>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// What a target does with a request: take it at now + delay (which it may raise), let the initiator wait (END_REQ
/// withheld until accept()), or finish it at once (status set; nothing further follows).
enum class Admission : std::uint8_t { accept, withhold, complete };

/// What became of a request at the initiator's side.
enum class Sent : std::uint8_t { accepted, withheld, responded };

/// One phase on an arrow, as its analysis port shows it. Every transaction shows all four, in order, whatever short cut
/// was taken: a phase that another one implies (END_REQ by an early BEGIN_RESP, all by TLM_COMPLETED) is shown at the
/// time of the one that implies it.
struct ArrowEvent {
  const Payload* payload;
  enum class Phase : std::uint8_t { begin_req, end_req, begin_resp, end_resp } phase;
  Fs time;  ///< Effective time: now plus annotation.
};

/// The analysis port of an arrow; knows whether anybody listens.
class ArrowPort : public tlm::tlm_analysis_port<ArrowEvent> {
 public:
  using tlm_analysis_port::tlm_analysis_port;
  void bind(tlm::tlm_analysis_if<ArrowEvent>& subscriber) override {
    tlm_analysis_port::bind(subscriber);
    observed_ = true;
  }
  bool observed() const { return observed_; }

 private:
  bool observed_ = false;
};

}  // namespace gputlm
