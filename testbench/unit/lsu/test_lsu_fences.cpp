// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "lsu_bench.h"

using namespace gputlm;
using namespace gputlm::lsu_test;

namespace {

constexpr Fs kRoundTrip = 127'000'000, kShare = 250'000'000, kBarrier = 740'000'000;

/// Sends a store and a fence of the same queue at time 0 and requires the fence's answer at exactly `expected`.
void store_then_fence(Bench& bench, Scope scope, Fs expected) {
  bench.initiators.send(0, 0, store(bench.pool, 0x1000));
  const PayloadRef f = fence(bench.pool, scope);
  bench.initiators.send(0, 0, f);
  bench.run_until(expected - 1);
  BOOST_TEST(bench.initiators[f].done == kNever);
  bench.finish(2);
  BOOST_TEST(bench.initiators[f].done == expected);
  BOOST_TEST(bench.initiators[f].status == tlm::TLM_OK_RESPONSE);
}

}  // namespace

BOOST_AUTO_TEST_CASE(cta_fence_takes_three_cycles_after_the_stores_slot_and_leaves_l1_alone) {
  Bench bench;
  store_then_fence(bench, Scope::cta, cycles(6.1) + cycles(3));
  BOOST_TEST(bench.watcher.invalidated.empty());
}

BOOST_AUTO_TEST_CASE(cta_fence_waits_until_every_line_of_the_store_has_left) {
  Bench bench;
  bench.initiators.send(0, 0, strided(bench.pool, Operation::store, 0, 128));
  const PayloadRef f = fence(bench.pool, Scope::cta);
  bench.initiators.send(0, 0, f);
  bench.finish(2);
  BOOST_TEST(bench.initiators[f].done == 32 * cycles(2) + cycles(3));
}

BOOST_AUTO_TEST_CASE(cta_fence_waits_for_a_withheld_end_req) {
  Bench bench;
  bench.l1.withhold = true;
  bench.initiators.send(0, 0, store(bench.pool, 0x1000));
  const PayloadRef f = fence(bench.pool, Scope::cta);
  bench.initiators.send(0, 0, f);
  bench.run_until(from_ns(30));
  BOOST_TEST(bench.initiators[f].done == kNever);
  bench.l1.accept();
  bench.finish(2);
  BOOST_TEST(bench.initiators[f].done == from_ns(30) + cycles(3));
}

