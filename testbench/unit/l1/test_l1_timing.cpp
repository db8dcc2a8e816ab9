// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {

constexpr std::uint64_t kLine = 0x40000;

/// An L1 that holds lines from kLine upward.
struct Warm : Bench {
  Warm() {
    for (unsigned i = 0; i < 8; ++i) complete(load(kLine + i * kLineBytes));
    start = now();
  }
  Fs start;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_hit_is_answered_after_the_hit_latency_and_not_before, Warm) {
  const PayloadRef p = load(kLine);
  BOOST_TEST((lsu.send(p, 2 * kNs) == Sent::accepted));
  BOOST_TEST(lsu.accepted_at(p) == start + 2 * kNs);
  run(2 * kNs + kHit);
  BOOST_TEST(!lsu.answered(p));
  run(1);
  BOOST_TEST(lsu.answered(p));
  BOOST_TEST(lsu.answered_at(p) == start + 2 * kNs + kHit);
}

BOOST_FIXTURE_TEST_CASE(hits_share_a_data_port_of_64_bytes_a_cycle, Warm) {
  std::vector<PayloadRef> loads;
  for (unsigned i = 0; i < 4; ++i) loads.push_back(load(kLine + i * kLineBytes));
  loads.push_back(load(kLine, ByteMask::sectors(0x1)));
  loads.push_back(load(kLine));
  for (const PayloadRef& p : loads) lsu.send(p);
  run(100 * kNs);
  const Fs line_time = cycles_to_fs(2, 2.6e9), sector_time = cycles_to_fs(0.5, 2.6e9);
  for (unsigned i = 0; i < 5; ++i) BOOST_TEST(lsu.answered_at(loads[i]) == start + kHit + i * line_time);
  BOOST_TEST(lsu.answered_at(loads[5]) == start + kHit + 4 * line_time + sector_time);
}

BOOST_FIXTURE_TEST_CASE(an_idle_data_port_adds_nothing, Warm) {
  const PayloadRef first = load(kLine), second = load(kLine);
  lsu.send(first);
  run(cycles_to_fs(2, 2.6e9));
  lsu.send(second);
  run(100 * kNs);
  BOOST_TEST(lsu.answered_at(second) == start + cycles_to_fs(2, 2.6e9) + kHit);
}

BOOST_AUTO_TEST_CASE(what_passes_leaves_after_the_miss_latency_in_the_same_call) {
  Bench b;
  b.run(7 * kNs);
  unsigned sent = 0;
  for (const PayloadRef& p : {b.load(kLine), b.store(kLine, ByteMask::full(), 1), b.strong_load(kLine),
                              b.special(Operation::atomic, kLine), b.special(Operation::system_barrier)}) {
    const Fs delay = (1 + sent) * kNs;
    BOOST_TEST((b.lsu.send(p, delay) == Sent::accepted));
    BOOST_REQUIRE(b.memory.arrivals.size() == ++sent);
    BOOST_TEST(b.memory.arrivals.back().time == 7 * kNs + delay + kMiss);
    BOOST_TEST(b.lsu.accepted_at(p) == 7 * kNs + delay);
  }
}

BOOST_AUTO_TEST_CASE(a_request_taken_late_below_delays_the_next_by_as_much) {
  Bench b;
  b.memory.accept_delay = 3 * kNs;
  for (const PayloadRef& p : {b.load(kLine), b.store(kLine, ByteMask::full(), 1)}) {
    b.lsu.send(p, kNs);
    BOOST_TEST(b.lsu.accepted_at(p) == now() + 4 * kNs);
    b.run(20 * kNs);
  }
}

