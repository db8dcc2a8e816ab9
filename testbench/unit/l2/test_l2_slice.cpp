// SPDX-License-Identifier: Apache-2.0
//
// Function and timing of a slice: stores, loads, atomics on their own.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include "l2_bench.h"

using namespace gputlm;

namespace {
constexpr Fs ns(double n) {
  return static_cast<Fs>(n * 1e6);
}
}  // namespace

BOOST_AUTO_TEST_CASE(store_is_acknowledged_after_its_latency_and_not_before) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask::full(), 1));
  b.run_until(ns(50) - 1);
  BOOST_CHECK_EQUAL(b.record(0).answered, kNever);
  b.run_until(ns(50));
  BOOST_CHECK_EQUAL(b.record(0).answered, ns(50));
  BOOST_CHECK_EQUAL(b.record(0).status, tlm::TLM_OK_RESPONSE);
  BOOST_CHECK(b.controller.reads_seen.empty());
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(port_opens_after_the_service_time_of_the_request) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask::full(), 1));             // 4 sectors: 4 cycles
  b.crossbar.send(b.store(128, ByteMask::range(0, 1), 2));      // 1 sector: 1 cycle
  b.crossbar.send(b.store(256, ByteMask::sectors(0b1010), 3));  // 2 sectors
  b.crossbar.send(b.load(0));                                   // 1 cycle, whatever it returns
  b.crossbar.send(b.load(0));
  b.settle();
  const double expected[] = {0, 4, 5, 7, 8};
  for (unsigned i = 0; i < 5; ++i) BOOST_CHECK_EQUAL(b.record(i).sent, ns(expected[i]));
  BOOST_CHECK_EQUAL(b.record(4).accepted, ns(9));
}

BOOST_AUTO_TEST_CASE(load_hit_leaves_after_its_latency_and_the_data_bus_spaces_responses) {
  L2Bench b;
  for (unsigned way = 0; way < 3; ++way) b.put(0, way, line_in_set(way), 1, way + 1);
  for (unsigned n = 0; n < 3; ++n) b.crossbar.send(b.load(line_in_set(n)));
  b.run_until(ns(40) - 1);
  BOOST_CHECK_EQUAL(b.record(0).answered, kNever);
  b.run_until(ns(40));
  BOOST_CHECK_EQUAL(b.record(0).answered, ns(40));
  b.settle();
  BOOST_CHECK_EQUAL(b.record(1).answered, ns(42));  // a line is two cycles of a 64-byte bus
  BOOST_CHECK_EQUAL(b.record(2).answered, ns(44));
  BOOST_CHECK(std::memcmp(b.payload(2).get_data_ptr(), b.controller.memory(line_in_set(2)).data(), kLineBytes) == 0);
  BOOST_CHECK(b.controller.reads_seen.empty());
}

BOOST_AUTO_TEST_CASE(load_miss_adds_exactly_the_controllers_time) {
  L2Bench b;
  b.crossbar.send(b.load(0));
  b.run_until(ns(140) - 1);
  BOOST_CHECK_EQUAL(b.record(0).answered, kNever);
  b.run_until(ns(140));
  BOOST_CHECK_EQUAL(b.record(0).answered, ns(140));
  BOOST_REQUIRE_EQUAL(b.controller.reads_seen.size(), 1U);
  BOOST_CHECK_EQUAL(b.controller.reads_seen[0].at, 0);
  BOOST_CHECK(std::memcmp(b.payload(0).get_data_ptr(), b.controller.memory(0).data(), kLineBytes) == 0);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(load_of_one_sector_fetches_that_sector_only) {
  L2Bench b;
  b.crossbar.send(b.load(0, ByteMask::sectors(0b0100)));
  b.settle();
  BOOST_REQUIRE_EQUAL(b.controller.reads_seen.size(), 1U);
  BOOST_CHECK(b.controller.reads_seen[0].mask == ByteMask::sectors(0b0100));
  BOOST_CHECK(b.slice.way(0, 0).valid == ByteMask::sectors(0b0100));
  BOOST_CHECK_EQUAL(b.payload(0).get_data_ptr()[0], 0x55);  // bytes not asked for are left alone
}

BOOST_AUTO_TEST_CASE(store_then_load_returns_the_stored_bytes_without_a_fetch) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask::sectors(0b0011), 7));
  b.crossbar.send(b.load(0, ByteMask::sectors(0b0001)));
  b.settle();
  for (unsigned i = 0; i < 32; ++i) BOOST_REQUIRE_EQUAL(b.payload(1).get_data_ptr()[i], L2Bench::store_byte(7, i));
  BOOST_CHECK(b.controller.reads_seen.empty());
  BOOST_CHECK_EQUAL(b.slice.counters().load_hits, 1U);
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 64U);
}

