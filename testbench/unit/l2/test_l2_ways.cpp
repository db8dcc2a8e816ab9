// SPDX-License-Identifier: Apache-2.0
//
// Finding a way: replacement, the write-back FIFO, and what happens when every way is busy.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include <algorithm>
#include <sstream>

#include "l2_reference.h"

using namespace gputlm;
using Event = L2Observer::LineEvent;

namespace {

// Set 0 full of clean lines 0..3 at RRPV 1, used in the order of their numbers.
void fill_set_clean(L2Bench& b) {
  for (unsigned way = 0; way < 4; ++way) b.put(0, way, line_in_set(way), 1, way + 1);
}
// Set 0 full of dirty lines 0..3, all at the victim level.
void fill_set_dirty(L2Bench& b, unsigned rrpv = 2) {
  for (unsigned way = 0; way < 4; ++way) b.put(0, way, line_in_set(way), rrpv, way + 1, ByteMask::sectors(1));
}
bool holds(L2Bench& b, unsigned n) {
  const std::vector<L2Way> ways = b.slice.view_set(0);
  return std::any_of(ways.begin(), ways.end(), [n](const L2Way& w) { return w.present && w.line == line_in_set(n); });
}
std::string explained(const L2Slice& slice) {
  std::ostringstream out;
  slice.explain(out);
  return out.str();
}

}  // namespace

BOOST_AUTO_TEST_CASE(empty_ways_are_filled_before_any_line_is_given_up) {
  L2Bench b;
  for (unsigned n = 0; n < 4; ++n) b.crossbar.send(b.load(line_in_set(n)));
  b.settle();
  for (unsigned n = 0; n < 4; ++n) BOOST_CHECK(holds(b, n));
  BOOST_CHECK_EQUAL(b.slice.counters().evictions, 0U);
  for (unsigned way = 0; way < 4; ++way) BOOST_CHECK_EQUAL(b.slice.way(0, way).rrpv, 1U);
}

BOOST_AUTO_TEST_CASE(victim_is_the_least_recently_used_of_the_last_level_and_all_are_raised_to_find_one) {
  L2Bench b;
  fill_set_clean(b);
  b.crossbar.send(b.load(line_in_set(0)));  // promoted to 0
  b.crossbar.send(b.load(line_in_set(9)));
  b.settle();
  BOOST_CHECK(holds(b, 0));
  BOOST_CHECK(!holds(b, 1));
  BOOST_CHECK(holds(b, 9));
  BOOST_CHECK_EQUAL(b.slice.way(0, 0).rrpv, 1U);  // 0, raised
  BOOST_CHECK_EQUAL(b.slice.way(0, 1).rrpv, 1U);  // inserted after the raise
  BOOST_CHECK_EQUAL(b.slice.way(0, 2).rrpv, 2U);
}

BOOST_AUTO_TEST_CASE(store_hit_keeps_the_rrpv_unless_told_to_promote) {
  L2Spec spec = bench_spec();
  spec.replacement.store_hit = "promote";
  L2Bench keep;
  struct Wrapper : sc_core::sc_module {
    Wrapper(const sc_core::sc_module_name& name, const L2Spec& s) : sc_module(name), bench(s) {}
    L2Bench bench;
  } promote("promote", spec);
  for (L2Bench* b : {&keep, &promote.bench}) {
    b->put(0, 0, line_in_set(0), 2, 1);
    b->crossbar.send(b->store(line_in_set(0), ByteMask::full(), 1));
  }
  L2Bench::settle();
  BOOST_CHECK_EQUAL(keep.slice.way(0, 0).rrpv, 2U);
  BOOST_CHECK_EQUAL(promote.bench.slice.way(0, 0).rrpv, 0U);
}

BOOST_AUTO_TEST_CASE(dirty_victims_enter_the_fifo_stay_readable_and_a_clean_line_goes_instead) {
  L2Bench b;
  L2Reference reference(b);
  fill_set_dirty(b);
  b.put(0, 2, line_in_set(2), 2, 3);  // the only clean one
  b.crossbar.send(b.load(line_in_set(9)));
  b.settle();
  BOOST_CHECK((b.slice.fifo(0) == std::vector<unsigned>{0, 1}));
  BOOST_CHECK(!holds(b, 2));
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 1U);  // way 3; FIFO lines do not count
  BOOST_REQUIRE_EQUAL(b.controller.writes_seen.size(), 2U);
  BOOST_CHECK(b.controller.writes_seen[0].mask == ByteMask::sectors(1));
  const std::size_t again = b.crossbar.send(b.load(line_in_set(0)));
  b.settle();
  BOOST_CHECK_EQUAL(b.record(again).answered - b.record(again).sent, 40 * kFsPerNs);
  BOOST_CHECK_EQUAL(reference.count(Event::dirty_victim), 2U);
}

