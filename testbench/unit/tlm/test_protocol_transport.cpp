// SPDX-License-Identifier: Apache-2.0
//
// Rules about blocking transport, debug and direct memory access, and about errors over several arrows.
#include "raw_ends.h"

using namespace gputlm;
using Rule = ProtocolRule;

BOOST_FIXTURE_TEST_CASE(no_b_transport_in_an_nb_sequence, CheckedArrow) {
  const PayloadRef p = begun_store();
  in_thread([&] {
    sc_core::sc_time t;
    initiator.socket->b_transport(*p, t);
  });
  fires(Rule::mixed_transport);
}

BOOST_FIXTURE_TEST_CASE(no_begin_req_in_b_transport, CheckedArrow) {
  const PayloadRef p = store();
  target.on_blocking = [this](Payload& q, sc_core::sc_time&) {
    initiator.send(q, tlm::BEGIN_REQ);
    q.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  in_thread([&] {
    sc_core::sc_time t;
    initiator.socket->b_transport(*p, t);
  });
  fires(Rule::mixed_transport);
}

BOOST_FIXTURE_TEST_CASE(no_begin_resp_in_b_transport, CheckedArrow) {
  initiator.on_call = completed;
  const PayloadRef p = store();
  target.on_blocking = [this](Payload& q, sc_core::sc_time&) { target.respond(q); };
  in_thread([&] {
    sc_core::sc_time t;
    initiator.socket->b_transport(*p, t);
  });
  fires(Rule::mixed_transport);
}

BOOST_FIXTURE_TEST_CASE(a_payload_is_in_one_b_transport_at_a_time, CheckedArrow) {
  const PayloadRef p = store();
  bool nested = false;
  target.on_blocking = [&](Payload& q, sc_core::sc_time& t) {
    if (!std::exchange(nested, true)) initiator.socket->b_transport(q, t);
    q.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  in_thread([&] {
    sc_core::sc_time t;
    initiator.socket->b_transport(*p, t);
  });
  fires(Rule::mixed_transport);
}

BOOST_FIXTURE_TEST_CASE(no_b_transport_from_a_method, CheckedArrow) {
  const PayloadRef p = store();
  sc_core::sc_spawn_options method;
  method.spawn_method();
  sc_core::sc_spawn(
      [&] {
        sc_core::sc_time t;
        initiator.socket->b_transport(*p, t);
      },
      "method", &method);
  run_until(1);
  fires(Rule::blocking_from_method);
}

BOOST_FIXTURE_TEST_CASE(b_transport_is_judged_at_both_ends, CheckedArrow) {
  const PayloadRef p = store();
  target.on_blocking = [](Payload& q, sc_core::sc_time&) { q.set_address(0); };
  in_thread([&] {
    sc_core::sc_time t;
    initiator.socket->b_transport(*p, t);
  });
  BOOST_TEST(log.count(Rule::response_status) == 1);
  BOOST_TEST(log.count(Rule::address_unchanged) == 1);
  BOOST_TEST(log.total() == 2);
}

BOOST_FIXTURE_TEST_CASE(b_transport_does_not_turn_back_time, CheckedArrow) {
  const PayloadRef p = store();
  target.on_blocking = [](Payload& q, sc_core::sc_time& t) {
    t = sc_core::SC_ZERO_TIME;
    q.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  in_thread([&] {
    sc_core::sc_time t = to_sc_time(5);
    initiator.socket->b_transport(*p, t);
  });
  fires(Rule::transaction_time);
}

// Two threads, payloads without a manager, waiting inside the target.
BOOST_FIXTURE_TEST_CASE(lawful_b_transport_is_quiet, CheckedArrow) {
  target.on_blocking = [](Payload& q, sc_core::sc_time& t) {
    sc_core::wait(t + to_sc_time(10));
    t = sc_core::SC_ZERO_TIME;
    q.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  auto body = [this] {
    unsigned char data[4] = {};
    Payload p;
    p.set_write();
    p.set_data_ptr(data);
    p.set_data_length(4);
    p.set_streaming_width(4);
    sc_core::sc_time t = to_sc_time(3);
    initiator.socket->b_transport(p, t);
  };
  sc_core::sc_spawn(body, "other");
  in_thread(body);
  is_quiet();
  BOOST_TEST(checker.transactions() == 2);
}

BOOST_FIXTURE_TEST_CASE(a_debug_access_does_not_wait, CheckedArrow) {
  const PayloadRef p = store();
  target.on_debug = [](Payload&) {
    sc_core::wait(to_sc_time(1));
    return 0U;
  };
  in_thread([&] { initiator.socket->transport_dbg(*p); });
  fires(Rule::debug_takes_no_time);
}

BOOST_FIXTURE_TEST_CASE(a_direct_memory_call_does_not_wait, CheckedArrow) {
  const PayloadRef p = store();
  target.on_direct = [](Payload&, tlm::tlm_dmi& dmi) {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    dmi.init();
    return false;
  };
  in_thread([&] {
    tlm::tlm_dmi dmi;
    initiator.socket->get_direct_mem_ptr(*p, dmi);
  });
  fires(Rule::debug_takes_no_time);
}

BOOST_FIXTURE_TEST_CASE(a_debug_access_counts_at_most_its_length, CheckedArrow) {
  const PayloadRef p = store();
  BOOST_TEST(initiator.socket->transport_dbg(*p) == kLineBytes);
  BOOST_TEST(log.total() == 0);
  target.on_debug = [](Payload&) { return kLineBytes + 1; };
  initiator.socket->transport_dbg(*p);
  fires(Rule::debug_count);
}

BOOST_FIXTURE_TEST_CASE(a_refused_range_covers_the_request, CheckedArrow) {
  const PayloadRef p = store();
  tlm::tlm_dmi dmi;
  BOOST_TEST(!initiator.socket->get_direct_mem_ptr(*p, dmi));
  BOOST_TEST(log.total() == 0);
  target.on_direct = [](Payload& q, tlm::tlm_dmi& refused) {
    refused.set_start_address(q.get_address() + 1);
    return false;
  };
  initiator.socket->get_direct_mem_ptr(*p, dmi);
  fires(Rule::dmi_refused_range);
}

BOOST_FIXTURE_TEST_CASE(a_granted_range_has_a_pointer, CheckedArrow) {
  const PayloadRef p = store();
  static unsigned char memory[1];
  tlm::tlm_dmi dmi;
  target.on_direct = [](Payload&, tlm::tlm_dmi& granted) {
    granted.allow_read_write();
    granted.set_dmi_ptr(memory);
    return true;
  };
  initiator.socket->get_direct_mem_ptr(*p, dmi);
  BOOST_TEST(log.total() == 0);
  target.on_direct = [](Payload&, tlm::tlm_dmi& granted) {
    granted.set_dmi_ptr(nullptr);
    return true;
  };
  initiator.socket->get_direct_mem_ptr(*p, dmi);
  fires(Rule::dmi_granted_range);
}

BOOST_FIXTURE_TEST_CASE(an_invalidated_range_is_a_range, CheckedArrow) {
  target.socket->invalidate_direct_mem_ptr(7, 7);
  BOOST_TEST(log.total() == 0);
  target.socket->invalidate_direct_mem_ptr(8, 7);
  fires(Rule::invalidated_range);
  BOOST_TEST(initiator.invalidations == 2U);
}

// initiator -> checker -> relay -> checker -> memory
struct TwoArrows {
  TwoArrows() {
    upper.connect(initiator.socket, relay_in.socket);
    lower.connect(relay_out.socket, memory.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    relay_in.on_call = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
      return phase == tlm::BEGIN_REQ ? relay_out.send(p, phase) : tlm::TLM_ACCEPTED;
    };
    relay_out.on_call = [this](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
      return relay_in.respond(p, 0, answer);
    };
  }
  ViolationLog log;
  PayloadPool pool;
  tlm::tlm_response_status answer = tlm::TLM_OK_RESPONSE;
  RawInitiator initiator{"initiator"}, relay_out{"relay_out"};
  RawTarget relay_in{"relay_in"}, memory{"memory"};
  ProtocolChecker upper{"upper", log}, lower{"lower", log};
};

BOOST_FIXTURE_TEST_CASE(an_error_further_down_does_not_become_ok_further_up, TwoArrows) {
  const PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  initiator.send(*p, tlm::BEGIN_REQ);
  memory.respond(*p, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(log.count(Rule::error_stays) == 1);
  BOOST_TEST(log.total() == 1);
  BOOST_TEST(log.violations().at(0).arrow == "initiator.socket -> relay_in.socket");
}

BOOST_FIXTURE_TEST_CASE(an_error_may_become_another_error_further_up, TwoArrows) {
  const PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  initiator.send(*p, tlm::BEGIN_REQ);
  answer = tlm::TLM_GENERIC_ERROR_RESPONSE;
  memory.respond(*p, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(log.total() == 0);
}

BOOST_FIXTURE_TEST_CASE(an_errors_memory_ends_with_the_next_request, CheckedArrow) {
  const PayloadRef p = accepted_store();
  target.respond(*p, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(log.had_error(*p));
  initiator.send(*p, tlm::END_RESP);
  p->set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  initiator.send(*p, tlm::BEGIN_REQ);
  target.respond(*p);
  initiator.send(*p, tlm::END_RESP);
  is_quiet();
}
