// SPDX-License-Identifier: Apache-2.0
//
// Fetches held behind a write-back of their line, and what is stored meanwhile.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include "l2_reference.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(load_held_behind_a_queued_write_back_is_not_overtaken_by_a_later_store_in_it) {
  L2Spec spec = bench_spec();
  spec.janitor = {"threshold", 1, "any_store"};
  L2Bench b(spec);
  L2Reference reference(b);
  b.controller.withhold_writes = true;
  const std::uint64_t line = line_in_set(1);
  const ByteMask word0 = ByteMask::range(0, 4), words = ByteMask::range(0, 8);
  b.crossbar.send(b.store(line_in_set(0), word0, 1));
  b.crossbar.send(b.store(line, word0, 2));            // cleans line 0: its write-back is sent and withheld
  b.crossbar.send(b.store(line_in_set(2), word0, 3));  // cleans `line`: queued behind it
  const std::size_t held = b.crossbar.send(b.load(line, ByteMask::sectors(1)));
  b.crossbar.send(b.store(line, words, 4));  // over a byte that goes with the write-back and one the load waits for
  const std::size_t late = b.crossbar.send(b.load(line, ByteMask::sectors(1)));
  b.run_ns(100);
  BOOST_REQUIRE_EQUAL(b.slice.counters().fetches_held, 1U);
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 1U);  // the word the write-back leaves behind
  b.controller.withhold_writes = false;
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(held), 0), stored_word(2, 0));
  BOOST_CHECK(std::memcmp(b.payload(held).get_data_ptr() + 8, b.controller.memory(line).data() + 8, 24) == 0);
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(late), 1), stored_word(4, 1));
  BOOST_REQUIRE_GE(b.controller.writes_seen.size(), 2U);
  BOOST_CHECK(b.controller.writes_seen[1].mask == word0);
  BOOST_CHECK(b.slice.way(0, 1).dirty == ByteMask::range(4, 4));
  b.slice.flush();
  b.settle();
  BOOST_CHECK_EQUAL(memory_word(b, line, 1), stored_word(4, 1));
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(atomic_held_behind_a_queued_write_back_does_not_see_a_later_store) {
  L2Bench b;
  L2Reference reference(b);
  b.controller.withhold_writes = true;
  const std::uint64_t line = line_in_set(1);
  const std::uint32_t before = memory_word(b, line, 1);
  b.crossbar.send(b.store(line_in_set(0), ByteMask::range(0, 4), 1));
  b.crossbar.send(b.store(line, ByteMask::range(0, 4), 2));
  b.run_ns(10);
  b.slice.flush();  // line 0 is sent and withheld, `line` queued
  b.run_ns(10);
  BOOST_REQUIRE(b.slice.way(0, 1).writing);
  const std::size_t atomic = b.crossbar.send(b.atomic(line, 1, AtomicFunction::add, 10));
  const std::size_t store = b.crossbar.send(b.store(line, ByteMask::range(4, 4), 4));
  b.run_ns(10);
  b.controller.withhold_writes = false;
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(atomic), 1), before);
  BOOST_CHECK_EQUAL(b.record(store).status, tlm::TLM_OK_RESPONSE);
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 1U);
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(debug_write_into_a_fifo_line_under_way_leaves_its_way_usable) {
  L2Spec spec = bench_spec();
  spec.ways = 1;
  L2Bench b(spec);
  b.crossbar.send(b.store(line_in_set(0), ByteMask::range(0, 4), 1));
  b.settle();
  b.controller.withhold_writes = true;
  const std::size_t waits = b.crossbar.send(b.load(line_in_set(1), ByteMask::sectors(1)));
  b.run_ns(10);
  BOOST_REQUIRE(b.slice.way(0, 0).in_fifo);
  unsigned char bytes[2] = {0xa1, 0xa2};
  b.debug(tlm::TLM_WRITE_COMMAND, 1, bytes, 2);
  b.controller.withhold_writes = false;
  b.controller.accept_write();
  b.settle();
  BOOST_CHECK_EQUAL(b.record(waits).status, tlm::TLM_OK_RESPONSE);
  BOOST_CHECK(std::memcmp(b.controller.memory(0).data() + 1, bytes, 2) == 0);
}