BOOST_AUTO_TEST_CASE(every_second_fill_pops_the_oldest_counted_from_the_fifo_becoming_non_empty) {
  L2Bench b;
  fill_set_dirty(b);
  b.put(0, 2, line_in_set(2), 2, 3);
  b.put(0, 3, line_in_set(3), 2, 4);
  b.crossbar.send(b.load(line_in_set(9)));  // 0 and 1 enter the FIFO; fill 1
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 2U);
  b.crossbar.send(b.load(line_in_set(10)));  // fill 2: pop
  b.settle();
  BOOST_CHECK((b.slice.fifo(0) == std::vector<unsigned>{1}));
  BOOST_CHECK(!holds(b, 0));
  b.crossbar.send(b.load(line_in_set(11)));  // fill 3, into the way the pop freed
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 1U);
  BOOST_CHECK(holds(b, 9) && holds(b, 10) && holds(b, 11));
  b.crossbar.send(b.load(line_in_set(12)));  // fill 4: pop
  b.settle();
  BOOST_CHECK(b.slice.fifo(0).empty());
  BOOST_CHECK_EQUAL(b.slice.counters().fifo_pops, 2U);
  BOOST_CHECK_EQUAL(b.slice.counters().forced_pops, 0U);
}

BOOST_AUTO_TEST_CASE(pop_that_falls_due_before_the_controller_accepted_is_owed_until_it_does) {
  L2Bench b;
  fill_set_dirty(b);
  b.put(0, 2, line_in_set(2), 2, 3);
  b.put(0, 3, line_in_set(3), 2, 4);
  b.controller.withhold_writes = true;
  b.crossbar.send(b.load(line_in_set(9)));
  b.crossbar.send(b.load(line_in_set(10)));  // a pop is due
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 2U);
  BOOST_CHECK(holds(b, 0));
  b.controller.accept_write();
  b.run_ns(1);
  BOOST_CHECK((b.slice.fifo(0) == std::vector<unsigned>{1}));
  BOOST_CHECK(!holds(b, 0));
  b.controller.accept_write();  // its bytes are accepted, but no pop is due for it
  b.run_ns(1);
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 1U);
}

BOOST_AUTO_TEST_CASE(without_a_clean_victim_the_oldest_accepted_fifo_line_is_popped_at_once) {
  L2Bench b;
  fill_set_dirty(b);
  b.crossbar.send(b.load(line_in_set(9)));
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.counters().forced_pops, 1U);
  BOOST_CHECK(!holds(b, 0));
  BOOST_CHECK((b.slice.fifo(0) == std::vector<unsigned>{1, 2, 3}));
  BOOST_CHECK_EQUAL(b.record(0).answered - b.record(0).sent, 140 * kFsPerNs);
}

BOOST_AUTO_TEST_CASE(search_for_a_clean_victim_stays_within_the_last_level) {
  L2Bench b;
  fill_set_dirty(b);
  b.put(0, 3, line_in_set(3), 0, 4);  // clean, but loaded again recently
  b.crossbar.send(b.load(line_in_set(9)));
  b.settle();
  BOOST_CHECK(holds(b, 3));
  BOOST_CHECK_EQUAL(b.slice.counters().forced_pops, 1U);
}

BOOST_AUTO_TEST_CASE(request_is_held_while_no_fifo_line_is_accepted_and_goes_on_at_that_end_req) {
  L2Bench b;
  fill_set_dirty(b);
  b.controller.withhold_writes = true;
  b.crossbar.send(b.store(line_in_set(9), ByteMask::full(), 1));
  b.run_until(99 * kFsPerNs);
  BOOST_CHECK_EQUAL(b.record(0).accepted, kNever);
  BOOST_CHECK(!b.slice.idle());
  BOOST_CHECK_NE(explained(b.slice).find("store of line " + hex_text(line_in_set(9)) + " held since 0 ns: every way"),
                 std::string::npos);
  const Fs at = now();
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(b.record(0).accepted, at + 4 * kFsPerNs);  // with its service time
  BOOST_CHECK_EQUAL(b.record(0).answered, at + 50 * kFsPerNs);
  struct Sink : StatisticsSink {
    void count(std::string_view, std::string_view, std::string_view, std::uint64_t) override {}
    void value(std::string_view name, std::string_view, std::string_view, double v) override {
      if (name == "stall_ways_busy_ns") ways_busy = v;
      if (name == "stall_write_back_list_ns") list = v;
    }
    void histogram(std::string_view, std::string_view, const Histogram&) override {}
    double ways_busy = -1, list = -1;
  } sink;
  b.slice.report(sink);
  BOOST_CHECK_CLOSE(sink.ways_busy, to_ns(at), 1e-6);
  BOOST_CHECK_EQUAL(sink.list, 0);
}

