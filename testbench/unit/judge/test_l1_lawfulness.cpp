// SPDX-License-Identifier: Apache-2.0
//
// What the scoreboard lets an L1 show, and what it finds.
#include "gputlm/test_support/sc_test.h"

#include "l1_judge_bench.h"

using namespace gputlm;
using namespace gputlm::test;

BOOST_AUTO_TEST_CASE(a_stale_hit_is_lawful) {
  L1Bench b;
  b.fetch(ByteMask::sectors(3));
  b.whole_store(kLine, ByteMask::full(), 200, 2);  // another SM
  b.hit(ByteMask::sectors(2));
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_store_that_goes_around_a_line_without_a_slot_is_lawful) {
  L1Bench b;
  b.whole_store(kLine, ByteMask::range(0, 8), 40);
  b.fetch(ByteMask::sectors(1));
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_hit_with_another_byte_than_the_slots_is_found) {
  L1Bench b;
  b.fetch(ByteMask::sectors(3));
  b.slot[33] ^= 1;
  b.hit(ByteMask::sectors(2));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
  BOOST_TEST(b.board.findings().front().address == kLine + 33);
}

BOOST_AUTO_TEST_CASE(a_hit_on_bytes_that_the_slot_lacks_or_in_anothers_slot_is_found) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  b.hit(ByteMask::sectors(3));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
  b.board.on_allocate(kSm, kSlot, kLine + 0x10000);
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches(FindingKind::l1_unlawful) == 2);
}