BOOST_AUTO_TEST_CASE(a_withheld_end_request_is_relayed_up) {
  Bench b;
  b.memory.withhold = true;
  for (const PayloadRef& p : {b.load(kLine), b.store(kLine, ByteMask::full(), 1), b.strong_load(kLine)}) {
    const Fs start = now();
    BOOST_TEST((b.lsu.send(p) == Sent::withheld));
    b.run(50 * kNs);
    BOOST_TEST(b.lsu.accepted_at(p) == kNever);
    b.memory.accept(kMiss + 2 * kNs);
    BOOST_TEST(b.lsu.accepted_at(p) == start + 52 * kNs);
    BOOST_TEST(!b.lsu.answered(p));
    b.memory.respond(b.memory.last());
    BOOST_TEST(b.lsu.answered(p));
    b.run(10 * kNs);
  }
  BOOST_TEST(counter(b.l1, "stall_network") == 3U * 52);
}

BOOST_AUTO_TEST_CASE(an_end_request_below_that_comes_early_is_not_relayed_before_now) {
  Bench b;
  b.memory.withhold = true;
  const PayloadRef early = b.load(kLine);
  b.lsu.send(early, 5 * kNs);
  b.run(kNs);
  b.memory.accept(14 * kNs);
  BOOST_TEST(b.lsu.accepted_at(early) == 5 * kNs);
  const PayloadRef late = b.store(kLine, ByteMask::full(), 1);
  b.run(20 * kNs);
  b.lsu.send(late);
  b.run(30 * kNs);
  b.memory.accept(0);
  BOOST_TEST(b.lsu.accepted_at(late) == now());
}

BOOST_AUTO_TEST_CASE(a_response_without_end_request_accepts_and_answers) {
  Bench b;
  b.memory.withhold = true;
  const PayloadRef p = b.load(kLine);
  b.lsu.send(p);
  b.run(20 * kNs);
  b.memory.respond(b.memory.last());
  BOOST_TEST(b.lsu.accepted_at(p) == now());
  BOOST_TEST(b.lsu.answered(p));
}

BOOST_AUTO_TEST_CASE(fills_and_acknowledgements_pass_up_with_their_delay) {
  Bench b;
  const PayloadRef load = b.load(kLine), store = b.store(kLine + kLineBytes, ByteMask::full(), 1);
  b.lsu.send(load);
  b.lsu.send(store);
  b.run(100 * kNs);
  b.memory.respond(b.memory.arrivals[0].payload, 3 * kNs);
  b.memory.respond(b.memory.arrivals[1].payload, 4 * kNs);
  BOOST_TEST(b.lsu.answered_at(load) == 103 * kNs);
  BOOST_TEST(b.lsu.answered_at(store) == 104 * kNs);
}

BOOST_FIXTURE_TEST_CASE(effective_times_of_responses_never_decrease, Warm) {
  const PayloadRef hit = load(kLine), store_ = store(kLine + kLineBytes, ByteMask::full(), 1);
  lsu.send(hit);
  lsu.send(store_);
  run(kHit - kNs);
  memory.respond(store_, 5 * kNs);
  run(10 * kNs);
  BOOST_TEST(lsu.answered_at(store_) == start + kHit + 4 * kNs);
  BOOST_TEST(lsu.answered_at(hit) == start + kHit + 4 * kNs);
}

BOOST_AUTO_TEST_CASE(a_load_that_joins_a_fill_is_not_answered_before_it_arrived) {
  Bench b;
  b.lsu.send(b.load(kLine));
  b.run(100 * kNs);
  const PayloadRef joining = b.load(kLine);
  b.lsu.send(joining, 5 * kNs);
  b.memory.respond(b.memory.last());
  BOOST_TEST(b.lsu.answered_at(joining) == 105 * kNs);
}

