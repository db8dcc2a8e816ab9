// SPDX-License-Identifier: Apache-2.0
//
// The project's sockets with plain ones of tlm_utils, in every lawful dialect of the base protocol.
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include "raw_ends.h"
#include "socket_bench.h"

using namespace gputlm;

namespace {

struct PlainTarget : sc_core::sc_module {
  explicit PlainTarget(const sc_core::sc_module_name& name) : sc_module(name) {}
  void speak_nb() { socket.register_nb_transport_fw(this, &PlainTarget::nb_transport_fw); }
  void speak_b() { socket.register_b_transport(this, &PlainTarget::b_transport); }

  tlm_utils::simple_target_socket<PlainTarget> socket{"socket"};
  Transport on_begin_req = accepted;
  ScriptLog log;

  tlm::tlm_sync_enum send(Payload& p, tlm::tlm_phase_enum to, Fs delay = 0) {
    tlm::tlm_phase phase = to;
    sc_core::sc_time t = to_sc_time(delay);
    if (to == tlm::BEGIN_RESP) p.set_response_status(tlm::TLM_OK_RESPONSE);
    return socket->nb_transport_bw(p, phase, t);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    log.push_back(std::string(phase.get_name()) + " " + std::to_string(now() + to_fs(t)));
    return phase == tlm::BEGIN_REQ ? on_begin_req(p, phase, t) : tlm::TLM_COMPLETED;
  }
  void b_transport(Payload& p, sc_core::sc_time& t) {
    t += to_sc_time(9);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
};

/// A script initiator before a plain target.
struct OutwardBench {
  PayloadPool pool;
  ViolationLog violations;
  ScriptInitiator initiator{"initiator"};
  PlainTarget target{"target"};
  ProtocolChecker checker{"checker", violations};

  OutwardBench() {
    target.speak_nb();
    checker.connect(initiator.socket, target.socket);
  }
  Payload& send(std::uint64_t address = 0x80) {
    PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, address, Operation::load);
    initiator.send(p, now() + 1);
    return *p;
  }
  void expect(const ScriptLog& expected) {
    run_until(100);
    BOOST_TEST(initiator.log == expected, boost::test_tools::per_element());
    for (const Violation& v : violations.violations()) BOOST_TEST(false, name_of(v.rule) << ' ' << v.detail);
    BOOST_TEST(checker.idle());
    BOOST_TEST(pool.outstanding() == 0U);
  }
};

struct PlainInitiator : sc_core::sc_module {
  explicit PlainInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &PlainInitiator::nb_transport_bw);
  }
  tlm_utils::simple_initiator_socket<PlainInitiator> socket{"socket"};
  Transport on_begin_resp = accepted;
  ScriptLog log;

  tlm::tlm_sync_enum send(Payload& p, tlm::tlm_phase_enum to, Fs delay = 0) {
    tlm::tlm_phase phase = to;
    sc_core::sc_time t = to_sc_time(delay);
    return socket->nb_transport_fw(p, phase, t);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    log.push_back(std::string(phase.get_name()) + " " + std::to_string(now() + to_fs(t)));
    return phase == tlm::BEGIN_RESP ? on_begin_resp(p, phase, t) : tlm::TLM_ACCEPTED;
  }
};

/// A manager that owns nothing: the test's payloads live on its stack.
struct StackManager : tlm::tlm_mm_interface {
  void free(Payload* p) override { p->reset(); }
};

/// A plain initiator, whose payloads carry no sideband, before a script target.
struct InwardBench {
  StackManager manager;
  Payload p{&manager}, q{&manager};
  unsigned char data[4] = {};
  ViolationLog violations;
  PlainInitiator initiator{"initiator"};
  ScriptTarget target{"target"};
  ProtocolChecker checker{"checker", violations};

