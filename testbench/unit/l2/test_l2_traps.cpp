// SPDX-License-Identifier: Apache-2.0
//
// Fills that race with stores, atomics and debug writes; reset in the middle of it all.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include "l2_reference.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(waiting_load_gets_the_bytes_of_its_arrival_and_a_later_load_those_of_the_store) {
  L2Bench b;
  L2Reference reference(b);
  b.crossbar.send(b.store(0, ByteMask::range(0, 4), 1));
  const std::size_t early = b.crossbar.send(b.load(0, ByteMask::sectors(1)));
  b.crossbar.send(b.store(0, ByteMask::range(0, 8), 2));  // over a stored and over a missing word
  const std::size_t late = b.crossbar.send(b.load(0, ByteMask::sectors(1)));
  b.settle();
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(early), 0), stored_word(1, 0));
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(early), 1), memory_word(b, 0, 1));
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(late), 0), stored_word(2, 0));
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(late), 1), stored_word(2, 1));
  BOOST_CHECK_EQUAL(b.controller.reads_seen.size(), 1U);
  BOOST_CHECK(b.slice.way(0, 0).dirty == ByteMask::range(0, 8));
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(loads_of_sectors_on_their_way_share_the_fetch_others_start_their_own) {
  L2Bench b;
  b.crossbar.send(b.load(0, ByteMask::sectors(0b0011)));
  b.crossbar.send(b.load(0, ByteMask::sectors(0b0001)));
  b.crossbar.send(b.load(0, ByteMask::sectors(0b0110)));  // waits for both fetches
  b.settle();
  BOOST_REQUIRE_EQUAL(b.controller.reads_seen.size(), 2U);
  BOOST_CHECK(b.controller.reads_seen[0].mask == ByteMask::sectors(0b0011));
  BOOST_CHECK(b.controller.reads_seen[1].mask == ByteMask::sectors(0b0100));
  BOOST_CHECK_EQUAL(b.record(2).answered, 142 * kFsPerNs);
  BOOST_CHECK(std::memcmp(b.payload(2).get_data_ptr() + 32, b.controller.memory(0).data() + 32, 64) == 0);
}

BOOST_AUTO_TEST_CASE(atomics_stores_and_loads_on_a_missing_word_keep_their_order) {
  L2Bench b;
  L2Reference reference(b);
  const std::uint32_t m = memory_word(b, 0, 3);
  b.crossbar.send(b.atomic(0, 3, AtomicFunction::add, 10));
  b.crossbar.send(b.load(0, ByteMask::sectors(1)));           // m + 10
  b.crossbar.send(b.atomic(0, 3, AtomicFunction::add, 100));  // m + 10
  b.crossbar.send(b.store(0, ByteMask::range(12, 4), 6));
  b.crossbar.send(b.load(0, ByteMask::sectors(1)));            // the store
  b.crossbar.send(b.atomic(0, 3, AtomicFunction::add, 1000));  // the store
  b.crossbar.send(b.load(0, ByteMask::sectors(1)));
  b.settle();
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(0), 3), m);
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(1), 3), m + 10);
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(2), 3), m + 10);
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(4), 3), stored_word(6, 3));
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(5), 3), stored_word(6, 3));
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(6), 3), stored_word(6, 3) + 1000);
  BOOST_CHECK_EQUAL(b.controller.reads_seen.size(), 1U);
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(store_to_part_of_a_word_on_which_an_atomic_waits_wins_for_its_bytes_only) {
  L2Bench b;
  L2Reference reference(b);
  b.crossbar.send(b.store(0, ByteMask::range(1, 1), 1));  // one byte of the word is there
  b.crossbar.send(b.atomic(0, 0, AtomicFunction::bit_xor, 0xffffffffU));
  b.crossbar.send(b.store(0, ByteMask::range(2, 1), 2));
  b.crossbar.send(b.load(0, ByteMask::sectors(1)));
  b.crossbar.send(b.atomic(0, 0, AtomicFunction::add, 1));
  b.settle();
  const LineBytes seen = b.debug_line(0);
  BOOST_CHECK_EQUAL(b.payload(3).get_data_ptr()[1], static_cast<unsigned char>(~L2Bench::store_byte(1, 1)));
  BOOST_CHECK_EQUAL(b.payload(3).get_data_ptr()[2], L2Bench::store_byte(2, 2));
  BOOST_CHECK_EQUAL(seen[2], L2Bench::store_byte(2, 2));
  BOOST_CHECK(b.slice.way(0, 0).dirty == ByteMask::range(0, 4));
  BOOST_CHECK_EQUAL(reference.checked, 3U);
  reference.check_memory();
}

