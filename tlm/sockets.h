// SPDX-License-Identifier: Apache-2.0
//
// The project's sockets: 32-bit TLM-2.0 sockets that speak the four-phase base protocol for their owner, check it always,
// and show every call on an analysis port. The owner sees requests and responses, not phases:
//
//   initiator                                        target
//   request(p, delay) ---- BEGIN_REQ -------------->  owner.on_request(port, p, delay)
//     returns accepted/withheld/responded                returns accept, withhold or complete
//   owner.on_accepted(port, p, delay) <-- END_REQ ---  accept(p, delay)        (later, if withheld)
//   owner.on_response(port, p, delay) <-- BEGIN_RESP   respond(p, delay)
//     returns true: taken (COMPLETED)
//     returns false: withheld; later end_response() -- END_RESP -> owner.on_response_taken(port, p, delay)
//
// Delays are annotations in femtoseconds from now; on one arrow the effective times never decrease. A withheld END_REQ is
// the only back-pressure. Nobody calls back on the arrow it is being called on: on_request answers by its return value,
// on_response by its return value, everything else comes from an event of the owner's.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/tlm/event_queue.h"
#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// One call on an arrow, as its analysis port shows it.
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

/// What a target does with a request: take it at now + delay (which it may raise), let the initiator wait (END_REQ
/// withheld until accept()), or finish it at once (status set; nothing further follows).
enum class Admission : std::uint8_t { accept, withhold, complete };

/// What became of a request at the initiator's side.
enum class Sent : std::uint8_t { accepted, withheld, responded };

/// Port of a unit that starts transactions. Owner: void on_accepted(size_t, Payload&, Fs),
/// bool on_response(size_t, Payload&, Fs), void on_debug_written(size_t, uint64_t first, uint64_t last).
template <class Owner>
class InitiatorSocket : public tlm::tlm_initiator_socket<32>, private tlm::tlm_bw_transport_if<> {
 public:
  InitiatorSocket(const char* name, Owner& owner, std::size_t port = 0)
      : tlm_initiator_socket(name), owner_(owner), port_(port) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

  /// Sends BEGIN_REQ at now + delay. `accepted` and `responded` raise `delay` to when; `responded` carries the status in
  /// the payload and is final. Only when !busy().
  Sent request(Payload& p, Fs& delay) {
    if (waiting_ != nullptr) SC_REPORT_FATAL(name(), "a request is sent while another waits for its END_REQ");
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t = to_sc_time(delay);
    waiting_ = &p;
    switch ((*this)->nb_transport_fw(p, phase, t)) {
      case tlm::TLM_ACCEPTED:
        return waiting_ == nullptr ? Sent::accepted : Sent::withheld;
      case tlm::TLM_UPDATED:
        waiting_ = nullptr;
        delay = to_fs(t);
        if (phase == tlm::END_REQ) return Sent::accepted;
        if (phase == tlm::BEGIN_RESP) send_end_response(p, t);
        return Sent::responded;
      case tlm::TLM_COMPLETED:
      default:
        waiting_ = nullptr;
        delay = to_fs(t);
        return Sent::responded;
    }
  }

  /// Ends a response that on_response() withheld.
  void end_response(Payload& p, Fs delay) { send_end_response(p, to_sc_time(delay)); }

  /// A request waits for its END_REQ.
  bool busy() const { return waiting_ != nullptr; }
  /// Forgets a waiting request (reset of the owner).
  void reset() { waiting_ = nullptr; }

 private:
  void send_end_response(Payload& p, sc_core::sc_time t) {
    tlm::tlm_phase phase = tlm::END_RESP;
    (*this)->nb_transport_fw(p, phase, t);
  }

  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    if (phase == tlm::END_REQ) {
      if (waiting_ == &p) {
        waiting_ = nullptr;
        owner_.on_accepted(port_, p, to_fs(t));
      }
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;  // an ignorable extended phase
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      SC_REPORT_ERROR(name(), "a response without a status was received");
    if (waiting_ == &p) {  // BEGIN_RESP implies END_REQ
      waiting_ = nullptr;
      owner_.on_accepted(port_, p, to_fs(t));
    }
    return owner_.on_response(port_, p, to_fs(t)) ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    owner_.on_debug_written(port_, first, last);
  }