BOOST_AUTO_TEST_CASE(gpu_fence_costs_its_round_trip_when_the_acknowledgement_is_earlier) {
  Bench bench;
  store_then_fence(bench, Scope::gpu, cycles(6.1) + kRoundTrip);
  BOOST_TEST(bench.watcher.invalidated == std::vector<Fs>{cycles(6.1) + kRoundTrip}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(gpu_fence_ends_with_the_acknowledgement_when_that_is_later) {
  Bench bench;
  bench.l1.latency = from_ns(200);
  store_then_fence(bench, Scope::gpu, from_ns(200));
}

BOOST_AUTO_TEST_CASE(gpu_fence_with_nothing_outstanding_still_makes_the_round_trip) {
  Bench bench;
  const PayloadRef f = fence(bench.pool, Scope::gpu);
  bench.initiators.send(from_ns(5), 2, f);
  bench.finish(1);
  BOOST_TEST(bench.initiators[f].done == from_ns(5) + kRoundTrip);
}

BOOST_AUTO_TEST_CASE(sys_fence_costs_the_hosts_round_trip_and_the_sms_share_for_one_store) {
  Bench bench;
  store_then_fence(bench, Scope::sys, cycles(6.1) + kBarrier + kShare);
  BOOST_TEST(bench.l1.of(Operation::system_barrier).size() == 1U);
  BOOST_TEST(bench.watcher.invalidated.size() == 1U);
}

BOOST_AUTO_TEST_CASE(sys_fence_costs_the_same_after_no_store_and_after_sixty_four) {
  Bench bench;
  const PayloadRef none = fence(bench.pool, Scope::sys), many = fence(bench.pool, Scope::sys);
  bench.initiators.send(0, 1, none);
  const Fs later = from_ns(5000);
  for (unsigned i = 0; i < 64; ++i) bench.initiators.send(later, 0, store(bench.pool, 0x1000 + i * kLineBytes));
  bench.initiators.send(later, 0, many);
  bench.finish(66);
  BOOST_TEST(bench.initiators[none].done == kBarrier + kShare);
  BOOST_TEST(bench.initiators[many].done == later + 64 * cycles(6.1) + kBarrier + kShare);
}

BOOST_AUTO_TEST_CASE(a_fence_waits_for_the_whole_sms_earlier_stores_and_for_no_later_one) {
  Bench bench;
  bench.l1.latency = kNever;
  const PayloadRef f = fence(bench.pool, Scope::gpu);
  bench.initiators.send(0, 1, store(bench.pool, 0x1000));  // of another warp, before
  bench.initiators.send(from_ns(10), 0, f);
  bench.initiators.send(from_ns(20), 1, store(bench.pool, 0x2000));  // after: its acknowledgement never matters
  bench.run_until(from_ns(500));
  BOOST_TEST(bench.initiators[f].done == kNever);
  bench.l1.respond(bench.l1.arrivals[0].payload);
  bench.run_until(from_ns(600));
  BOOST_TEST(bench.initiators[f].done == from_ns(500));
  bench.l1.respond(bench.l1.arrivals[1].payload);
  bench.finish(3);
}

BOOST_AUTO_TEST_CASE(acknowledgements_out_of_order_do_not_end_a_fence_early) {
  Bench bench;
  bench.l1.latency = kNever;
  const PayloadRef f = fence(bench.pool, Scope::gpu);
  for (unsigned i = 0; i < 3; ++i) bench.initiators.send(0, 0, store(bench.pool, 0x1000 + i * kLineBytes));
  bench.initiators.send(0, 0, f);
  bench.run_until(from_ns(300));
  bench.l1.respond(bench.l1.arrivals[2].payload);
  bench.l1.respond(bench.l1.arrivals[1].payload);
  bench.run_until(from_ns(400));
  BOOST_TEST(bench.initiators[f].done == kNever);
  bench.l1.respond(bench.l1.arrivals[0].payload);
  bench.finish(4);
  BOOST_TEST(bench.initiators[f].done == from_ns(400));
}

BOOST_AUTO_TEST_CASE(a_polling_warp_does_not_starve_a_fence) {
  Bench bench;
  bench.l1.latency = from_ns(300);
  for (unsigned i = 0; i < 400; ++i)  // never none outstanding for 3 us
    bench.initiators.send(
        i * cycles(20), 1,
        with(strided(bench.pool, Operation::atomic, 0x1000, 0, 4, 1), Semantics::relaxed, Scope::gpu));
  const PayloadRef f = fence(bench.pool, Scope::gpu);
  const Fs sent = from_ns(1000);
  bench.initiators.send(sent, 0, f);
  bench.finish(401);
  const Fs cost = bench.initiators[f].done - sent;
  BOOST_TEST(cost > kRoundTrip);
  BOOST_TEST(cost <= from_ns(300));
}

BOOST_AUTO_TEST_CASE(a_waiting_fence_does_not_block_its_queue) {
  Bench bench;
  const PayloadRef f = fence(bench.pool, Scope::sys), other = load(bench.pool, 0x4000);
  bench.initiators.send(0, 0, f);
  bench.initiators.send(1, 0, other);
  bench.finish(2);
  BOOST_TEST(bench.initiators[other].done < from_ns(110));
  BOOST_TEST(bench.initiators[f].done == kBarrier + kShare);
}

BOOST_AUTO_TEST_CASE(an_acquire_load_invalidates_l1_when_its_data_are_back_and_then_answers) {
  Bench bench;
  const PayloadRef gpu = with(load(bench.pool, 0x1000), Semantics::acquire, Scope::gpu);
  const PayloadRef cta = with(load(bench.pool, 0x2000), Semantics::acquire, Scope::cta);
  bool dropped_first = false;
  bench.initiators.on_answer = [&](const Payload& p) {
    if (&p == gpu.get()) dropped_first = bench.watcher.invalidated.size() == 1;
  };
  bench.initiators.send(0, 0, gpu);
  bench.initiators.send(from_ns(500), 0, cta);
  bench.finish(2);
  BOOST_TEST(dropped_first);
  BOOST_TEST(bench.watcher.invalidated == std::vector<Fs>{from_ns(100)}, boost::test_tools::per_element());
  BOOST_TEST(bench.initiators[gpu].done == from_ns(100));
}

BOOST_AUTO_TEST_CASE(an_invalidate_goes_ahead_of_waiting_line_requests) {
  Bench bench;
  bench.initiators.send(0, 0, with(load(bench.pool, 0x1000), Semantics::acquire, Scope::sys));
  // Ten stores to 32 lines each keep the exit busy far beyond the load's return.
  for (unsigned i = 0; i < 10; ++i)
    bench.initiators.send(1, 1, strided(bench.pool, Operation::store, 0x10000 * (i + 1), 128));
  bench.finish(11);
  BOOST_TEST(bench.watcher.invalidated.size() == 1U);
  BOOST_TEST(bench.watcher.invalidated[0] <= from_ns(100) + cycles(2));
}

BOOST_AUTO_TEST_CASE(a_barrier_that_nobody_executes_fails_the_fence) {
  Bench bench;
  bench.l1.execute = false;
  const PayloadRef f = fence(bench.pool, Scope::sys);
  bench.initiators.send(0, 0, f);
  bench.finish(1);
  BOOST_TEST(bench.initiators[f].status == tlm::TLM_COMMAND_ERROR_RESPONSE);
}
