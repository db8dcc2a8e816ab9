// SPDX-License-Identifier: Apache-2.0
//
// The two ends of an arrow at the level of interface calls, scriptable to any misbehaviour, with a protocol checker in
// between.
#pragma once

#include "gputlm/test_support/sc_test.h"
//
#include <cstring>
#include <functional>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

using Transport = std::function<tlm::tlm_sync_enum(Payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

inline tlm::tlm_sync_enum accepted(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_ACCEPTED;
}
inline tlm::tlm_sync_enum completed(Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
  return tlm::TLM_COMPLETED;
}

/// Answers TLM_UPDATED with a phase, and an OK status where that phase is a response.
inline Transport updated(tlm::tlm_phase_enum to, Fs delay = 0) {
  return [=](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    phase = to;
    t = to_sc_time(delay);
    if (to == tlm::BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_UPDATED;
  };
}

class RawInitiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<> {
 public:
  explicit RawInitiator(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }
  tlm::tlm_initiator_socket<32> socket;
  Transport on_call = accepted;
  unsigned invalidations = 0;

  tlm::tlm_sync_enum send(Payload& p, tlm::tlm_phase phase, Fs delay = 0) {
    sc_core::sc_time t = to_sc_time(delay);
    return socket->nb_transport_fw(p, phase, t);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    return on_call(p, phase, t);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override { ++invalidations; }
};

class RawTarget : public sc_core::sc_module, private tlm::tlm_fw_transport_if<> {
 public:
  explicit RawTarget(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  }
  tlm::tlm_target_socket<32> socket;
  Transport on_call = accepted;
  std::function<void(Payload&, sc_core::sc_time&)> on_blocking = [](Payload& p, sc_core::sc_time&) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  std::function<unsigned(Payload&)> on_debug = [](Payload& p) { return p.get_data_length(); };
  std::function<bool(Payload&, tlm::tlm_dmi&)> on_direct = [](Payload&, tlm::tlm_dmi&) { return false; };

  tlm::tlm_sync_enum send(Payload& p, tlm::tlm_phase phase, Fs delay = 0) {
    sc_core::sc_time t = to_sc_time(delay);
    return socket->nb_transport_bw(p, phase, t);
  }
  /// BEGIN_RESP with a status.
  tlm::tlm_sync_enum respond(Payload& p, Fs delay = 0, tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE) {
    p.set_response_status(status);
    return send(p, tlm::BEGIN_RESP, delay);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    return on_call(p, phase, t);
  }
  void b_transport(Payload& p, sc_core::sc_time& t) override { on_blocking(p, t); }
  unsigned transport_dbg(Payload& p) override { return on_debug(p); }
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override { return on_direct(p, dmi); }
};

/// An arrow with a checker on it.
struct CheckedArrow {
  CheckedArrow() {
    checker.connect(initiator.socket, target.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  ViolationLog log;
  PayloadPool pool;
  RawInitiator initiator{"initiator"};
  ProtocolChecker checker{"checker", log};
  RawTarget target{"target"};

  PayloadRef store(std::uint64_t address = 0x1000) {
    PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, address, Operation::store);
    std::memset(p->get_data_ptr(), 0x5a, kLineBytes);
    set_enables(*p, ByteMask{0x00ff00ff00ff00ffULL, 1});
    return p;
  }
  /// A store whose BEGIN_REQ has passed.
  PayloadRef begun_store(std::uint64_t address = 0x1000) {
    PayloadRef p = store(address);
    initiator.send(*p, tlm::BEGIN_REQ);
    return p;
  }
  /// A store whose request is done.
  PayloadRef accepted_store(std::uint64_t address = 0x1000) {
    PayloadRef p = begun_store(address);
    target.send(*p, tlm::END_REQ);
    return p;
  }
  /// A store whose response is under way.
  PayloadRef answered_store(std::uint64_t address = 0x1000) {
    PayloadRef p = accepted_store(address);
    target.respond(*p);
    return p;
  }

  /// This rule was broken, once, and no other.
  void fires(ProtocolRule rule) const {
    BOOST_TEST(log.count(rule) == 1, name_of(rule) << " fired " << log.count(rule) << " times");
    for (const Violation& v : log.violations()) BOOST_TEST((v.rule == rule), "also broken: " << name_of(v.rule));
  }
  void is_quiet() const {
    for (const Violation& v : log.violations()) BOOST_TEST(false, "broken: " << name_of(v.rule) << ' ' << v.detail);
    BOOST_TEST(log.total() == 0);
    BOOST_TEST(checker.idle());
  }
};

/// Runs in a thread process and lets the simulation go on for 1 us.
template <class Body>
void in_thread(Body body) {
  sc_core::sc_spawn(body, "thread");
  run_until(now() + 1000 * kFsPerNs);
}

}  // namespace gputlm