BOOST_AUTO_TEST_CASE(atomic_on_a_missing_line_pays_the_fetch_and_hammering_it_is_spaced) {
  L2Bench b;
  for (unsigned i = 0; i < 3; ++i) b.crossbar.send(b.atomic(0, 0, AtomicFunction::add, 1));
  b.settle();
  for (unsigned i = 0; i < 3; ++i) BOOST_CHECK_EQUAL(b.record(i).answered, from_ns(145 + 7.0 * i));
}

BOOST_AUTO_TEST_CASE(lines_on_which_atomics_wait_count_as_dirty_so_the_limit_holds) {
  L2Spec spec = bench_spec();
  spec.janitor = {"threshold", 2, "any_store"};
  L2Bench b(spec);
  for (unsigned n = 0; n < 4; ++n) b.crossbar.send(b.atomic(line_in_set(n), 0, AtomicFunction::add, 1));
  b.run_ns(50);
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(0), 2U);
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.counters().dirty_lines_per_set_peak, 2U);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(debug_read_sees_valid_bytes_over_the_controllers_and_changes_nothing) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask::range(4, 8), 3));
  b.settle();
  const L2Way before = b.slice.way(0, 0);
  unsigned char bytes[20] = {};
  b.debug(tlm::TLM_READ_COMMAND, 2, bytes, 20);
  for (unsigned i = 0; i < 20; ++i) {
    const unsigned at = 2 + i;
    BOOST_CHECK_EQUAL(bytes[i], at >= 4 && at < 12 ? L2Bench::store_byte(3, at) : b.controller.memory(0)[at]);
  }
  const L2Way after = b.slice.way(0, 0);
  BOOST_CHECK(after.valid == before.valid && after.dirty == before.dirty);
  BOOST_CHECK_EQUAL(after.last_use, before.last_use);
  BOOST_CHECK_EQUAL(after.rrpv, before.rrpv);
  BOOST_CHECK(b.crossbar.announced.empty());
}

BOOST_AUTO_TEST_CASE(debug_access_ends_at_the_lines_end_and_honours_enables) {
  L2Bench b;
  unsigned char bytes[16], enables[2] = {0xff, 0x00};
  std::memset(bytes, 0x11, sizeof bytes);
  const LineBytes memory = b.controller.memory(0);
  Payload p;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_address(120);
  p.set_data_ptr(bytes);
  p.set_data_length(16);
  p.set_streaming_width(16);
  p.set_byte_enable_ptr(enables);
  p.set_byte_enable_length(2);
  b.put(0, 0, 0, 1, 1);
  BOOST_CHECK_EQUAL(b.crossbar.socket->transport_dbg(p), 8U);
  for (unsigned i = 0; i < 8; ++i) {
    const unsigned char expected = i % 2 == 0 ? 0x11 : memory[120 + i];
    BOOST_CHECK_EQUAL(b.slice.data(0, 0)[120 + i], expected);
    BOOST_CHECK_EQUAL(b.controller.memory(0)[120 + i], expected);
  }
  BOOST_CHECK(b.slice.way(0, 0).dirty.empty());
  BOOST_REQUIRE_EQUAL(b.crossbar.announced.size(), 1U);
  BOOST_CHECK_EQUAL(b.crossbar.announced[0].first, 120U);
  BOOST_CHECK_EQUAL(b.crossbar.announced[0].second, 127U);
}

