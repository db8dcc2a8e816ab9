// SPDX-License-Identifier: Apache-2.0
//
// InitiatorSocket and TargetSocket with each other: every way through the phases, their times, back-pressure, reset.
#include "socket_bench.h"

using namespace gputlm;

BOOST_FIXTURE_TEST_CASE(accepted_at_once_and_answered_later, SocketBench) {
  target.accept_after = 3;
  target.latency = 20;
  initiator.send(line(0x80), 10);
  run_until(32);
  expect(initiator.log, {"accepted 80 at 13"});
  run_until(100);
  expect(initiator.log, {"accepted 80 at 13", "responded 80 at 33"});
  expect(target.log, {"request 80 at 10", "taken 80 at 33"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_withheld_request_stops_the_next_until_it_is_accepted, SocketBench) {
  target.admission = Admission::withhold;
  initiator.send(line(0x80));
  initiator.send(line(0x100));
  run_until(10);
  BOOST_TEST(target.socket.withholding());
  BOOST_TEST(initiator.socket.busy());
  expect(target.log, {"request 80 at 0"});
  target.admission = Admission::accept;
  target.accept(5);
  BOOST_TEST(!target.socket.withholding());
  run_until(20);
  expect(initiator.log, {"accepted 80 at 15", "accepted 100 at 15"});
  target.respond();
  target.respond();
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(completed_at_once, SocketBench) {
  target.admission = Admission::complete;
  target.accept_after = 4;
  initiator.send(line(0x80));
  run_until(1);
  expect(initiator.log, {"responded 80 at 4 TLM_GENERIC_ERROR_RESPONSE"});
  expect(target.log, {"request 80 at 0"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(a_response_to_a_withheld_request_accepts_it, SocketBench) {
  target.admission = Admission::withhold;
  initiator.send(line(0x80));
  run_until(5);
  target.respond(2);
  expect(initiator.log, {"accepted 80 at 7", "responded 80 at 7"});
  BOOST_TEST(!target.socket.withholding());
  initiator.send(line(0x100));
  run_until(6);
  BOOST_TEST(target.socket.withholding());
  target.accept(2);
  target.respond(2);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(responses_queue_behind_one_that_is_held_back, SocketBench) {
  initiator.takes_responses = false;
  for (const std::uint64_t a : {0x80, 0x100, 0x180}) initiator.send(line(a));
  run_until(10);
  target.respond();
  target.respond();
  target.respond(100);
  initiator.log.clear();
  run_until(50);
  BOOST_TEST(initiator.log.empty());
  initiator.end_response(7);
  run_until(56);
  BOOST_TEST(initiator.log.empty());
  run_until(57);
  expect(initiator.log, {"responded 100 at 57"});
  initiator.takes_responses = true;
  initiator.end_response();
  run_until(58);
  expect(initiator.log, {"responded 100 at 57", "responded 180 at 110"});
  expect(target.log, {"request 80 at 0", "request 100 at 0", "request 180 at 0", "taken 80 at 57", "taken 100 at 57",
                      "taken 180 at 110"});
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(requests_go_on_while_a_response_is_held_back, SocketBench) {
  initiator.takes_responses = false;
  initiator.send(line(0x80));
  run_until(1);
  target.respond();
  initiator.send(line(0x100), 2);
  run_until(3);
  expect(initiator.log, {"accepted 80 at 0", "responded 80 at 1", "accepted 100 at 2"});
  initiator.end_response();
  target.respond();
  initiator.end_response();
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(attributes_that_tlm_forbids_never_reach_the_owner, SocketBench) {
  violations.ignore(ProtocolRule::data_length_present);
  violations.ignore(ProtocolRule::enable_length_present);
  const PayloadRef p = line(0x80);
  p->set_data_length(0);
  initiator.send(p);
  const PayloadRef q = line(0x100);
  set_enables(*q, ByteMask{1, 0});
  q->set_byte_enable_length(0);
  initiator.send(q);
  run_until(1);
  expect(initiator.log,
         {"responded 80 at 0 TLM_BURST_ERROR_RESPONSE", "responded 100 at 0 TLM_BYTE_ENABLE_ERROR_RESPONSE"});
  BOOST_TEST(target.log.empty());
}

BOOST_FIXTURE_TEST_CASE(reset_lets_go_of_everything, SocketBench) {
  initiator.takes_responses = false;
  for (const std::uint64_t a : {0x80, 0x100, 0x180}) initiator.send(line(a));
  run_until(1);
  target.respond();  // held back by the initiator
  target.respond();  // queued behind it
  target.admission = Admission::withhold;
  initiator.send(line(0x200));
  run_until(2);
  target.reset();
  BOOST_TEST(!target.socket.withholding());
  BOOST_TEST(pool.outstanding() == 4U);  // the initiator's
}

BOOST_FIXTURE_TEST_CASE(a_reset_target_serves_again, SocketBench) {
  target.admission = Admission::withhold;
  initiator.send(line(0x80));
  run_until(1);
  target.reset();
  initiator.socket.reset();
  checker.reset();
  target.admission = Admission::accept;
  target.latency = 5;
  initiator.send(line(0x100));
  run_until(10);
  expect(initiator.log, {"accepted 100 at 1", "responded 100 at 6"});
}

BOOST_FIXTURE_TEST_CASE(debug_writes_are_announced_upward, SocketBench) {
  run_until(1);
  target.socket.announce_debug_write(0x10, 0x1f);
  expect(initiator.log, {"written 10 to 1f"});
}

BOOST_FIXTURE_TEST_CASE(direct_memory_access_is_refused_for_the_whole_range, SocketBench) {
  run_until(1);
  const PayloadRef p = line(0x80);
  tlm::tlm_dmi dmi;
  p->set_dmi_allowed(true);
  BOOST_TEST(!initiator.socket->get_direct_mem_ptr(*p, dmi));
  BOOST_TEST(!p->is_dmi_allowed());
  BOOST_TEST(dmi.get_start_address() == 0U);
  BOOST_TEST(dmi.get_end_address() == ~0ULL);
  BOOST_TEST(dmi.is_read_write_allowed());  // which accesses the refusal is about
}

BOOST_FIXTURE_TEST_CASE(debug_reads_count_at_most_their_length, SocketBench) {
  run_until(1);
  BOOST_TEST(initiator.socket->transport_dbg(*line(0x80)) == kLineBytes);
}

namespace {

struct Spy : tlm::tlm_analysis_if<ArrowEvent> {
  void write(const ArrowEvent& e) override {
    static constexpr const char* names[] = {"BEGIN_REQ", "END_REQ", "BEGIN_RESP", "END_RESP"};
    log.push_back(std::string(names[static_cast<unsigned>(e.phase)]) + " " + std::to_string(e.time));
  }
  ScriptLog log;
};

struct WatchedBench : SocketBench {
  WatchedBench() { target.socket.arrow.bind(spy); }
  Spy spy;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(an_observer_sees_the_long_form, WatchedBench) {
  target.admission = Admission::withhold;
  initiator.takes_responses = false;
  initiator.send(line(0x80), 10);
  run_until(20);
  target.accept(3);
  run_until(30);
  target.respond(4);
  run_until(40);
  initiator.end_response(5);
  expect(spy.log, {"BEGIN_REQ 10", "END_REQ 23", "BEGIN_RESP 34", "END_RESP 45"});
}

BOOST_FIXTURE_TEST_CASE(an_observer_sees_all_phases_of_the_short_forms, WatchedBench) {
  target.accept_after = 2;
  target.latency = 5;
  initiator.send(line(0x80), 10);
  run_until(20);
  expect(spy.log, {"BEGIN_REQ 10", "END_REQ 12", "BEGIN_RESP 17", "END_RESP 17"});
  spy.log.clear();
  target.admission = Admission::complete;
  initiator.send(line(0x80), 30);
  run_until(40);
  expect(spy.log, {"BEGIN_REQ 30", "END_REQ 32", "BEGIN_RESP 32", "END_RESP 32"});
  spy.log.clear();
  target.admission = Admission::withhold;
  target.latency = kNever;
  initiator.send(line(0x80), 50);
  run_until(60);
  target.respond(1);
  expect(spy.log, {"BEGIN_REQ 50", "END_REQ 61", "BEGIN_RESP 61", "END_RESP 61"});
}

BOOST_AUTO_TEST_CASE(an_arrow_knows_whether_anybody_listens) {
  ScriptTarget target("target");
  Spy spy;
  BOOST_TEST(!target.socket.arrow.observed());
  target.socket.arrow.bind(spy);
  BOOST_TEST(target.socket.arrow.observed());
}
