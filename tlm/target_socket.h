// SPDX-License-Identifier: Apache-2.0
//
// The target's end of an arrow; tlm/sockets.h tells the whole story.
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "gputlm/tlm/arrow.h"
#include "gputlm/tlm/blocking_calls.h"
#include "gputlm/tlm/event_queue.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

/// Port of a unit that serves transactions. Owner: Admission on_request(size_t, Payload&, Fs&), void
/// on_response_taken(size_t, Payload&, Fs), unsigned on_debug(size_t, Payload&).
template <class Owner>
class TargetSocket : public tlm::tlm_target_socket<32>, private tlm::tlm_fw_transport_if<> {
 public:
  TargetSocket(const char* name, Owner& owner, std::size_t port = 0)
      : tlm_target_socket(name),
        arrow((std::string(name) + "_arrow").c_str()),
        owner_(owner),
        port_(port),
        deferred_(std::string(name) + "_deferred", [this] { run_deferred(); }),
        blocking_(std::string(name) + "_changed") {
    bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

  /// Shows every phase on this arrow to its subscribers. Costs one branch per call while nobody listens.
  ArrowPort arrow;

  /// Sends the END_REQ that on_request() withheld.
  void accept(Payload& p, Fs delay = 0) {
    if (pending_ != &p) SC_REPORT_FATAL(name(), "END_REQ for a request that does not wait for one");
    finish_pending();
    show(p, Phase::end_req, delay);
    if (blocking_.find(p) == nullptr) send_end_request(p, delay);
  }

  /// Sends BEGIN_RESP at now + delay; queues it behind one that the initiator has not ended yet. Implies accept().
  void respond(Payload& p, Fs delay = 0) {
    if (BlockingCalls::Call* call = blocking_.find(p)) {
      imply_end_request(p, delay);
      blocking_.answer(*call, now() + delay);
    } else if (responding_ != nullptr || !queued_.empty()) {
      queued_.push_back({PayloadRef(p), now() + delay});
    } else {
      send_response(p, delay);
    }
  }

  /// A request waits for accept().
  bool withholding() const { return pending_ != nullptr; }

  /// Forgets open phases (reset of the owner). Threads blocked here, also those whose turn had not come, return with a
  /// generic error.
  void reset() {
    ++resets_;
    pending_ = responding_ = untold_ = nullptr;
    parked_.reset();
    held_response_.reset();
    queued_.clear();
    response_free_ = 0;
    deferred_.cancel();
    blocking_.abort_all();
  }

  /// Tells initiators upstream that a debug write changed bytes [first, last], so that they refresh their copies.
  void announce_debug_write(std::uint64_t first, std::uint64_t last) {
    (*this)->invalidate_direct_mem_ptr(first, last);
  }

 private:
  using Phase = ArrowEvent::Phase;

  void show(const Payload& p, Phase phase, Fs delay) {
    if (arrow.observed()) arrow.write({&p, phase, now() + delay});
  }

  // -- Requests -------------------------------------------------------------------------------------------------------
  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    if (phase == tlm::END_RESP) return take_end_response(p, to_fs(t));
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable extended phase
    if (!p.has_mm()) SC_REPORT_FATAL(name(), "nb_transport_fw needs a payload with a memory manager");
    check_fresh(p);
    if (pending_ != nullptr || parked_) return park(p, to_fs(t));
    Fs delay = to_fs(t);
    const Admission admission = offer(p, delay);
    if (admission == Admission::withhold) return tlm::TLM_ACCEPTED;
    t = to_sc_time(delay);
    if (admission == Admission::complete) {
      check_answered(p);
      show_response(p, delay);
      return tlm::TLM_COMPLETED;
    }
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  void check_fresh(const Payload& p) const {
    if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
      SC_REPORT_ERROR(name(),
                      "a request with a response status already set; set TLM_INCOMPLETE_RESPONSE before each use");
  }

  Admission offer(Payload& p, Fs& delay) {
    show(p, Phase::begin_req, delay);
    pending_ = &p;
    Admission admission = Admission::complete;
    if (const auto status = check_attributes(p); status != tlm::TLM_OK_RESPONSE)
      p.set_response_status(status);
    else
      admission = owner_.on_request(port_, p, delay);
    if (admission != Admission::withhold) {
      finish_pending();
      show(p, Phase::end_req, delay);
    }
    return admission;
  }

  // A b_transport call does not see the initiator's request exclusion, so its request may be waiting when an nb request
  // arrives: that one waits here until the owner is free.
  tlm::tlm_sync_enum park(Payload& p, Fs delay) {
    if (parked_ || blocking_.find(*pending_) == nullptr)
      SC_REPORT_FATAL(name(), "BEGIN_REQ while another request waits for its END_REQ");
    parked_ = PayloadRef(p);
    parked_time_ = now() + delay;
    return tlm::TLM_ACCEPTED;
  }
  void offer_parked() {
    const PayloadRef p = std::move(parked_);
    Fs delay = std::max<Fs>(0, parked_time_ - now());
    const Admission admission = offer(*p, delay);
    if (admission == Admission::accept) send_end_request(*p, delay);
    if (admission != Admission::complete) return;
    untold_ = p.get();
    respond(*p, delay);
  }

  void send_end_request(Payload& p, Fs delay) {
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time t = to_sc_time(delay);
    (*this)->nb_transport_bw(p, phase, t);
  }
  void finish_pending() {
    pending_ = nullptr;
    if (parked_) deferred_.at(now());
    blocking_.wake();
  }
  void imply_end_request(const Payload& p, Fs delay) {
    if (pending_ != &p) return;
    finish_pending();
    show(p, Phase::end_req, delay);
  }

  // -- Responses ------------------------------------------------------------------------------------------------------
  void check_answered(const Payload& p) const {
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      SC_REPORT_FATAL(name(), "a response is sent without a status");
  }
  void send_response(Payload& p, Fs delay) {
    check_answered(p);
    delay = std::max(delay, response_free_ - now());
    imply_end_request(p, delay);
    show(p, Phase::begin_resp, delay);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time t = to_sc_time(delay);
    responding_ = &p;
    const PayloadRef hold(p);
    const tlm::tlm_sync_enum result = (*this)->nb_transport_bw(p, phase, t);
    if (responding_ != &p) return;  // the initiator ended it with a call of its own
    if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP))
      finish_response(p, to_fs(t));
    else
      held_response_ = hold;
  }

  tlm::tlm_sync_enum take_end_response(Payload& p, Fs delay) {
    if (responding_ != &p) {
      SC_REPORT_ERROR(name(), "END_RESP without a response in progress");
      return tlm::TLM_COMPLETED;
    }
    const PayloadRef hold = std::move(held_response_);
    finish_response(p, delay);
    if (!queued_.empty()) deferred_.at(response_free_);
    return tlm::TLM_COMPLETED;
  }

  void finish_response(Payload& p, Fs delay) {
    responding_ = nullptr;
    response_free_ = now() + delay;
    show(p, Phase::end_resp, delay);
    if (untold_ == &p)
      untold_ = nullptr;
    else
      owner_.on_response_taken(port_, p, delay);
  }

  void show_response(const Payload& p, Fs delay) {
    show(p, Phase::begin_resp, delay);
    show(p, Phase::end_resp, delay);
  }

  void run_deferred() {
    if (parked_ && pending_ == nullptr) offer_parked();
    while (responding_ == nullptr && !queued_.empty()) {
      const auto [p, time] = queued_.pop_front();
      send_response(*p, std::max<Fs>(0, time - now()));
    }
  }

  // -- Blocking transport: the same road as nb_transport, the calling thread waits. Works in every state.
  // ---------------
  void b_transport(Payload& p, sc_core::sc_time& t) override {
    check_fresh(p);
    if (t != sc_core::SC_ZERO_TIME) sc_core::wait(t);
    if (!wait_at_the_door()) {
      p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      t = sc_core::SC_ZERO_TIME;
      return;
    }
    BlockingCalls::Call call;
    blocking_.enter(call, p);
    t = to_sc_time(carry_out(call));
    blocking_.leave(call);
  }

  // False when a reset came before the thread's turn.
  bool wait_at_the_door() {
    const std::uint64_t before = resets_;
    while (resets_ == before && (pending_ != nullptr || parked_)) blocking_.wait();
    return resets_ == before;
  }

  // Returns the annotated rest of the time.
  Fs carry_out(BlockingCalls::Call& call) {
    Payload& p = *call.payload;
    const PayloadRef hold(p);
    Fs delay = 0;
    if (offer(p, delay) == Admission::complete) {
      call.done_at = now() + delay;
      call.owner_told = false;
    }
    while (call.done_at == kNever) blocking_.wait();
    check_answered(p);
    const Fs left = std::max<Fs>(0, call.done_at - now());
    show_response(p, left);
    if (call.owner_told) owner_.on_response_taken(port_, p, left);
    return left;
  }

  // -- Debug and direct access
  // ------------------------------------------------------------------------------------------
  unsigned transport_dbg(Payload& p) override {
    const Fs before = now();
    const unsigned count = owner_.on_debug(port_, p);
    if (now() != before) SC_REPORT_FATAL(name(), "a debug access took simulated time");
    return std::min(count, p.get_data_length());
  }

  /// A timed cache cannot honour direct memory access: refused, reading and writing, for the whole address space.
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override {
    p.set_dmi_allowed(false);
    dmi.init();
    dmi.allow_read_write();
    dmi.set_start_address(0);
    dmi.set_end_address(~sc_dt::uint64{0});
    return false;
  }

  Owner& owner_;
  const std::size_t port_;
  Payload* pending_ = nullptr;     // no END_REQ yet
  Payload* responding_ = nullptr;  // no END_RESP yet
  Payload* untold_ = nullptr;      // its response is the socket's own doing
  PayloadRef parked_, held_response_;
  Fs parked_time_ = 0;
  std::uint64_t resets_ = 0;
  Fs response_free_ = 0;  // effective time of the last END_RESP
  Ring<std::pair<PayloadRef, Fs>> queued_;
  Wakeup deferred_;
  BlockingCalls blocking_;
};

}  // namespace gputlm
