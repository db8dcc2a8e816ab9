// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/test_support/histogram_of.h"
#include "lsu_bench.h"

using namespace gputlm;
using namespace gputlm::lsu_test;

namespace {

/// `count` stores at once from one port, each to a line of its own.
std::vector<PayloadRef> stores(Bench& bench, unsigned port, unsigned count, unsigned lane_bytes = 4, Fs every = 0) {
  std::vector<PayloadRef> all;
  for (unsigned i = 0; i < count; ++i) {
    all.push_back(store(bench.pool, 0x100000 * (port + 1) + i * kLanes * lane_bytes, lane_bytes));
    bench.initiators.send(i * every, port, all.back());
  }
  return all;
}

double average_interval_cycles(const std::vector<ScriptedL1::Arrival>& arrivals) {
  const auto last = static_cast<double>(arrivals.back().time - arrivals.front().time);
  return last / static_cast<double>(arrivals.size() - 1) * kClock / 1e15;
}

}  // namespace

BOOST_AUTO_TEST_CASE(stores_of_one_queue_leave_every_six_point_one_cycles) {
  Bench bench;
  stores(bench, 0, 1001);
  bench.finish(1001);
  BOOST_TEST(bench.l1.arrivals.size() == 1001U);
  BOOST_TEST(average_interval_cycles(bench.l1.arrivals) == 6.1, boost::test_tools::tolerance(1e-6));
  for (std::size_t i = 0; i < bench.l1.arrivals.size(); ++i)
    BOOST_REQUIRE_EQUAL(bench.l1.arrivals[i].time, static_cast<Fs>(i) * cycles(6.1));
}

BOOST_AUTO_TEST_CASE(one_lane_takes_the_same_interval) {
  Bench bench;
  for (unsigned i = 0; i < 20; ++i)
    bench.initiators.send(0, 0, strided(bench.pool, Operation::store, 0x1000 * i, 4, 4, 1));
  bench.finish(20);
  BOOST_TEST(bench.l1.arrivals[19].time == 19 * cycles(6.1));
}

BOOST_AUTO_TEST_CASE(wide_lanes_take_longer) {
  Bench bench;
  stores(bench, 0, 10, 8);
  const Fs eight = 10 * cycles(8.3);
  std::vector<PayloadRef> wide;
  for (unsigned i = 0; i < 10; ++i)  // one lane each, so that the exit does not limit
    bench.initiators.send(eight, 1, strided(bench.pool, Operation::store, 0x800000 + 0x1000 * i, 16, 16, 1));
  bench.finish(20);
  const auto& arrivals = bench.l1.arrivals;
  BOOST_TEST(arrivals.size() == 30U);  // two lines each, then one
  BOOST_TEST(arrivals[18].time == 9 * cycles(8.3));
  BOOST_TEST(arrivals[29].time == eight + 9 * cycles(12.3));
}

BOOST_AUTO_TEST_CASE(a_queue_of_twenty_four_takes_stores_every_four_cycles_until_it_is_full) {
  Bench bench;
  const auto sent = stores(bench, 0, 120, 4, cycles(4));
  bench.finish(120);
  // Store n comes at 4 n cycles, when floor(4 n / 6.1) + 1 of its n predecessors have left: 24 wait first at n = 70.
  unsigned first_delayed = 0;
  while (bench.initiators[sent[first_delayed]].accepted == first_delayed * cycles(4)) ++first_delayed;
  BOOST_TEST(first_delayed == 70U);
  for (unsigned i = first_delayed + 1; i < 120; ++i)
    BOOST_REQUIRE_EQUAL(bench.initiators[sent[i]].accepted - bench.initiators[sent[i - 1]].accepted, cycles(6.1));
  BOOST_TEST(bench.lsu.queue_full_ns(0) > 0.0);
  BOOST_TEST(bench.lsu.queue_full_ns(1) == 0.0);
}

BOOST_AUTO_TEST_CASE(a_store_request_holds_the_exit_two_cycles_or_one_per_sector) {
  Bench bench;
  // Lane i in line i, over the given number of sectors of it: sector s of line l is touched by lane (l * sectors + s).
  Fs start = 0;
  std::size_t first = 0;
  for (const unsigned sectors : {1U, 2U, 3U, 4U}) {
    PayloadRef p = strided(bench.pool, Operation::store, 0, 0);
    WarpLanes& lanes = *find_sideband(*p)->lanes;
    lanes.active = sectors == 3 ? 0x3fffffffU : kAllLanes;
    for (unsigned i = 0; i < kLanes; ++i)
      lanes.address[i] = 0x1000 + i / sectors * kLineBytes + i % sectors * kSectorBytes;
    finish_warp(*p);
    bench.initiators.send(start, 0, p);
    bench.run_until(start + from_ns(100));
    const auto& arrivals = bench.l1.arrivals;
    for (std::size_t i = first + 1; i < arrivals.size(); ++i)
      BOOST_REQUIRE_EQUAL(arrivals[i].time - arrivals[i - 1].time, cycles(std::max(2U, sectors)));
    first = arrivals.size();
    start += from_ns(200);
  }
  bench.finish(4);
}