BOOST_AUTO_TEST_CASE(no_more_sectors_than_the_limit_are_on_their_way) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 8;
  Bench b(spec);
  b.lsu.send(b.load(kLine));
  b.lsu.send(b.load(kLine + kLineBytes));
  const PayloadRef held = b.load(kLine + 2 * kLineBytes, ByteMask::sectors(0x1));
  BOOST_TEST((b.lsu.send(held, kNs) == Sent::withheld));
  b.run(100 * kNs);
  BOOST_TEST(b.memory.arrivals.size() == 2U);
  b.memory.respond(b.memory.arrivals[0].payload, 3 * kNs);
  b.run(3 * kNs);
  BOOST_TEST(b.memory.arrivals.size() == 2U);
  b.run(1);
  BOOST_REQUIRE(b.memory.arrivals.size() == 3U);
  BOOST_TEST(b.memory.arrivals[2].time == 103 * kNs + kMiss);
  BOOST_TEST(b.lsu.accepted_at(held) == 103 * kNs);
  b.memory.respond(b.memory.last());
  BOOST_TEST(b.lsu.answered(held));
  BOOST_TEST(counter(b.l1, "stall_fills") == 102U);
  BOOST_TEST(counter(b.l1, "loads") == 3U);
  BOOST_TEST(counter(b.l1, "load_misses") == 3U);
}

BOOST_AUTO_TEST_CASE(hits_and_loads_that_join_a_fill_need_no_room) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 4;
  Bench b(spec);
  b.complete(b.load(kLine));
  b.lsu.send(b.load(kLine + kLineBytes));
  BOOST_TEST((b.lsu.send(b.load(kLine)) == Sent::accepted));
  BOOST_TEST((b.lsu.send(b.load(kLine + kLineBytes)) == Sent::accepted));
}

BOOST_AUTO_TEST_CASE(a_limit_below_one_line_holds_nothing_for_ever) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 2;
  Bench b(spec);
  b.lsu.send(b.load(kLine));
  const PayloadRef second = b.load(kLine + kLineBytes);
  BOOST_TEST((b.lsu.send(second) == Sent::withheld));
  b.memory.respond(b.memory.last());
  b.run(20 * kNs);
  BOOST_TEST(b.lsu.accepted_at(second) != kNever);
}

BOOST_AUTO_TEST_CASE(a_held_load_is_held_again_by_the_network_and_loses_nothing) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 4;
  Bench b(spec);
  b.lsu.send(b.load(kLine));
  const PayloadRef fill = b.memory.last(), held = b.load(kLine + kLineBytes);
  b.lsu.send(held);
  b.memory.withhold = true;
  b.memory.respond(fill);
  b.run(20 * kNs);
  BOOST_TEST(b.memory.arrivals.size() == 2U);
  BOOST_TEST(b.lsu.accepted_at(held) == kNever);
  b.memory.accept();
  BOOST_TEST(b.lsu.accepted_at(held) == now());
  b.memory.respond(b.memory.last());
  BOOST_TEST(b.lsu.answered(held));
  BOOST_TEST(b.l1.idle());
}

BOOST_AUTO_TEST_CASE(a_held_load_whose_retry_faults_is_accepted_and_answered) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 4;
  Bench b(spec);
  b.memory.faulty.insert(kLine + kLineBytes);
  b.lsu.send(b.load(kLine));
  const PayloadRef fill = b.memory.last(), held = b.load(kLine + kLineBytes);
  b.lsu.send(held);
  b.memory.respond(fill);
  b.run(20 * kNs);
  BOOST_TEST(b.lsu.accepted_at(held) != kNever);
  BOOST_TEST(b.lsu.answered(held));
  BOOST_TEST(held->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(b.l1.idle());
}

BOOST_AUTO_TEST_CASE(a_held_load_hits_when_its_line_came_meanwhile) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 4;
  Bench b(spec);
  b.lsu.send(b.load(kLine, ByteMask::sectors(0x7)));
  const PayloadRef fill = b.memory.last(), held = b.load(kLine, ByteMask::sectors(0xc));
  BOOST_TEST((b.lsu.send(held) == Sent::withheld));
  Memory::Line image;
  image.fill(8);
  b.l1.set_slot(0, kLine, ByteMask::full(), image.data());
  b.memory.respond(fill);
  b.run(40 * kNs);
  BOOST_TEST(b.memory.arrivals.size() == 1U);
  BOOST_TEST(b.lsu.answered(held));
  BOOST_TEST(held->get_data_ptr()[64] == 8);
}
