// SPDX-License-Identifier: Apache-2.0
//
// The initiator's end of an arrow; tlm/sockets.h tells the whole story.
#pragma once

#include <cstddef>

#include "gputlm/tlm/arrow.h"

namespace gputlm {

/// Port of a unit that starts transactions. Owner: void on_accepted(size_t, Payload&, Fs),
/// bool on_response(size_t, Payload&, Fs), void on_debug_written(size_t, uint64_t first, uint64_t last).
template <class Owner>
class InitiatorSocket : public tlm::tlm_initiator_socket<32>, private tlm::tlm_bw_transport_if<> {
 public:
  InitiatorSocket(const char* name, Owner& owner, std::size_t port = 0)
      : tlm_initiator_socket(name), owner_(owner), port_(port) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

  /// Sends BEGIN_REQ at now + delay. `accepted` and `responded` raise `delay` to when; `responded` carries the status
  /// in the payload and is final. Only when !busy().
  Sent request(Payload& p, Fs& delay) {
    if (waiting_ != nullptr) SC_REPORT_FATAL(name(), "a request is sent while another waits for its END_REQ");
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t = to_sc_time(delay);
    waiting_ = sending_ = &p;
    answered_within_ = false;
    const tlm::tlm_sync_enum result = (*this)->nb_transport_fw(p, phase, t);
    sending_ = nullptr;
    if (result == tlm::TLM_ACCEPTED) {
      if (waiting_ == &p) return Sent::withheld;
      delay = within_delay_;
      return answered_within_ ? Sent::responded : Sent::accepted;
    }
    waiting_ = nullptr;
    delay = to_fs(t);
    if (result == tlm::TLM_UPDATED && phase == tlm::END_REQ) return Sent::accepted;
    check_status(p);
    if (result == tlm::TLM_UPDATED) end_response(p, delay);
    return Sent::responded;
  }

  /// Ends a response that on_response() withheld.
  void end_response(Payload& p, Fs delay) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time t = to_sc_time(delay);
    (*this)->nb_transport_fw(p, phase, t);
  }

  /// A request waits for its END_REQ.
  bool busy() const { return waiting_ != nullptr; }
  /// Forgets a waiting request (reset of the owner).
  void reset() { waiting_ = nullptr; }

 private:
  void check_status(const Payload& p) const {
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      SC_REPORT_ERROR(name(), "a response without a status was received");
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;  // an ignorable extended phase
    if (sending_ == &p) return answer_within_request(p, phase, to_fs(t));
    if (phase == tlm::BEGIN_RESP) check_status(p);
    if (waiting_ == &p) {  // BEGIN_RESP implies END_REQ
      waiting_ = nullptr;
      owner_.on_accepted(port_, p, to_fs(t));
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    return owner_.on_response(port_, p, to_fs(t)) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }

  // A target may answer by a call of its own before it returns. The owner is in the middle of request(), so it learns
  // the answer from the return value and is not called.
  tlm::tlm_sync_enum answer_within_request(const Payload& p, const tlm::tlm_phase& phase, Fs delay) {
    waiting_ = nullptr;
    within_delay_ = delay;
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    check_status(p);
    answered_within_ = true;
    return tlm::TLM_COMPLETED;
  }

  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    owner_.on_debug_written(port_, first, last);
  }

  Owner& owner_;
  const std::size_t port_;
  Payload* waiting_ = nullptr;  // no END_REQ yet
  Payload* sending_ = nullptr;  // inside request()
  bool answered_within_ = false;
  Fs within_delay_ = 0;
};

}  // namespace gputlm