BOOST_AUTO_TEST_CASE(a_hit_after_an_answered_invalidate_that_l1_ignored_is_found) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  b.invalidate(false);
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(a_hit_after_an_invalidate_that_l1_reported_and_did_not_do_is_found) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  b.invalidate(true);
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(what_is_fetched_after_an_invalidate_may_be_shown_before_its_answer_is_taken) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  const PayloadRef p = b.make(Operation::l1_invalidate, 0, {});
  b.request(*p);
  b.board.on_invalidate_all(kSm);
  b.fetch(ByteMask::sectors(1));
  b.respond(*p);
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_fill_ordered_before_an_invalidate_may_answer_who_waits_and_nobody_else) {
  L1Bench b;
  const PayloadRef early = b.missing_load(ByteMask::sectors(1));
  b.board.on_allocate(kSm, kSlot, kLine);
  const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
  b.invalidate(true);
  b.board.on_fill(kSm, kSlot, *fill, ByteMask{});
  b.answer(*early, *fill);
  BOOST_TEST(b.board.mismatches() == 0);
  const PayloadRef late = b.missing_load(ByteMask::sectors(1));
  b.answer(*late, *fill);
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(a_fill_ordered_before_an_invalidate_may_not_be_installed) {
  L1Bench b;
  b.missing_load(ByteMask::sectors(1));
  const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
  b.invalidate(true);
  b.board.on_allocate(kSm, kSlot, kLine);
  b.board.on_fill(kSm, kSlot, *fill, ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(a_hit_after_a_strong_access_is_found_unless_the_load_left_before_it) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  const PayloadRef early = b.weak_load(kLine, ByteMask::sectors(1));
  b.request(*early);
  b.strong_load();
  b.hit(*early);
  BOOST_TEST(b.board.mismatches() == 0);
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(a_line_dropped_by_a_strong_access_and_fetched_again_may_be_shown) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  b.strong_load();
  b.board.on_drop(kSm, kSlot);
  b.fetch(ByteMask::sectors(1));
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(a_fill_ordered_before_a_strong_access_to_its_line_may_not_be_installed) {
  for (const bool same_line : {true, false}) {
    L1Bench b;
    b.missing_load(ByteMask::sectors(1));
    const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
    b.whole_load(kLine + (same_line ? 0 : kLineBytes), ByteMask::sectors(1));
    b.board.on_allocate(kSm, kSlot, kLine);
    b.board.on_fill(kSm, kSlot, *fill, ByteMask::sectors(1));
    BOOST_TEST(b.board.mismatches(FindingKind::l1_unlawful) == (same_line ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(a_fill_ordered_before_the_sms_own_store_may_not_bring_its_bytes) {
  const ByteMask stored = ByteMask::range(8, 4);
  for (const bool spares_them : {true, false}) {
    L1Bench b;
    b.missing_load(ByteMask::sectors(1));
    const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
    b.board.on_allocate(kSm, kSlot, kLine);
    b.pass_store(stored, 90);
    b.board.on_drop(kSm, kSlot);  // evicted
    b.board.on_allocate(kSm, kSlot, kLine);
    b.board.on_fill(kSm, kSlot, *fill, spares_them ? ByteMask::sectors(1) & ~stored : ByteMask::sectors(1));
    BOOST_TEST(b.board.mismatches(FindingKind::l1_unlawful) == (spares_them ? 0 : 1));
  }
}

BOOST_AUTO_TEST_CASE(a_fill_that_overwrites_a_stored_byte_is_found) {
  L1Bench b;
  b.missing_load(ByteMask::sectors(1));
  b.board.on_allocate(kSm, kSlot, kLine);
  const PayloadRef store = b.store(kLine, ByteMask::range(8, 4), 90);
  b.request(*store);
  b.board.on_store_update(kSm, kSlot, *store, ByteMask::range(8, 4));
  const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
  b.board.on_fill(kSm, kSlot, *fill, ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(a_waiting_load_must_not_be_handed_what_its_sm_stored_later) {
  const ByteMask own = ByteMask::range(0, 4);
  for (const bool as_captured : {true, false}) {
    L1Bench b;
    b.board.on_allocate(kSm, kSlot, kLine);
    b.pass_store(own, 10);
    const JudgeBench::Line at_arrival = b.slot;
    const PayloadRef load = b.missing_load(ByteMask::sectors(1));
    b.pass_store(own, 20);
    const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
    b.board.on_fill(kSm, kSlot, *fill, ByteMask::sectors(1) & ~own);
    copy_masked(load->get_data_ptr(), as_captured ? at_arrival.data() : b.slot.data(), own);
    b.answer(*load, *fill, own);
    BOOST_TEST(b.board.mismatches(FindingKind::l1_unlawful) == (as_captured ? 0 : 1));
    BOOST_TEST(b.board.mismatches() == (as_captured ? 0 : 1));
  }
}

BOOST_AUTO_TEST_CASE(a_hit_without_the_sms_own_store_is_found) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  b.whole_store(kLine, ByteMask::range(0, 4), 90);  // L1 reports no update
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
}

BOOST_AUTO_TEST_CASE(a_refused_store_owes_l1_nothing) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  const PayloadRef p = b.store(kLine, ByteMask::range(0, 4), 90);
  b.request(*p);
  b.respond(*p, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(fill_and_hit_data_changed_on_the_way_up_are_found) {
  L1Bench b;
  const PayloadRef load = b.missing_load(ByteMask::sectors(1));
  b.board.on_allocate(kSm, kSlot, kLine);
  const PayloadRef fill = b.ordered_fill(ByteMask::sectors(1));
  fill->get_data_ptr()[7] ^= 1;
  b.board.on_fill(kSm, kSlot, *fill, ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::response_changed));
  copy_masked(load->get_data_ptr(), fill->get_data_ptr(), ByteMask::full());
  b.board.on_miss_answered(kSm, *load, ByteMask{}, *fill);
  load->get_data_ptr()[8] ^= 1;
  b.respond(*load);
  BOOST_TEST(b.board.mismatches(FindingKind::response_changed) == 2);
}

BOOST_AUTO_TEST_CASE(a_fill_answered_without_the_slice_is_found) {
  L1Bench b;
  b.board.on_allocate(kSm, kSlot, kLine);
  const PayloadRef fill = b.weak_load(kLine, ByteMask::sectors(1));
  fill->set_response_status(tlm::TLM_OK_RESPONSE);
  b.board.on_fill(kSm, kSlot, *fill, ByteMask::sectors(1));
  BOOST_TEST(b.only(FindingKind::not_performed));
}

BOOST_AUTO_TEST_CASE(one_line_in_two_slots_is_found_once_lines_are_looked_up) {
  L1Bench b;
  b.strong_load();
  b.board.on_allocate(kSm, kSlot, kLine);
  b.board.on_allocate(kSm, kSlot + 1, kLine);
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
  b.board.on_allocate(kSm + 1, kSlot, kLine);
  BOOST_TEST(b.board.mismatches() == 1);
}

BOOST_AUTO_TEST_CASE(a_debug_write_that_l1_took_over_may_be_shown) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  b.slot[3] = 0x77;
  b.board.on_debug_write(kSm, kSlot, b.slot.data(), ByteMask::range(3, 1));
  b.hit(ByteMask::sectors(1));
  BOOST_TEST(b.board.mismatches() == 0);
}
