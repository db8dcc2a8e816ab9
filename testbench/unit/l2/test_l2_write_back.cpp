// SPDX-License-Identifier: Apache-2.0
//
// Dirty bytes on their way to the controller: janitor, write-back list, flush.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include <sstream>

#include "l2_reference.h"

using namespace gputlm;
using Event = L2Observer::LineEvent;

namespace {

L2Spec with_janitor(unsigned threshold, const char* trigger = "any_store") {
  L2Spec spec = bench_spec();
  spec.janitor = {"threshold", threshold, trigger};
  return spec;
}
void store_lines(L2Bench& b, std::initializer_list<unsigned> lines) {
  for (const unsigned n : lines) b.crossbar.send(b.store(line_in_set(n), ByteMask::sectors(1), n));
  L2Bench::settle();
}

}  // namespace

BOOST_AUTO_TEST_CASE(janitor_cleans_the_least_recently_stored_line_in_place) {
  L2Bench b(with_janitor(2));
  L2Reference reference(b);
  store_lines(b, {0, 1});
  b.crossbar.send(b.load(line_in_set(0), ByteMask::sectors(1)));  // most recently used, least recently stored
  store_lines(b, {2});
  BOOST_REQUIRE_EQUAL(b.controller.writes_seen.size(), 1U);
  BOOST_CHECK_EQUAL(b.controller.writes_seen[0].line, line_in_set(0));
  BOOST_CHECK(b.controller.writes_seen[0].mask == ByteMask::sectors(1));
  BOOST_CHECK(b.slice.way(0, 0).present);
  BOOST_CHECK(b.slice.way(0, 0).dirty.empty());
  BOOST_CHECK(b.slice.fifo(0).empty());
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 2U);
  BOOST_CHECK_EQUAL(b.slice.counters().janitor_cleans, 1U);
  const std::size_t hit = b.crossbar.send(b.load(line_in_set(0), ByteMask::sectors(1)));
  b.settle();
  BOOST_CHECK_EQUAL(b.record(hit).answered - b.record(hit).sent, 40 * kFsPerNs);
  BOOST_CHECK_EQUAL(reference.count(Event::written_to_dram), 1U);
}

BOOST_AUTO_TEST_CASE(below_the_threshold_nothing_is_cleaned) {
  L2Bench b(with_janitor(3));
  store_lines(b, {0, 1, 2});
  BOOST_CHECK(b.controller.writes_seen.empty());
  store_lines(b, {0});
  BOOST_CHECK_EQUAL(b.controller.writes_seen.size(), 1U);
}

BOOST_AUTO_TEST_CASE(trigger_new_dirty_line_leaves_stores_to_dirty_lines_alone) {
  L2Bench b(with_janitor(2, "new_dirty_line"));
  store_lines(b, {0, 1, 0, 1});
  BOOST_CHECK(b.controller.writes_seen.empty());
  store_lines(b, {2});
  BOOST_CHECK_EQUAL(b.controller.writes_seen.size(), 1U);
}

BOOST_AUTO_TEST_CASE(loads_never_clean) {
  L2Bench b(with_janitor(1));
  store_lines(b, {0});
  b.crossbar.send(b.load(line_in_set(0), ByteMask::sectors(1)));
  b.crossbar.send(b.load(line_in_set(1)));
  b.settle();
  BOOST_CHECK(b.controller.writes_seen.empty());
}

