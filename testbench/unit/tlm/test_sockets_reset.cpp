// SPDX-License-Identifier: Apache-2.0
//
// Threads inside b_transport when a TargetSocket is reset.
#include "blocking_bench.h"

using namespace gputlm;

BOOST_FIXTURE_TEST_CASE(reset_sends_blocked_threads_home_with_an_error, BlockingBench) {
  PlainPayload p(0x80), q(0x100);
  target.admission = Admission::withhold;
  call_at(0, p);
  run_until(10);
  target.reset();
  run_until(11);
  BOOST_TEST(returned == 10);
  BOOST_TEST(status == tlm::TLM_GENERIC_ERROR_RESPONSE);
  BOOST_TEST(target.log.empty());
  target.admission = Admission::accept;
  target.latency = 5;
  call_at(20, q);
  run_until(30);
  BOOST_TEST(returned == 25);
  BOOST_TEST(status == tlm::TLM_OK_RESPONSE);
  is_clean();
}

BOOST_FIXTURE_TEST_CASE(reset_sends_threads_home_whose_turn_had_not_come, BlockingBench) {
  PlainPayload first(0x80), second(0x100), third(0x180), later(0x200);
  target.admission = Admission::withhold;
  unsigned home = 0;
  for (PlainPayload* p : {&first, &second, &third})
    sc_core::sc_spawn([this, p, &home] {
      call(*p);
      BOOST_TEST(p->get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
      ++home;
    });
  run_until(10);
  target.reset();
  run_until(11);
  BOOST_TEST(home == 3U);
  BOOST_TEST(target.log.empty());
  BOOST_TEST(!second.has_mm());
  target.admission = Admission::accept;
  call_at(20, later);
  run_until(21);
  target.respond();
  run_until(22);
  BOOST_TEST(later.is_response_ok());
  is_clean();
}