  Owner& owner_;
  const std::size_t port_;
  Payload* waiting_ = nullptr;
};

/// Port of a unit that serves transactions. Owner: Admission on_request(size_t, Payload&, Fs&), void
/// on_response_taken(size_t, Payload&, Fs), unsigned on_debug(size_t, Payload&).
template <class Owner>
class TargetSocket : public tlm::tlm_target_socket<32>, private tlm::tlm_fw_transport_if<>, private tlm::tlm_mm_interface {
 public:
  TargetSocket(const char* name, Owner& owner, std::size_t port = 0)
      : tlm_target_socket(name),
        arrow((std::string(name) + "_arrow").c_str()),
        owner_(owner),
        port_(port),
        free_event_((std::string(name) + "_free").c_str()) {
    bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }

  /// Shows every phase on this arrow to its subscribers. Costs one branch per call while nobody listens.
  ArrowPort arrow;

  /// Sends the END_REQ that on_request() withheld.
  void accept(Payload& p, Fs delay = 0) {
    finish_pending();
    if (blocking(p) != nullptr) return;
    show(p, ArrowEvent::Phase::end_req, delay);
    tlm::tlm_phase phase = tlm::END_REQ;
    sc_core::sc_time t = to_sc_time(delay);
    (*this)->nb_transport_bw(p, phase, t);
  }

  /// Sends BEGIN_RESP at now + delay; queues it behind one that the initiator has not ended yet.
  void respond(Payload& p, Fs delay = 0) {
    if (Blocking* b = blocking(p)) {
      b->done_at = now() + delay;
      b->progress.notify(sc_core::SC_ZERO_TIME);
      return;
    }
    if (responding_ != nullptr || !queued_.empty()) {
      queued_.push_back({PayloadRef(p), now() + delay});
      return;
    }
    send_response(p, delay);
  }

  /// A request waits for accept().
  bool withholding() const { return pending_ != nullptr; }
  /// Forgets open phases (reset of the owner).
  void reset() {
    pending_ = nullptr;
    responding_ = nullptr;
    queued_.clear();
  }
  /// Tells initiators upstream that a debug write changed bytes [first, last], so that they refresh their copies.
  void announce_debug_write(std::uint64_t first, std::uint64_t last) { (*this)->invalidate_direct_mem_ptr(first, last); }

 private:
  struct Blocking {
    Payload* payload;
    Fs done_at = kNever;
    sc_core::sc_event progress{"blocking_progress"};
  };

  void show(const Payload& p, ArrowEvent::Phase phase, Fs delay) {
    if (arrow.observed()) arrow.write({&p, phase, now() + delay});
  }
  Blocking* blocking(const Payload& p) const {
    for (Blocking* b : blocking_)
      if (b->payload == &p) return b;
    return nullptr;
  }