BOOST_AUTO_TEST_CASE(store_to_a_fifo_line_takes_it_out_and_it_is_never_dropped) {
  L2Bench b;
  L2Reference reference(b);
  fill_set_dirty(b);
  b.put(0, 2, line_in_set(2), 2, 3);
  b.put(0, 3, line_in_set(3), 2, 4);
  b.crossbar.send(b.load(line_in_set(9)));
  b.settle();
  BOOST_REQUIRE((b.slice.fifo(0) == std::vector<unsigned>{0, 1}));
  b.crossbar.send(b.store(line_in_set(0), ByteMask::range(64, 8), 9));
  b.settle();
  BOOST_CHECK((b.slice.fifo(0) == std::vector<unsigned>{1}));
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 1U);
  BOOST_CHECK_EQUAL(b.slice.counters().fifo_rescues, 1U);
  for (unsigned n = 20; n < 24; ++n) b.crossbar.send(b.load(line_in_set(n)));  // pops and evictions all round
  b.crossbar.send(b.load(line_in_set(0)));
  b.settle();
  reference.check_memory();
  BOOST_CHECK_EQUAL(b.debug_line(line_in_set(0))[64], L2Bench::store_byte(9, 64));
}

BOOST_AUTO_TEST_CASE(dirty_line_found_at_the_head_of_the_fifo_is_kept) {
  L2Bench b;
  fill_set_clean(b);
  L2Way w = b.slice.way(0, 0);
  w.dirty = ByteMask::sectors(2);
  w.in_fifo = true;  // a state the slice itself never makes: dirty, and nobody writes it back
  b.slice.set_way(0, 0, w, b.slice.data(0, 0));
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 0U);
  b.crossbar.send(b.load(line_in_set(9)));
  b.crossbar.send(b.load(line_in_set(10)));
  b.settle();
  BOOST_CHECK(holds(b, 0));
  BOOST_CHECK(b.slice.fifo(0).empty());
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 1U);
}

BOOST_AUTO_TEST_CASE(fifo_line_with_a_fetch_in_flight_keeps_its_way_until_the_fill) {
  L2Bench b;
  fill_set_dirty(b);
  b.put(0, 2, line_in_set(2), 2, 3);
  b.put(0, 3, line_in_set(3), 2, 4);
  L2Way half = b.slice.way(0, 0);
  half.valid = ByteMask::sectors(1);
  b.slice.set_way(0, 0, half, b.slice.data(0, 0));
  b.controller.read_time = 500 * kFsPerNs;
  b.crossbar.send(b.load(line_in_set(9)));
  const std::size_t waits = b.crossbar.send(b.load(line_in_set(0)));  // lacks three sectors; in the FIFO
  b.crossbar.send(b.load(line_in_set(10)));                           // the pop falls due now
  b.run_until(200 * kFsPerNs);
  BOOST_CHECK(holds(b, 0));
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 2U);
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 1U);
  BOOST_CHECK(!holds(b, 0));
  BOOST_CHECK(std::memcmp(b.payload(waits).get_data_ptr(), b.controller.memory(0).data(), kLineBytes) == 0);
}

BOOST_AUTO_TEST_CASE(with_a_fetch_in_flight_in_every_way_the_next_request_waits_for_the_first_fill) {
  L2Bench b;
  for (unsigned n = 0; n < 6; ++n) b.crossbar.send(b.load(line_in_set(n)));
  b.run_until(99 * kFsPerNs);
  BOOST_CHECK_EQUAL(b.record(4).accepted, kNever);
  BOOST_CHECK_EQUAL(b.controller.reads_seen.size(), 4U);
  b.settle();
  BOOST_CHECK_EQUAL(b.record(4).accepted, 101 * kFsPerNs);
  for (unsigned n = 0; n < 6; ++n) BOOST_CHECK_EQUAL(b.record(n).status, tlm::TLM_OK_RESPONSE);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(without_a_free_fetch_entry_a_miss_waits_and_is_counted_so) {
  L2Spec spec = bench_spec();
  spec.fetch_entries = 2;
  L2Bench b(spec);
  for (unsigned n = 0; n < 3; ++n) b.crossbar.send(b.load(n * kLineBytes));
  b.run_until(50 * kFsPerNs);
  BOOST_CHECK_EQUAL(b.record(2).accepted, kNever);
  BOOST_CHECK_NE(explained(b.slice).find("no fetch entry is free"), std::string::npos);
  b.settle();
  BOOST_CHECK_EQUAL(b.record(2).accepted, 101 * kFsPerNs);
  BOOST_CHECK_EQUAL(b.slice.counters().fetches_in_flight_peak, 2U);
}

BOOST_AUTO_TEST_CASE(raise_is_not_repeated_when_a_held_request_is_tried_again) {
  L2Bench b;
  fill_set_dirty(b, 1);
  b.put(0, 3, line_in_set(3), 0, 4, ByteMask::sectors(1));
  b.controller.withhold_writes = true;
  b.crossbar.send(b.load(line_in_set(9)));
  b.run_ns(10);
  BOOST_CHECK_EQUAL(b.slice.way(0, 3).rrpv, 1U);
  b.controller.accept_write();
  b.run_ns(10);
  BOOST_CHECK_EQUAL(b.slice.way(0, 3).rrpv, 1U);  // a second raise would have made it a victim too
  BOOST_CHECK_EQUAL(b.slice.fifo(0).size(), 2U);
  b.controller.accept_write();
  b.controller.withhold_writes = false;
  b.run_ns(10);
  if (b.controller.write_waits()) b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(b.record(0).status, tlm::TLM_OK_RESPONSE);
}