BOOST_AUTO_TEST_CASE(bytes_stored_between_begin_req_and_end_req_stay_dirty_and_are_written_again) {
  L2Bench b(with_janitor(1));
  L2Reference reference(b);
  store_lines(b, {0});
  b.controller.withhold_writes = true;
  store_lines(b, {1});  // cleans 0
  BOOST_REQUIRE(b.controller.write_waits());
  b.crossbar.send(b.store(line_in_set(0), ByteMask::range(8, 8), 77));  // cleans 1 first
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 1U);  // 0 again; 1 is in the list
  BOOST_CHECK(b.slice.way(0, 0).dirty == ByteMask::sectors(1));
  b.controller.accept_write();
  b.run_ns(1);
  BOOST_CHECK(b.slice.way(0, 0).dirty == ByteMask::range(8, 8));
  BOOST_CHECK_EQUAL(b.controller.memory(0)[8], L2Bench::store_byte(0, 8));  // the snapshot, not the later store
  b.controller.accept_write();
  b.controller.withhold_writes = false;
  b.slice.flush();
  b.settle();
  BOOST_CHECK_EQUAL(b.controller.memory(0)[8], L2Bench::store_byte(77, 8));
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 0U);
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(store_to_a_line_still_waiting_in_the_list_leaves_in_the_same_write_back) {
  L2Bench b(with_janitor(1));
  store_lines(b, {0});
  b.controller.withhold_writes = true;
  store_lines(b, {1, 2});  // 0 sent, 1 waits in the list
  b.crossbar.send(b.store(line_in_set(1), ByteMask::sectors(0b1000), 5));
  b.settle();
  b.controller.withhold_writes = false;
  b.controller.accept_write();
  b.settle();
  unsigned of_line_1 = 0;
  for (const auto& w : b.controller.writes_seen)
    if (w.line == line_in_set(1)) {
      ++of_line_1;
      BOOST_CHECK(w.mask == ByteMask::sectors(0b1001));
    }
  BOOST_CHECK_EQUAL(of_line_1, 1U);
}

BOOST_AUTO_TEST_CASE(full_write_back_list_holds_the_store_that_needs_it_until_the_end_req) {
  L2Spec spec = with_janitor(1);
  spec.write_back_entries = 2;
  L2Bench b(spec);
  b.controller.withhold_writes = true;
  store_lines(b, {0, 1, 2});  // 0 sent, 1 waiting: full
  const std::size_t held = b.crossbar.send(b.store(line_in_set(3), ByteMask::sectors(1), 3));
  b.settle();
  BOOST_CHECK_EQUAL(b.record(held).accepted, kNever);
  std::ostringstream out;
  b.slice.explain(out);
  BOOST_CHECK_NE(out.str().find("write-back list is full"), std::string::npos);
  BOOST_CHECK_EQUAL(b.slice.counters().write_back_list_peak, 2U);
  BOOST_CHECK_EQUAL(b.slice.counters().write_backs, 1U);
  BOOST_CHECK_EQUAL(b.slice.counters().janitor_cleans, 1U);  // counted when sent, like the write-backs they are among
  const Fs at = now();
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(b.record(held).accepted, at + kFsPerNs);
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.counters().janitor_cleans, 3U);  // the retry did not clean twice
}

BOOST_AUTO_TEST_CASE(load_misses_go_on_while_a_write_back_is_withheld) {
  L2Bench b(with_janitor(1));
  store_lines(b, {0});
  b.controller.withhold_writes = true;
  store_lines(b, {1});
  const std::size_t load = b.crossbar.send(b.load(line_in_set(2)));
  b.settle();
  BOOST_CHECK_EQUAL(b.record(load).answered - b.record(load).sent, 140 * kFsPerNs);
}

BOOST_AUTO_TEST_CASE(fetch_of_a_line_being_written_back_is_held_until_its_end_req) {
  L2Bench b(with_janitor(1));
  L2Reference reference(b);
  store_lines(b, {0});
  b.controller.withhold_writes = true;
  store_lines(b, {1});
  const std::size_t load = b.crossbar.send(b.load(line_in_set(0)));  // has one sector of four
  b.settle();
  BOOST_CHECK(b.controller.reads_seen.empty());
  BOOST_CHECK_EQUAL(b.slice.counters().fetches_held, 1U);
  const Fs at = now();
  b.controller.accept_write();
  b.settle();
  BOOST_REQUIRE_EQUAL(b.controller.reads_seen.size(), 1U);
  BOOST_CHECK_EQUAL(b.controller.reads_seen[0].at, at);
  BOOST_CHECK(b.controller.reads_seen[0].mask == ByteMask::sectors(0b1110));
  BOOST_CHECK_EQUAL(b.record(load).answered, at + 140 * kFsPerNs);
}