BOOST_AUTO_TEST_CASE(wrong_debug_access_gets_an_error_status_and_moves_no_byte) {
  L2Bench b;
  unsigned char bytes[4] = {1, 2, 3, 4}, enables[1] = {0xff};
  const LineBytes memory = b.controller.memory(0);
  Payload p;
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_address(0);
  p.set_data_ptr(bytes);
  p.set_data_length(4);
  p.set_streaming_width(4);
  p.set_byte_enable_ptr(enables);
  p.set_byte_enable_length(0);
  BOOST_CHECK_EQUAL(b.crossbar.socket->transport_dbg(p), 0U);
  BOOST_CHECK_EQUAL(p.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  BOOST_CHECK(b.controller.memory(0) == memory);
  b.log.reset();  // the checkers found the same fault
}

BOOST_AUTO_TEST_CASE(debug_write_to_bytes_being_fetched_is_not_lost_to_later_loads) {
  L2Bench b;
  b.crossbar.send(b.load(0));
  b.run_ns(50);  // the controller has read the old bytes
  unsigned char bytes[4] = {0xa1, 0xa2, 0xa3, 0xa4};
  b.debug(tlm::TLM_WRITE_COMMAND, 8, bytes, 4);
  b.settle();
  const std::size_t later = b.crossbar.send(b.load(0));
  b.settle();
  BOOST_CHECK(std::memcmp(b.payload(later).get_data_ptr() + 8, bytes, 4) == 0);
  BOOST_CHECK(b.slice.way(0, 0).dirty.empty());
}

BOOST_AUTO_TEST_CASE(debug_write_to_bytes_in_a_withheld_write_back_has_the_last_word_in_memory) {
  L2Spec spec = bench_spec();
  spec.janitor = {"threshold", 1, "any_store"};
  L2Bench b(spec);
  b.crossbar.send(b.store(line_in_set(0), ByteMask::sectors(1), 1));
  b.settle();
  b.controller.withhold_writes = true;
  b.crossbar.send(b.store(line_in_set(1), ByteMask::sectors(1), 2));
  b.settle();
  BOOST_REQUIRE(b.controller.write_waits());
  unsigned char bytes[4] = {0xa1, 0xa2, 0xa3, 0xa4};
  b.debug(tlm::TLM_WRITE_COMMAND, 8, bytes, 4);
  b.controller.withhold_writes = false;
  b.controller.accept_write();  // brings the older bytes
  b.settle();
  b.slice.flush();
  b.settle();
  BOOST_CHECK(std::memcmp(b.controller.memory(0).data() + 8, bytes, 4) == 0);
  BOOST_CHECK_EQUAL(b.controller.memory(0)[0], L2Bench::store_byte(1, 0));
}

BOOST_AUTO_TEST_CASE(reset_in_the_middle_drops_everything_and_a_fresh_start_works) {
  L2Spec spec = bench_spec();
  spec.janitor = {"threshold", 1, "any_store"};
  spec.write_back_entries = 2;
  spec.fetch_entries = 2;
  L2Bench b(spec);
  b.controller.withhold_writes = true;
  for (unsigned n = 0; n < 2; ++n) b.crossbar.send(b.load(line_in_set(n, 1)));
  b.crossbar.send(b.atomic(line_in_set(0, 1), 0, AtomicFunction::add, 1));
  for (unsigned n = 0; n < 6; ++n) b.crossbar.send(b.store(line_in_set(n), ByteMask::sectors(1), n));  // the last held
  b.run_ns(60);
  BOOST_CHECK(!b.slice.idle());
  b.slice.flush();
  b.slice.reset();
  b.crossbar.reset();
  b.controller.reset();
  b.checkers.requests.reset();
  b.checkers.reads.reset();
  b.checkers.writes.reset();
  BOOST_CHECK(b.slice.idle());
  BOOST_CHECK_EQUAL(b.pool.outstanding(), 0U);
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 0U);
  BOOST_CHECK_EQUAL(b.slice.counters().stores, 0U);
  b.settle();

  b.controller.withhold_writes = false;
  L2Reference reference(b);
  b.crossbar.send(b.store(0, ByteMask::sectors(1), 9));
  b.crossbar.send(b.load(0));
  const Fs at = now();
  b.settle();
  BOOST_CHECK_EQUAL(b.record(0).answered, at + 50 * kFsPerNs);
  BOOST_CHECK_EQUAL(b.record(1).answered, at + 141 * kFsPerNs);
  reference.check_memory();
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(response_to_a_fetch_from_before_a_reset_is_taken_and_ignored) {
  L2Bench b;
  b.crossbar.send(b.load(0));
  b.run_ns(20);
  b.slice.reset();
  b.crossbar.reset();
  b.checkers.requests.reset();
  b.crossbar.send(b.load(128));  // takes the same fetch entry
  b.settle();
  BOOST_CHECK(std::memcmp(b.payload(0).get_data_ptr(), b.controller.memory(128).data(), kLineBytes) == 0);
  BOOST_CHECK(!b.slice.way(0, 0).present);
  b.check_at_rest();
}