  void send_response(Payload& p, Fs delay) {
    if (p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE)
      SC_REPORT_FATAL(name(), "a response is sent without a status");
    show(p, ArrowEvent::Phase::begin_resp, delay);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time t = to_sc_time(delay);
    responding_ = &p;
    const tlm::tlm_sync_enum result = (*this)->nb_transport_bw(p, phase, t);
    if (responding_ != &p) return;  // the initiator ended it with a call of its own
    if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP)) {
      responding_ = nullptr;
      show(p, ArrowEvent::Phase::end_resp, to_fs(t));
      owner_.on_response_taken(port_, p, to_fs(t));
    } else {
      held_response_ = PayloadRef(p);
    }
  }

  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    if (phase == tlm::END_RESP) return take_end_response(p, t);
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable extended phase
    if (!p.has_mm()) SC_REPORT_FATAL(name(), "nb_transport_fw needs a payload with a memory manager");
    if (pending_ != nullptr) SC_REPORT_FATAL(name(), "BEGIN_REQ while another request waits for its END_REQ");
    if (p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
      SC_REPORT_ERROR(name(), "BEGIN_REQ with a response status already set");
    Fs delay = to_fs(t);
    show(p, ArrowEvent::Phase::begin_req, delay);
    pending_ = &p;
    const Admission admission = owner_.on_request(port_, p, delay);
    if (admission == Admission::withhold) return tlm::TLM_ACCEPTED;
    finish_pending();
    t = to_sc_time(delay);
    if (admission == Admission::complete) {
      show(p, ArrowEvent::Phase::end_resp, delay);
      return tlm::TLM_COMPLETED;
    }
    show(p, ArrowEvent::Phase::end_req, delay);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }

  tlm::tlm_sync_enum take_end_response(Payload& p, const sc_core::sc_time& t) {
    if (responding_ != &p) {
      SC_REPORT_ERROR(name(), "END_RESP without a response in progress");
      return tlm::TLM_COMPLETED;
    }
    responding_ = nullptr;
    show(p, ArrowEvent::Phase::end_resp, to_fs(t));
    owner_.on_response_taken(port_, p, to_fs(t));
    held_response_.reset();
    if (!queued_.empty()) {
      if (!drain_) drain_ = std::make_unique<Wakeup>(std::string(basename()) + "_responses", [this] { drain_queued(); });
      drain_->at(now() + to_fs(t));
    }
    return tlm::TLM_COMPLETED;
  }
  void drain_queued() {
    while (responding_ == nullptr && !queued_.empty()) {
      auto [p, time] = queued_.pop_front();
      send_response(*p, std::max<Fs>(0, time - now()));
    }
  }

  /// Blocking transport: the same road as nb_transport, the calling thread waits. Works in every state. A payload
  /// without a memory manager is lent this socket's for the duration of the call.
  void b_transport(Payload& p, sc_core::sc_time& t) override {
    if (t != sc_core::SC_ZERO_TIME) sc_core::wait(t);
    t = sc_core::SC_ZERO_TIME;
    ++blocked_callers_;
    while (pending_ != nullptr) sc_core::wait(free_event_);
    --blocked_callers_;
    const bool attached = find_sideband(p) == nullptr;
    sideband_of(p);
    const bool lent = !p.has_mm();
    if (lent) p.set_mm(this);
    Blocking call{&p};
    blocking_.push_back(&call);
    {
      PayloadRef hold(p);
      pending_ = &p;
      Fs delay = 0;
      show(p, ArrowEvent::Phase::begin_req, 0);
      const Admission admission = owner_.on_request(port_, p, delay);
      if (admission != Admission::withhold) finish_pending();
      if (admission == Admission::complete) call.done_at = now() + delay;
      while (call.done_at == kNever) sc_core::wait(call.progress);
      const Fs left = std::max<Fs>(0, call.done_at - now());
      show(p, ArrowEvent::Phase::end_resp, left);
      t = to_sc_time(left);
      if (admission != Admission::complete) owner_.on_response_taken(port_, p, left);
    }
    while (lent && p.get_ref_count() > 0) sc_core::wait(call.progress);
    blocking_.erase(std::find(blocking_.begin(), blocking_.end(), &call));
    if (lent) p.set_mm(nullptr);
    if (attached) {
      Sideband* s = find_sideband(p);
      p.clear_extension(s);
      delete s;
    }
  }
  void free(Payload* p) override {  // the last reference to a lent payload is gone; its thread owns it
    if (Blocking* b = blocking(*p)) b->progress.notify(sc_core::SC_ZERO_TIME);
  }
  void finish_pending() {
    pending_ = nullptr;
    if (blocked_callers_ > 0) free_event_.notify(sc_core::SC_ZERO_TIME);
  }

  unsigned transport_dbg(Payload& p) override { return owner_.on_debug(port_, p); }

  /// A timed cache cannot honour direct memory access: refused for the whole address space.
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override {
    p.set_dmi_allowed(false);
    dmi.init();
    dmi.set_start_address(0);
    dmi.set_end_address(~sc_dt::uint64{0});
    return false;
  }

  Owner& owner_;
  const std::size_t port_;
  Payload* pending_ = nullptr;
  Payload* responding_ = nullptr;
  PayloadRef held_response_;
  std::vector<Blocking*> blocking_;
  unsigned blocked_callers_ = 0;
  Ring<std::pair<PayloadRef, Fs>> queued_;
  std::unique_ptr<Wakeup> drain_;
  sc_core::sc_event free_event_;
};

}  // namespace gputlm
