// SPDX-License-Identifier: Apache-2.0
//
// Every lawful way through the protocol: the checker says nothing, passes everything on untouched, and forgets.
#include <sstream>

#include "raw_ends.h"

using namespace gputlm;
using Rule = ProtocolRule;

namespace {

constexpr Fs kNs = kFsPerNs;

Transport end_response_on(tlm::tlm_sync_enum result) {
  return [result](Payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    if (result == tlm::TLM_UPDATED) phase = tlm::END_RESP;
    return result;
  };
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(long_form, CheckedArrow) {
  const PayloadRef p = store();
  BOOST_TEST(initiator.send(*p, tlm::BEGIN_REQ) == tlm::TLM_ACCEPTED);
  run_until(1 * kNs);
  BOOST_TEST(target.send(*p, tlm::END_REQ, 5) == tlm::TLM_ACCEPTED);
  run_until(2 * kNs);
  BOOST_TEST(target.respond(*p) == tlm::TLM_ACCEPTED);
  run_until(3 * kNs);
  target.on_call = completed;
  BOOST_TEST(initiator.send(*p, tlm::END_RESP) == tlm::TLM_COMPLETED);
  is_quiet();
  BOOST_TEST(checker.transactions() == 1);
  BOOST_TEST(checker.calls() == 4);
}

BOOST_FIXTURE_TEST_CASE(end_req_on_return, CheckedArrow) {
  target.on_call = updated(tlm::END_REQ, 7);
  const PayloadRef p = begun_store();
  target.on_call = accepted;
  target.respond(*p, 7);
  initiator.send(*p, tlm::END_RESP, 7);
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(begin_resp_on_return, CheckedArrow) {
  target.on_call = updated(tlm::BEGIN_RESP, 7);
  const PayloadRef p = begun_store();
  target.on_call = accepted;
  initiator.send(*p, tlm::END_RESP, 7);
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(completed_on_begin_req, CheckedArrow) {
  target.on_call = [](Payload& p, tlm::tlm_phase&, sc_core::sc_time& t) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    t += to_sc_time(9);
    return tlm::TLM_COMPLETED;
  };
  const PayloadRef p = begun_store();
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(completed_on_begin_resp, CheckedArrow) {
  initiator.on_call = end_response_on(tlm::TLM_COMPLETED);
  const PayloadRef p = answered_store();
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(end_resp_on_return, CheckedArrow) {
  initiator.on_call = end_response_on(tlm::TLM_UPDATED);
  const PayloadRef p = answered_store();
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(early_begin_resp_without_end_req, CheckedArrow) {
  const PayloadRef p = begun_store();
  target.respond(*p);
  const PayloadRef q = begun_store(0x2000);  // the response ended p's request
  initiator.send(*p, tlm::END_RESP);
  target.respond(*q);
  initiator.send(*q, tlm::END_RESP);
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(answers_from_within_the_request, CheckedArrow) {
  initiator.on_call = end_response_on(tlm::TLM_COMPLETED);
  target.on_call = [this](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
    target.send(p, tlm::END_REQ);
    target.respond(p);
    return tlm::TLM_ACCEPTED;
  };
  const PayloadRef p = begun_store();
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(the_initiator_may_drop_its_payload_in_the_response, CheckedArrow) {
  PayloadRef p = accepted_store();
  initiator.on_call = [&](Payload&, tlm::tlm_phase&, sc_core::sc_time&) {
    p.reset();
    return tlm::TLM_COMPLETED;
  };
  target.respond(*p);
  is_quiet();
  BOOST_TEST(pool.outstanding() == 0U);
}

BOOST_FIXTURE_TEST_CASE(responses_may_overtake_each_other, CheckedArrow) {
  initiator.on_call = end_response_on(tlm::TLM_COMPLETED);
  std::vector<PayloadRef> all;
  for (unsigned i = 0; i < 200; ++i) all.push_back(accepted_store(0x80 * i));
  BOOST_TEST(checker.open_transactions().size() == 200U);
  for (unsigned i = 0; i < 200; ++i) target.respond(*all[(i * 77) % 200]);  // 77 and 200 have no common divisor
  is_quiet();
}

BOOST_FIXTURE_TEST_CASE(calls_pass_through_untouched, CheckedArrow) {
  target.on_call = updated(tlm::END_REQ, 11);
  const PayloadRef p = store();
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time t = to_sc_time(4);
  BOOST_TEST(initiator.socket->nb_transport_fw(*p, phase, t) == tlm::TLM_UPDATED);
  BOOST_TEST(phase == tlm::END_REQ);
  BOOST_TEST(to_fs(t) == 11);
  BOOST_TEST(p->get_ref_count() == 1);
}

BOOST_FIXTURE_TEST_CASE(reset_forgets_what_is_open, CheckedArrow) {
  const PayloadRef p = begun_store();
  checker.reset();
  checker.finish();
  const PayloadRef q = begun_store(0x2000);
  BOOST_TEST(log.total() == 0);
  BOOST_TEST(checker.transactions() == 1);
}

BOOST_FIXTURE_TEST_CASE(open_transactions_are_explained, CheckedArrow) {
  const PayloadRef p = accepted_store(0x1f80);
  run_until(2 * kNs);
  target.respond(*p);
  const PayloadRef q = begun_store(0x2000);
  std::ostringstream text;
  checker.explain(text);
  BOOST_TEST(text.str() ==
             "checker: target.socket waits for END_RESP from initiator.socket since 2 ns: store 0x1f80, 128 bytes\n"
             "checker: initiator.socket waits for END_REQ from target.socket since 2 ns: store 0x2000, 128 bytes\n");
}

BOOST_FIXTURE_TEST_CASE(the_log_keeps_the_first_and_counts_all, CheckedArrow) {
  ViolationLog small(2);
  for (unsigned i = 0; i < 5; ++i) small.record(Rule::phase_order, "arrow", {i, 4, tlm::TLM_READ_COMMAND, "load", {}});
  BOOST_TEST(small.count(Rule::phase_order) == 5);
  BOOST_TEST(small.violations().size() == 2U);
  std::ostringstream text;
  small.print(text);
  BOOST_TEST(text.str().find("arrow: phase_order: phases come in the order") != std::string::npos);
  BOOST_TEST(text.str().find("[load 0x1, 4 bytes]") != std::string::npos);
  BOOST_TEST(text.str().find("phase_order: 5\n") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_rule_can_be_ignored, CheckedArrow) {
  log.ignore(Rule::request_exclusion);
  const PayloadRef p = begun_store();
  const PayloadRef q = begun_store(0x2000);
  BOOST_TEST(log.total() == 0);
}

BOOST_FIXTURE_TEST_CASE(violations_can_stop_the_simulation, CheckedArrow) {
  log.escalate(sc_core::SC_ERROR);
  const PayloadRef p = begun_store();
  BOOST_CHECK_THROW(begun_store(0x2000), sc_core::sc_report);
}