BOOST_AUTO_TEST_CASE(partly_valid_sector_is_fetched_and_merged_under_the_stored_bytes) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask::range(4, 8), 7));
  b.crossbar.send(b.load(0, ByteMask::sectors(1)));
  b.settle();
  for (unsigned i = 0; i < 32; ++i) {
    const bool stored = i >= 4 && i < 12;
    BOOST_REQUIRE_EQUAL(b.payload(1).get_data_ptr()[i], stored ? L2Bench::store_byte(7, i) : b.controller.memory(0)[i]);
  }
  BOOST_CHECK(b.slice.way(0, 0).dirty == ByteMask::range(4, 8));
  BOOST_CHECK_EQUAL(b.slice.counters().partial_sector_loads, 1U);
}

BOOST_AUTO_TEST_CASE(fetch_mode_fetches_the_sector_even_for_bytes_just_stored) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask::range(4, 8), 7));
  b.crossbar.send(b.load(0, ByteMask::range(4, 4)));
  b.settle();
  BOOST_CHECK_EQUAL(b.controller.reads_seen.size(), 1U);
}

BOOST_AUTO_TEST_CASE(serve_valid_mode_serves_enabled_bytes_that_are_valid) {
  L2Spec spec = bench_spec();
  spec.partial_sector_load = "serve_valid";
  L2Bench b(spec);
  b.crossbar.send(b.store(0, ByteMask::range(4, 8), 7));
  b.crossbar.send(b.load(0, ByteMask::range(4, 4)));
  b.crossbar.send(b.load(0, ByteMask::range(8, 8)));  // half of it is not there
  b.settle();
  BOOST_CHECK_EQUAL(b.record(1).answered - b.record(1).sent, ns(40));
  BOOST_CHECK_EQUAL(b.record(2).answered - b.record(2).sent, ns(140));
  for (unsigned i = 4; i < 8; ++i) BOOST_CHECK_EQUAL(b.payload(1).get_data_ptr()[i], L2Bench::store_byte(7, i));
  for (unsigned i = 8; i < 16; ++i)
    BOOST_CHECK_EQUAL(b.payload(2).get_data_ptr()[i], i < 12 ? L2Bench::store_byte(7, i) : b.controller.memory(0)[i]);
  BOOST_CHECK_EQUAL(b.controller.reads_seen.size(), 1U);
}

BOOST_AUTO_TEST_CASE(atomic_hit_returns_the_old_value_and_marks_itself_executed) {
  L2Bench b;
  b.put(0, 0, 0, 1, 1);
  std::uint32_t old = 0;
  std::memcpy(&old, b.controller.memory(0).data() + 8, 4);
  b.crossbar.send(b.atomic(0, 2, AtomicFunction::add, 5));
  b.run_until(ns(45) - 1);
  BOOST_CHECK_EQUAL(b.record(0).answered, kNever);
  b.run_until(ns(45));
  BOOST_CHECK_EQUAL(b.record(0).answered, ns(45));
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(0), 2), old);
  BOOST_CHECK(find_sideband(b.payload(0))->executed);
  std::uint32_t value = 0;
  std::memcpy(&value, b.slice.data(0, 0) + 8, 4);
  BOOST_CHECK_EQUAL(value, old + 5);
  BOOST_CHECK(b.slice.way(0, 0).dirty == ByteMask::range(8, 4));
}

BOOST_AUTO_TEST_CASE(reduction_keeps_its_operands_and_is_acknowledged) {
  L2Bench b;
  b.put(0, 0, 0, 1, 1);
  b.crossbar.send(b.atomic(0, 2, AtomicFunction::bit_xor, 0xffU, Operation::reduction));
  b.settle();
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(0), 2), 0xffU);
  BOOST_CHECK(find_sideband(b.payload(0))->executed);
  BOOST_CHECK_EQUAL(b.slice.counters().reductions, 1U);
}

BOOST_AUTO_TEST_CASE(same_word_is_repeated_no_faster_than_the_spec_says_and_other_words_are_not_slowed) {
  L2Bench b;
  b.put(0, 0, 0, 1, 1);
  for (unsigned i = 0; i < 4; ++i) b.crossbar.send(b.atomic(0, 3, AtomicFunction::add, 1));
  b.crossbar.send(b.atomic(0, 4, AtomicFunction::add, 1));
  b.crossbar.send(b.atomic(0, 5, AtomicFunction::add, 1));
  b.settle();
  for (unsigned i = 0; i < 4; ++i) BOOST_CHECK_EQUAL(b.record(i).answered, ns(45 + 7.0 * i));
  BOOST_CHECK_EQUAL(b.record(5).sent - b.record(4).sent, ns(1));
}