  InwardBench() {
    checker.connect(initiator.socket, target.socket);
    for (Payload* payload : {&p, &q}) {
      payload->set_read();
      payload->set_data_ptr(data);
      payload->set_data_length(4);
      payload->set_streaming_width(4);
      payload->acquire();
    }
    q.set_address(4);
    run_until(1);
  }
  void expect(const ScriptLog& expected) {
    run_until(100);
    BOOST_TEST(initiator.log == expected, boost::test_tools::per_element());
    for (const Violation& v : violations.violations()) BOOST_TEST(false, name_of(v.rule) << ' ' << v.detail);
    BOOST_TEST(checker.idle());
    BOOST_TEST(p.get_ref_count() == 1);
    BOOST_TEST(q.get_ref_count() == 1);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_target_that_speaks_all_four_phases, OutwardBench) {
  Payload& p = send();
  run_until(5);
  target.send(p, tlm::END_REQ, 2);
  run_until(10);
  target.send(p, tlm::BEGIN_RESP, 3);
  expect({"accepted 80 at 7", "responded 80 at 13"});
}

BOOST_FIXTURE_TEST_CASE(a_target_that_updates_to_end_req, OutwardBench) {
  target.on_begin_req = updated(tlm::END_REQ, 4);
  Payload& p = send();
  run_until(10);
  target.send(p, tlm::BEGIN_RESP);
  expect({"accepted 80 at 5", "responded 80 at 10"});
}

BOOST_FIXTURE_TEST_CASE(a_target_that_updates_to_begin_resp, OutwardBench) {
  target.on_begin_req = updated(tlm::BEGIN_RESP, 4);
  send();
  expect({"responded 80 at 5"});
  BOOST_TEST(target.log == (ScriptLog{"BEGIN_REQ 1", "END_RESP 5"}), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_target_that_completes, OutwardBench) {
  target.on_begin_req = [](Payload& p, tlm::tlm_phase&, sc_core::sc_time& t) {
    t += to_sc_time(6);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  send();
  expect({"responded 80 at 7"});
}

BOOST_FIXTURE_TEST_CASE(a_target_that_responds_without_end_req, OutwardBench) {
  Payload& p = send();
  run_until(5);
  BOOST_TEST(target.send(p, tlm::BEGIN_RESP, 2) == tlm::TLM_COMPLETED);
  expect({"accepted 80 at 7", "responded 80 at 7"});
}

BOOST_FIXTURE_TEST_CASE(a_target_that_calls_back_end_req_before_it_returns, OutwardBench) {
  target.on_begin_req = [this](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    target.send(p, tlm::END_REQ, 2);
    return tlm::TLM_ACCEPTED;
  };
  Payload& p = send();
  run_until(10);
  target.send(p, tlm::BEGIN_RESP);
  expect({"accepted 80 at 3", "responded 80 at 10"});
}

BOOST_FIXTURE_TEST_CASE(a_target_that_calls_back_begin_resp_before_it_returns, OutwardBench) {
  target.on_begin_req = [this](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    BOOST_TEST(target.send(p, tlm::BEGIN_RESP, 2) == tlm::TLM_COMPLETED);
    return tlm::TLM_ACCEPTED;
  };
  send();
  send(0x100);
  expect({"responded 80 at 3", "responded 100 at 3"});
}

BOOST_FIXTURE_TEST_CASE(a_target_that_calls_back_end_req_and_returns_the_response, OutwardBench) {
  target.on_begin_req = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    target.send(p, tlm::END_REQ, 2);
    return updated(tlm::BEGIN_RESP, 3)(p, phase, t);
  };
  send();
  expect({"responded 80 at 4"});
}

BOOST_AUTO_TEST_CASE(a_target_that_speaks_only_b_transport) {
  PayloadPool pool;
  ScriptInitiator initiator("initiator");
  PlainTarget target("target");
  target.speak_b();
  initiator.socket.bind(target.socket);
  for (const std::uint64_t a : {0x80, 0x100, 0x180})
    initiator.send(pool.line(tlm::TLM_READ_COMMAND, a, Operation::load), 1);
  run_until(1000);
  BOOST_TEST(initiator.log.size() == 6U);
  BOOST_TEST(initiator.log.back() == "responded 180 at 28");  // the adapter of tlm_utils serves one at a time
  BOOST_TEST(pool.outstanding() == 0U);
}

BOOST_FIXTURE_TEST_CASE(an_initiator_that_ends_responses_late, InwardBench) {
  BOOST_TEST(initiator.send(p, tlm::BEGIN_REQ, 1) == tlm::TLM_UPDATED);
  BOOST_TEST(initiator.send(q, tlm::BEGIN_REQ, 1) == tlm::TLM_UPDATED);
  run_until(10);
  target.respond();
  target.respond();
  run_until(20);
  BOOST_TEST(initiator.send(p, tlm::END_RESP, 5) == tlm::TLM_COMPLETED);
  run_until(30);
  BOOST_TEST(initiator.send(q, tlm::END_RESP) == tlm::TLM_COMPLETED);
  expect({"BEGIN_RESP 10", "BEGIN_RESP 25"});
}

BOOST_FIXTURE_TEST_CASE(an_initiator_that_updates_to_end_resp, InwardBench) {
  initiator.on_begin_resp = updated(tlm::END_RESP, 6);
  initiator.send(p, tlm::BEGIN_REQ);
  initiator.send(q, tlm::BEGIN_REQ);
  run_until(10);
  target.respond();
  target.respond();  // not before the first has ended
  expect({"BEGIN_RESP 10", "BEGIN_RESP 16"});
  BOOST_TEST(target.log.back() == "taken 4 at 16");
}

BOOST_FIXTURE_TEST_CASE(an_initiator_that_completes, InwardBench) {
  initiator.on_begin_resp = completed;
  initiator.send(p, tlm::BEGIN_REQ);
  run_until(10);
  target.respond();
  expect({"BEGIN_RESP 10"});
  BOOST_TEST(target.log.back() == "taken 0 at 10");
}

BOOST_FIXTURE_TEST_CASE(an_initiator_that_calls_end_resp_before_it_returns, InwardBench) {
  initiator.on_begin_resp = [this](Payload& payload, tlm::tlm_phase&, sc_core::sc_time&) {
    initiator.send(payload, tlm::END_RESP, 2);
    return tlm::TLM_ACCEPTED;
  };
  initiator.send(p, tlm::BEGIN_REQ);
  initiator.send(q, tlm::BEGIN_REQ);
  run_until(10);
  target.respond();
  target.respond();
  expect({"BEGIN_RESP 10", "BEGIN_RESP 12"});
}

BOOST_FIXTURE_TEST_CASE(an_initiator_that_waits_for_end_req, InwardBench) {
  initiator.on_begin_resp = completed;
  target.admission = Admission::withhold;
  BOOST_TEST(initiator.send(p, tlm::BEGIN_REQ) == tlm::TLM_ACCEPTED);
  run_until(10);
  target.accept(3);
  BOOST_TEST(initiator.send(q, tlm::BEGIN_REQ, 3) == tlm::TLM_ACCEPTED);
  run_until(20);
  target.respond();
  target.respond();  // q's END_REQ is implied
  expect({"END_REQ 13", "BEGIN_RESP 20", "BEGIN_RESP 20"});
}

BOOST_FIXTURE_TEST_CASE(an_ignorable_phase_changes_nothing, InwardBench) {
  initiator.on_begin_resp = completed;
  tlm::tlm_phase extended(tlm::END_RESP + 100);
  sc_core::sc_time t;
  initiator.send(p, tlm::BEGIN_REQ);
  BOOST_TEST(initiator.socket->nb_transport_fw(p, extended, t) == tlm::TLM_ACCEPTED);
  target.respond();
  expect({"BEGIN_RESP 1"});
}