BOOST_AUTO_TEST_CASE(line_with_a_fetch_in_flight_is_not_written_back_before_the_fill) {
  L2Bench b(with_janitor(1));
  L2Reference reference(b);
  b.controller.sample_late = true;
  const std::size_t load = b.crossbar.send(b.load(line_in_set(0)));
  b.crossbar.send(b.store(line_in_set(0), ByteMask::sectors(1), 3));
  const std::size_t second = b.crossbar.send(b.store(line_in_set(1), ByteMask::sectors(1), 4));
  b.run_until(99 * kFsPerNs);
  BOOST_CHECK(b.controller.writes_seen.empty());
  BOOST_CHECK_EQUAL(b.record(second).accepted, kNever);  // it would make a second dirty line
  b.settle();
  BOOST_CHECK_EQUAL(b.record(second).accepted, 101 * kFsPerNs);
  BOOST_CHECK_EQUAL(b.payload(load).get_data_ptr()[0], 0);  // memory's byte, not the later store's
  BOOST_CHECK_EQUAL(b.slice.counters().dirty_lines_per_set_peak, 1U);
}

BOOST_AUTO_TEST_CASE(delayed_end_req_keeps_the_bytes_dirty_until_its_effective_time) {
  L2Bench b(with_janitor(1));
  b.controller.write_accept_delay = 10 * kFsPerNs;
  store_lines(b, {0});
  const std::size_t second = b.crossbar.send(b.store(line_in_set(1), ByteMask::sectors(1), 1));
  b.run_ns(9);
  BOOST_CHECK(!b.slice.way(0, 0).dirty.empty());
  b.run_ns(2);
  BOOST_CHECK(b.slice.way(0, 0).dirty.empty());
  b.crossbar.send(b.store(line_in_set(2), ByteMask::sectors(1), 1));
  b.crossbar.send(b.store(line_in_set(3), ByteMask::sectors(1), 1));
  b.settle();
  BOOST_REQUIRE_EQUAL(b.controller.writes_seen.size(), 3U);
  BOOST_CHECK_EQUAL(b.controller.writes_seen[0].at, b.record(second).sent);
  BOOST_CHECK_EQUAL(b.controller.writes_seen[2].at - b.controller.writes_seen[1].at, 10 * kFsPerNs);
}

BOOST_AUTO_TEST_CASE(flush_writes_every_dirty_line_and_keeps_it_then_clean_lines_can_be_dropped) {
  L2Bench b;
  L2Reference reference(b);
  for (unsigned n = 0; n < 10; ++n) b.crossbar.send(b.store(n * kLineBytes, ByteMask::sectors(3), n));
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(), 10U);
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 640U);
  b.controller.withhold_writes = true;
  b.slice.flush();
  b.run_ns(10);
  BOOST_CHECK(b.slice.flushing());
  BOOST_CHECK_EQUAL(b.slice.invalidate_clean(), 10U);  // none is clean yet
  b.controller.withhold_writes = false;
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK(!b.slice.flushing());
  BOOST_CHECK(b.slice.idle());
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 0U);
  BOOST_CHECK_EQUAL(b.controller.writes_seen.size(), 10U);
  BOOST_CHECK(b.slice.way(0, 0).present);
  BOOST_CHECK_EQUAL(b.slice.invalidate_clean(), 0U);
  BOOST_CHECK(!b.slice.way(0, 0).present);
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(flush_waits_for_a_fill_in_its_way_and_then_goes_on) {
  L2Bench b;
  b.crossbar.send(b.load(0));
  b.crossbar.send(b.store(0, ByteMask::range(0, 4), 1));
  b.run_ns(10);
  b.slice.flush();
  b.run_ns(50);
  BOOST_CHECK(b.slice.flushing());
  BOOST_CHECK(b.controller.writes_seen.empty());
  b.settle();
  BOOST_CHECK(!b.slice.flushing());
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 0U);
}

BOOST_AUTO_TEST_CASE(write_back_answered_with_an_error_is_counted) {
  L2Bench b(with_janitor(1));
  b.controller.error_line = line_in_set(0);
  store_lines(b, {0, 1});
  BOOST_CHECK_EQUAL(b.slice.counters().write_back_errors, 1U);
  BOOST_CHECK(b.slice.idle());
}
