// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/host/ordering_point.h"

using namespace gputlm;

namespace {

struct Source : sc_core::sc_module {
  InitiatorSocket<Source> out;
  std::vector<Fs> answered;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  bool executed = false;
  explicit Source(const sc_core::sc_module_name& n) : sc_module(n), out("out", *this) {}
  void on_accepted(std::size_t, Payload&, Fs) {}
  bool on_response(std::size_t, Payload& p, Fs delay) {
    answered.push_back(now() + delay);
    status = p.get_response_status();
    executed = find_sideband(p)->executed;
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}
};

HostSpec spec() {
  HostSpec s;
  s.ordering_round_trip = 740 * kFsPerNs;
  return s;
}

struct Bench {
  Bench() : host("host", spec()), source("source") {
    source.out.bind(host.barriers);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  PayloadPool pool;
  OrderingPoint host;
  Source source;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_barrier_is_answered_after_the_round_trip_and_not_a_femtosecond_earlier) {
  Bench b;
  PayloadRef p = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
  Fs delay = 0;
  BOOST_CHECK(b.source.out.request(*p, delay) == Sent::accepted);
  run_until(740 * kFsPerNs - 1);
  BOOST_TEST(b.source.answered.empty());
  run_until(740 * kFsPerNs);
  BOOST_TEST(b.source.answered.size() == 1U);
  BOOST_TEST(b.source.executed);
  BOOST_TEST((b.source.status == tlm::TLM_OK_RESPONSE));
}

BOOST_AUTO_TEST_CASE(anything_but_a_barrier_is_a_command_error) {
  Bench b;
  PayloadRef p = b.pool.line(tlm::TLM_WRITE_COMMAND, 0, Operation::store);
  Fs delay = 0;
  BOOST_CHECK(b.source.out.request(*p, delay) == Sent::responded);
  BOOST_TEST((p->get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE));
}

BOOST_AUTO_TEST_CASE(reset_forgets_barriers_in_flight) {
  Bench b;
  PayloadRef p = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
  Fs delay = 0;
  b.source.out.request(*p, delay);
  BOOST_TEST(!b.host.idle());
  b.host.reset();
  p.reset();
  sc_core::sc_start();
  BOOST_TEST(b.source.answered.empty());
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(what_waits_for_the_host_can_be_looked_into) {
  Bench b;
  BOOST_TEST(b.host.waiting() == 0U);
  BOOST_TEST(b.host.next_answer() == kNever);
  const PayloadRef p = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
  Fs delay = 5 * kFsPerNs;
  b.source.out.request(*p, delay);
  BOOST_TEST(b.host.waiting() == 1U);
  BOOST_TEST(b.host.next_answer() == 745 * kFsPerNs);
  sc_core::sc_start();
  BOOST_TEST(b.host.waiting() == 0U);
}
