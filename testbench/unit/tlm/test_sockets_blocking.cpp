// SPDX-License-Identifier: Apache-2.0
//
// b_transport into a TargetSocket: it takes the time of the timed road, in every state of the socket.
#include "blocking_bench.h"

using namespace gputlm;

namespace {

struct Witness : tlm::tlm_extension<Witness> {
  explicit Witness(unsigned& gone) : gone_(&gone) {}
  ~Witness() override { ++*gone_; }
  tlm::tlm_extension_base* clone() const override { return nullptr; }
  void copy_from(const tlm::tlm_extension_base&) override {}
  unsigned* gone_;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_call_takes_the_targets_latency, BlockingBench) {
  PlainPayload p(0x80);
  target.latency = 20;
  target.accept_after = 3;
  call_at(10, p, 5);
  run_until(37);
  BOOST_TEST(returned == kNever);
  run_until(39);
  BOOST_TEST(returned == 38);
  BOOST_TEST(status == tlm::TLM_OK_RESPONSE);
  expect(target.log, {"request 80 at 15", "taken 80 at 38"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(the_rest_of_the_time_is_annotated, BlockingBench) {
  PlainPayload p(0x80);
  call_at(0, p);
  run_until(10);
  target.respond(7);
  run_until(11);
  BOOST_TEST(returned == 17);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_withheld_call_waits, BlockingBench) {
  PlainPayload p(0x80), q(0x100);
  target.admission = Admission::withhold;
  call_at(0, p);
  call_at(1, q);
  run_until(10);
  expect(target.log, {"request 80 at 0"});
  target.accept();
  run_until(20);
  expect(target.log, {"request 80 at 0", "request 100 at 10"});
  target.respond();
  run_until(30);
  BOOST_TEST(returned == 20);
  target.accept();
  target.respond();
  run_until(40);
  BOOST_TEST(returned == 30);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(an_answer_to_a_withheld_call_accepts_it, BlockingBench) {
  PlainPayload p(0x80);
  target.admission = Admission::withhold;
  call_at(0, p);
  run_until(10);
  target.respond();
  BOOST_TEST(!target.socket.withholding());
  run_until(11);
  BOOST_TEST(returned == 10);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_call_may_be_completed_with_an_error, BlockingBench) {
  PlainPayload p(0x80);
  target.admission = Admission::complete;
  target.accept_after = 4;
  call_at(0, p);
  run_until(1);
  BOOST_TEST(returned == 4);
  BOOST_TEST(status == tlm::TLM_GENERIC_ERROR_RESPONSE);
  expect(target.log, {"request 80 at 0"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(what_was_lent_to_the_payload_is_taken_back, BlockingBench) {
  PlainPayload p(0x80);
  call_at(0, p);
  run_until(1);
  BOOST_TEST(p.has_mm());
  BOOST_TEST((find_sideband(p)->operation == Operation::store));
  unsigned gone = 0;
  p.set_auto_extension(new Witness(gone));
  target.respond();
  run_until(2);
  BOOST_TEST(!p.has_mm());
  BOOST_TEST(p.get_ref_count() == 0);
  BOOST_TEST(find_sideband(p) == nullptr);
  BOOST_TEST(gone == 1U);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);  // and the payload can be used again, for something else
  p.set_read();
  call_at(5, p);
  run_until(6);
  BOOST_TEST((find_sideband(p)->operation == Operation::load));
  target.respond();
  run_until(7);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(the_call_returns_when_nobody_holds_its_payload_any_more, BlockingBench) {
  PlainPayload p(0x80);
  call_at(0, p);
  run_until(1);
  PayloadRef kept(p);
  target.respond();
  run_until(10);
  BOOST_TEST(returned == kNever);
  kept.reset();
  run_until(11);
  BOOST_TEST(status == tlm::TLM_OK_RESPONSE);
}

BOOST_FIXTURE_TEST_CASE(a_payload_with_a_manager_keeps_it, BlockingBench) {
  PayloadRef p = line(0x80);
  target.latency = 5;
  call_at(0, *p);
  run_until(10);
  BOOST_TEST(status == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(p->has_mm());
  BOOST_TEST(p->get_ref_count() == 1);
  BOOST_TEST(find_sideband(*p) != nullptr);
  p.reset();
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(two_threads_overlap, BlockingBench) {
  PlainPayload p(0x80), q(0x100);
  target.latency = 100;
  call_at(0, p);
  call_at(1, q);
  run_until(50);
  expect(target.log, {"request 80 at 0", "request 100 at 1"});
  run_until(200);
  BOOST_TEST(returned == 101);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_call_does_not_wait_for_a_response_that_is_held_back, BlockingBench) {
  PlainPayload p(0x80);
  target.latency = 5;
  initiator.takes_responses = false;
  initiator.send(line(0x100));
  call_at(10, p);
  run_until(20);
  BOOST_TEST(returned == 15);
  initiator.end_response();
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_call_waits_while_an_nb_request_is_withheld, BlockingBench) {
  PlainPayload p(0x80);
  target.admission = Admission::withhold;
  initiator.send(line(0x100));
  call_at(1, p);
  run_until(10);
  expect(target.log, {"request 100 at 0"});
  target.admission = Admission::accept;
  target.accept();
  run_until(11);
  expect(target.log, {"request 100 at 0", "request 80 at 10"});
  target.respond();
  target.respond();
  run_until(12);
  is_clean();
}

namespace {

/// A call is withheld and an nb request arrives.
struct ParkedBench : BlockingBench {
  PlainPayload p{0x80};
  ParkedBench() {
    target.admission = Admission::withhold;
    call_at(0, p);
    initiator.send(line(0x100), 5);
    run_until(10);
    expect(target.log, {"request 80 at 0"});
    BOOST_TEST(initiator.socket.busy());
  }
  void let_go(Admission next) {
    target.admission = next;
    target.accept();
    run_until(11);
    expect(target.log, {"request 80 at 0", "request 100 at 10"});
    target.respond();
    run_until(12);
    BOOST_TEST(returned == 11);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_waiting_nb_request_is_accepted, ParkedBench) {
  let_go(Admission::accept);
  target.respond();
  expect(initiator.log, {"accepted 100 at 10", "responded 100 at 12"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_waiting_nb_request_is_withheld, ParkedBench) {
  let_go(Admission::withhold);
  target.accept(1);
  target.respond(2);
  expect(initiator.log, {"accepted 100 at 13", "responded 100 at 14"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_waiting_nb_request_is_completed, ParkedBench) {
  let_go(Admission::complete);
  expect(initiator.log, {"accepted 100 at 10", "responded 100 at 10 TLM_GENERIC_ERROR_RESPONSE"});
  expect(target.log, {"request 80 at 0", "request 100 at 10", "taken 80 at 11"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_waiting_nb_request_is_dropped_on_reset, ParkedBench) {
  target.reset();
  run_until(20);
  BOOST_TEST(target.log.empty());
  BOOST_TEST(pool.outstanding() == 1U);  // the initiator's
}

BOOST_FIXTURE_TEST_CASE(attributes_that_tlm_forbids_are_answered, BlockingBench) {
  violations.ignore(ProtocolRule::streaming_width_present);
  PlainPayload p(0x80);
  p.set_streaming_width(0);
  call_at(0, p);
  run_until(1);
  BOOST_TEST(status == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(target.log.empty());
  is_clean();
}
