// SPDX-License-Identifier: Apache-2.0
//
// One misbehaviour per rule about phases, return values and time: that rule fires, and no other.
#include "raw_ends.h"

using namespace gputlm;
using Rule = ProtocolRule;

DECLARE_EXTENDED_PHASE(strange_phase);

BOOST_FIXTURE_TEST_CASE(forward_path_carries_no_backward_phase, CheckedArrow) {
  const PayloadRef p = begun_store();
  initiator.send(*p, tlm::END_REQ);
  fires(Rule::forward_phase);
}

BOOST_FIXTURE_TEST_CASE(backward_path_carries_no_forward_phase, CheckedArrow) {
  const PayloadRef p = begun_store();
  target.send(*p, tlm::END_RESP);
  fires(Rule::backward_phase);
}

BOOST_FIXTURE_TEST_CASE(end_resp_needs_a_response, CheckedArrow) {
  const PayloadRef p = accepted_store();
  initiator.send(*p, tlm::END_RESP);
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(end_resp_of_a_stranger_is_out_of_order, CheckedArrow) {
  const PayloadRef p = store();
  initiator.send(*p, tlm::END_RESP);
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(end_req_comes_once, CheckedArrow) {
  const PayloadRef p = accepted_store();
  target.send(*p, tlm::END_REQ);
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(begin_resp_comes_once, CheckedArrow) {
  const PayloadRef p = answered_store();
  target.send(*p, tlm::BEGIN_RESP);
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(begin_req_comes_once, CheckedArrow) {
  const PayloadRef p = accepted_store();
  initiator.send(*p, tlm::BEGIN_REQ);
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(begin_req_is_not_answered_by_end_resp, CheckedArrow) {
  target.on_call = updated(tlm::END_RESP);
  const PayloadRef p = begun_store();
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(no_answer_on_return_after_the_end, CheckedArrow) {
  initiator.on_call = completed;
  target.on_call = [this](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    target.respond(p);
    return tlm::TLM_COMPLETED;
  };
  const PayloadRef p = begun_store();
  fires(Rule::phase_order);
}

BOOST_FIXTURE_TEST_CASE(end_req_is_only_accepted, CheckedArrow) {
  initiator.on_call = completed;
  const PayloadRef p = accepted_store();
  fires(Rule::return_value);
}

BOOST_FIXTURE_TEST_CASE(end_resp_is_not_updated, CheckedArrow) {
  const PayloadRef p = answered_store();
  target.on_call = updated(tlm::BEGIN_REQ);
  initiator.send(*p, tlm::END_RESP);
  fires(Rule::return_value);
}

BOOST_FIXTURE_TEST_CASE(accepted_leaves_the_delay_alone, CheckedArrow) {
  target.on_call = [](Payload&, tlm::tlm_phase&, sc_core::sc_time& t) {
    t += to_sc_time(1);
    return tlm::TLM_ACCEPTED;
  };
  const PayloadRef p = begun_store();
  fires(Rule::accepted_unchanged);
}

BOOST_FIXTURE_TEST_CASE(accepted_leaves_the_phase_alone, CheckedArrow) {
  target.on_call = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    phase = tlm::END_REQ;
    return tlm::TLM_ACCEPTED;
  };
  const PayloadRef p = begun_store();
  fires(Rule::accepted_unchanged);
}

BOOST_FIXTURE_TEST_CASE(updated_changes_the_phase, CheckedArrow) {
  target.on_call = updated(tlm::BEGIN_REQ);
  const PayloadRef p = begun_store();
  fires(Rule::updated_phase);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_phase_is_accepted, CheckedArrow) {
  const PayloadRef p = begun_store();
  initiator.send(*p, strange_phase);
  target.send(*p, strange_phase);
  BOOST_TEST(log.total() == 0);
  target.on_call = completed;
  initiator.send(*p, strange_phase);
  fires(Rule::unknown_phase_accepted);
}

BOOST_FIXTURE_TEST_CASE(one_request_at_a_time, CheckedArrow) {
  const PayloadRef p = begun_store();
  const PayloadRef q = begun_store(0x2000);
  fires(Rule::request_exclusion);
}

// A phase of another transaction does not free the request channel.
BOOST_FIXTURE_TEST_CASE(a_response_to_an_earlier_request_does_not_end_this_one, CheckedArrow) {
  const PayloadRef p = accepted_store();
  const PayloadRef q = begun_store(0x2000);
  target.respond(*p);
  BOOST_TEST(log.total() == 0);
  const PayloadRef r = begun_store(0x3000);
  fires(Rule::request_exclusion);
}

BOOST_FIXTURE_TEST_CASE(one_response_at_a_time, CheckedArrow) {
  const PayloadRef p = answered_store();
  const PayloadRef q = answered_store(0x2000);
  fires(Rule::response_exclusion);
}

BOOST_FIXTURE_TEST_CASE(a_response_goes_where_its_request_came_from, CheckedArrow) {
  const PayloadRef p = store();
  target.respond(*p);
  fires(Rule::response_path);
}

BOOST_FIXTURE_TEST_CASE(end_req_goes_where_its_request_came_from, CheckedArrow) {
  const PayloadRef p = store();
  target.send(*p, tlm::END_REQ);
  fires(Rule::response_path);
}

BOOST_FIXTURE_TEST_CASE(a_transactions_time_never_decreases, CheckedArrow) {
  target.on_call = updated(tlm::END_REQ, 10);
  const PayloadRef p = begun_store();
  target.respond(*p, 9);
  fires(Rule::transaction_time);
}

BOOST_FIXTURE_TEST_CASE(a_transactions_time_never_decreases_on_return, CheckedArrow) {
  target.on_call = updated(tlm::BEGIN_RESP, 9);
  const PayloadRef p = store();
  initiator.send(*p, tlm::BEGIN_REQ, 10);
  fires(Rule::transaction_time);
}

BOOST_FIXTURE_TEST_CASE(the_time_of_an_arrows_requests_never_decreases, CheckedArrow) {
  target.on_call = updated(tlm::END_REQ, 10);
  const PayloadRef p = begun_store();
  const PayloadRef q = store(0x2000);
  initiator.send(*q, tlm::BEGIN_REQ, 9);
  fires(Rule::arrow_time);
}

BOOST_FIXTURE_TEST_CASE(the_time_of_an_arrows_responses_never_decreases, CheckedArrow) {
  initiator.on_call = [](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  };
  const PayloadRef p = accepted_store();
  const PayloadRef q = accepted_store(0x2000);
  target.respond(*p, 10);
  target.respond(*q, 9);
  fires(Rule::arrow_time);
}

BOOST_FIXTURE_TEST_CASE(a_non_blocking_call_does_not_wait, CheckedArrow) {
  PayloadRef p;
  target.on_call = [](Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  };
  in_thread([&] { p = begun_store(); });
  fires(Rule::call_takes_no_time);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_open_at_the_end, CheckedArrow) {
  const PayloadRef p = accepted_store();
  checker.finish();
  fires(Rule::nothing_in_flight);
}

BOOST_FIXTURE_TEST_CASE(every_payload_returns_to_its_pool, CheckedArrow) {
  {
    const PayloadRef p = store();
    log.check_returned(pool, "pool");
  }
  log.check_returned(pool, "pool");
  fires(Rule::payload_returned);
}