BOOST_AUTO_TEST_CASE(compare_and_swap_swaps_only_on_equality) {
  L2Bench b;
  b.put(0, 0, 0, 1, 1);
  std::uint32_t old = 0;
  std::memcpy(&old, b.controller.memory(0).data(), 4);
  auto swap = [&](std::uint32_t compare, std::uint32_t value) {
    PayloadRef p = b.pool.compare_line(0);
    std::memset(p->get_data_ptr(), 0, 2 * kLineBytes);
    std::memcpy(p->get_data_ptr(), &value, 4);
    std::memcpy(p->get_data_ptr() + kLineBytes, &compare, 4);
    set_enables(*p, ByteMask::range(0, 4));
    return b.crossbar.send(std::move(p));
  };
  swap(old + 1, 111);
  swap(old, 222);
  swap(old, 333);
  b.settle();
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(0), 0), old);
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(1), 0), old);
  BOOST_CHECK_EQUAL(L2Bench::word_of(b.payload(2), 0), 222U);
}

BOOST_AUTO_TEST_CASE(empty_masks_are_legal_and_change_nothing) {
  L2Bench b;
  b.crossbar.send(b.store(0, ByteMask{}, 1));
  b.crossbar.send(b.load(0, ByteMask{}));
  PayloadRef atomic = b.atomic(0, 0, AtomicFunction::add, 1);
  set_enables(*atomic, ByteMask{});
  b.crossbar.send(std::move(atomic));
  b.settle();
  for (unsigned i = 0; i < 3; ++i) BOOST_CHECK_EQUAL(b.record(i).status, tlm::TLM_OK_RESPONSE);
  BOOST_CHECK(!b.slice.way(0, 0).present);
  BOOST_CHECK(b.controller.reads_seen.empty());
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(wrong_requests_get_the_fitting_error_and_change_nothing) {
  L2Bench b;
  PayloadRef unaligned = b.store(0, ByteMask::full(), 1);
  unaligned->set_address(4);
  PayloadRef too_short = b.load(0);
  too_short->set_data_length(64);
  PayloadRef not_for_l2 = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::l1_invalidate);
  PayloadRef word_of_3 = b.atomic(0, 0, AtomicFunction::add, 1);
  find_sideband(*word_of_3)->word_bytes = 3;
  PayloadRef half_word = b.atomic(0, 0, AtomicFunction::add, 1);
  set_enables(*half_word, ByteMask::range(0, 2));
  PayloadRef past_all_tags = b.load(0);
  past_all_tags->set_address(LineArray::kMemoryBytes);
  for (PayloadRef* p : {&unaligned, &too_short, &not_for_l2, &word_of_3, &half_word, &past_all_tags})
    b.crossbar.send(*p);
  b.settle();
  const tlm::tlm_response_status expected[] = {tlm::TLM_ADDRESS_ERROR_RESPONSE,     tlm::TLM_BURST_ERROR_RESPONSE,
                                               tlm::TLM_COMMAND_ERROR_RESPONSE,     tlm::TLM_COMMAND_ERROR_RESPONSE,
                                               tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE};
  for (unsigned i = 0; i < 6; ++i) BOOST_CHECK_EQUAL(b.record(i).status, expected[i]);
  BOOST_CHECK_EQUAL(b.slice.counters().refused, 6U);
  BOOST_CHECK_EQUAL(b.slice.counters().requests, 0U);
}

BOOST_AUTO_TEST_CASE(failed_fetch_fails_its_load_with_the_same_status_and_leaves_no_line) {
  L2Bench b;
  b.controller.error_line = 0;
  b.crossbar.send(b.load(0));
  b.crossbar.send(b.atomic(0, 1, AtomicFunction::add, 1));
  b.crossbar.send(b.load(128));
  b.settle();
  BOOST_CHECK_EQUAL(b.record(0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_CHECK_EQUAL(b.record(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_CHECK(!find_sideband(b.payload(1))->executed);
  BOOST_CHECK_EQUAL(b.record(2).status, tlm::TLM_OK_RESPONSE);
  BOOST_CHECK(!b.slice.way(0, 0).present);
  b.check_at_rest();
}

BOOST_AUTO_TEST_CASE(early_request_is_not_served_before_its_annotated_time) {
  L2Bench b;
  BOOST_CHECK(b.crossbar.send_annotated(b.store(0, ByteMask::full(), 1), ns(10)) == Sent::withheld);
  b.run_until(ns(10) - 1);
  BOOST_CHECK_EQUAL(b.slice.counters().stores, 0U);
  b.settle();
  BOOST_CHECK_EQUAL(b.record(0).accepted, ns(14));
  BOOST_CHECK_EQUAL(b.record(0).answered, ns(60));
}