BOOST_AUTO_TEST_CASE(a_store_to_thirty_two_lines_holds_its_queue_sixty_four_cycles) {
  Bench bench;
  bench.initiators.send(0, 0, strided(bench.pool, Operation::store, 0, 128));
  bench.initiators.send(0, 0, store(bench.pool, 0x10000));
  bench.finish(2);
  BOOST_TEST(bench.l1.arrivals.size() == 33U);
  BOOST_TEST(bench.l1.arrivals.back().time == 32 * cycles(2));
}

BOOST_AUTO_TEST_CASE(four_queues_of_full_lines_carry_thirty_two_bytes_a_cycle) {
  Bench bench;
  for (unsigned port = 0; port < 4; ++port) stores(bench, port, 100);
  bench.finish(400);
  BOOST_TEST(average_interval_cycles(bench.l1.arrivals) == 4.0, boost::test_tools::tolerance(1e-5));
  for (unsigned i = 0; i < 4; ++i)
    BOOST_TEST((bench.l1.arrivals[i].line >> 20) != (bench.l1.arrivals[i + 1].line >> 20));
}

BOOST_AUTO_TEST_CASE(loads_leave_two_a_cycle_from_four_queues_and_one_per_two_from_one) {
  Bench bench;
  for (unsigned port = 0; port < 4; ++port)
    for (unsigned i = 0; i < 20; ++i) bench.initiators.send(0, port, load(bench.pool, 0x10000 * port + i * kLineBytes));
  const Fs later = from_ns(1000);
  for (unsigned i = 0; i < 20; ++i) bench.initiators.send(later, 0, load(bench.pool, 0x80000 + i * kLineBytes));
  bench.finish(100);
  BOOST_TEST(bench.l1.arrivals[79].time == 79 * cycles(0.5), boost::test_tools::tolerance(1e-5));
  BOOST_TEST(bench.l1.arrivals[99].time == later + 19 * cycles(2));
}

BOOST_AUTO_TEST_CASE(a_withheld_end_req_stops_the_exit_and_is_counted) {
  Bench bench;
  bench.l1.withhold = true;
  stores(bench, 0, 3);
  bench.run_until(from_ns(50));
  BOOST_TEST(bench.l1.arrivals.size() == 1U);
  bench.l1.withhold = false;
  bench.l1.accept();
  bench.finish(3);
  BOOST_TEST(bench.lsu.exit_stall_ns(Lsu::ExitStall::back_pressure) == 50.0);
  // The next store was due long ago: it leaves when the first has been accepted.
  BOOST_TEST(bench.l1.arrivals[1].time == from_ns(50));
  BOOST_TEST(bench.l1.arrivals[2].time == from_ns(50) + cycles(6.1));
}

BOOST_AUTO_TEST_CASE(queues_take_turns_so_that_a_wide_store_does_not_starve_another) {
  Bench bench;
  bench.initiators.send(0, 0, strided(bench.pool, Operation::store, 0, 128));
  bench.initiators.send(1, 1, store(bench.pool, 0x100000));
  bench.finish(2);
  BOOST_TEST(bench.l1.arrivals[1].line == 0x100000U);
}

BOOST_AUTO_TEST_CASE(a_queue_filled_by_hand_holds_back_what_comes_and_drains_like_any_other) {
  Bench bench;
  bench.l1.withhold = true;
  std::vector<std::uint64_t> lines;
  for (unsigned i = 0; i < 30; ++i) lines.push_back(0x10000 + i * kLineBytes);
  bench.lsu.fill_queue(2, lines);
  BOOST_TEST(bench.lsu.queued(2) == 24U);
  bench.run_until(from_ns(1));
  BOOST_TEST(bench.lsu.queued(2) == 23U);  // one is at the exit
  bench.lsu.fill_queue(2, lines);
  const PayloadRef p = store(bench.pool, 0x80000);
  bench.initiators.send(now(), 2, p);
  bench.run_until(from_ns(50));
  BOOST_TEST(bench.initiators[p].accepted == kNever);
  BOOST_TEST(bench.lsu.queue_full_ns(2) > 48.0);
  bench.l1.withhold = false;
  bench.l1.accept();
  bench.finish(1);  // nobody is told of the loads
  BOOST_TEST(bench.l1.arrivals.size() == 26U);
  BOOST_TEST((bench.l1.arrivals.back().operation == Operation::store));
}

BOOST_AUTO_TEST_CASE(the_wait_of_a_line_request_runs_from_its_instructions_begin_req) {
  Bench bench;
  for (unsigned i = 0; i < 2; ++i) {
    bench.initiators.send(0, 0, strided(bench.pool, Operation::load, 0x1000 * i, 4));
    bench.initiators.send(0, 1, store(bench.pool, 0x100000 + 0x1000 * i));
  }
  bench.finish(4);
  const Histogram loads = histogram_of(bench.lsu, "load_line_wait"),
                  stores = histogram_of(bench.lsu, "store_line_wait");
  Fs load_at = 0, store_at = 0;  // all came at 0
  for (const auto& a : bench.l1.arrivals) (a.operation == Operation::load ? load_at : store_at) = a.time;
  BOOST_TEST(loads.count() == 2U);
  BOOST_TEST(stores.count() == 2U);
  BOOST_TEST(load_at >= cycles(2));
  BOOST_TEST(loads.max() == load_at);
  BOOST_TEST(store_at >= cycles(6.1));
  BOOST_TEST(stores.max() == store_at);
}
