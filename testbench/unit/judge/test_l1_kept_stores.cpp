// SPDX-License-Identifier: Apache-2.0
//
// What the scoreboard lets a write-back L1 do with the stores that it keeps, and what it finds.
#include "gputlm/test_support/sc_test.h"

#include "l1_judge_bench.h"

using namespace gputlm;
using namespace gputlm::test;

BOOST_AUTO_TEST_CASE(a_kept_store_is_performed_by_l1_and_memory_changes_when_it_is_written_back) {
  L1Bench b;
  b.board.on_allocate(kSm, kSlot, kLine);
  b.keep_store(ByteMask::range(0, 8), 40);
  b.keep_store(ByteMask::range(4, 8), 90);
  b.hit(ByteMask::range(2, 6));
  b.whole_load(kLine, ByteMask::sectors(1));  // L2 has not heard of it
  const PayloadRef write = b.write_back(ByteMask::range(0, 12));
  b.board.on_write_back(kSm, kSlot, *write);
  b.perform_store(*write);
  b.board.on_drop(kSm, kSlot);
  b.whole_load(kLine, ByteMask::sectors(1));
  b.board.audit();
  BOOST_TEST(b.board.mismatches() == 0);
  BOOST_TEST(b.at(kLine)[5] == 90 + 5);
}

BOOST_AUTO_TEST_CASE(a_store_answered_by_nobody_who_performed_it_is_found) {
  L1Bench b;
  const PayloadRef p = b.store(kLine, ByteMask::full(), 1);
  b.request(*p);
  b.board.on_allocate(kSm, kSlot, kLine);
  b.board.on_store_update(kSm, kSlot, *p, ByteMask::full());
  b.respond(*p);
  BOOST_TEST(b.only(FindingKind::not_performed));
}

BOOST_AUTO_TEST_CASE(a_write_back_of_other_bytes_than_those_kept_is_found) {
  L1Bench b;
  b.board.on_allocate(kSm, kSlot, kLine);
  b.keep_store(ByteMask::range(0, 8), 40);
  b.slot[3] ^= 1;
  b.board.on_write_back(kSm, kSlot, *b.write_back(ByteMask::range(0, 8)));
  BOOST_TEST(b.only(FindingKind::l1_unlawful));
  b.slot[3] ^= 1;
  b.keep_store(ByteMask::range(0, 8), 41);
  b.board.on_write_back(kSm, kSlot, *b.write_back(ByteMask::range(0, 4)));
  BOOST_TEST(b.board.mismatches(FindingKind::l1_unlawful) == 2);
}

BOOST_AUTO_TEST_CASE(a_write_back_that_changes_on_its_way_is_found) {
  L1Bench b;
  b.board.on_allocate(kSm, kSlot, kLine);
  b.keep_store(ByteMask::range(0, 8), 40);
  const PayloadRef write = b.write_back(ByteMask::range(0, 8));
  b.board.on_write_back(kSm, kSlot, *write);
  write->get_data_ptr()[1] ^= 1;
  b.perform_store(*write);
  BOOST_TEST(b.only(FindingKind::request_changed));
}

BOOST_AUTO_TEST_CASE(kept_stores_that_an_eviction_an_invalidate_or_a_strong_access_takes_away_are_found) {
  L1Bench b;
  for (unsigned n = 1; n <= 3; ++n) {
    b.board.on_allocate(kSm, kSlot, kLine);
    b.keep_store(ByteMask::range(0, 8), 40);
    if (n == 1) b.board.on_drop(kSm, kSlot);
    if (n == 2) b.board.on_invalidate_all(kSm);
    if (n == 3) b.board.on_drop_but(kSm, kSlot, ByteMask::range(0, 4));
    BOOST_TEST(b.board.mismatches(FindingKind::l1_unlawful) == n);
  }
}

BOOST_AUTO_TEST_CASE(kept_stores_may_outlive_a_strong_access_that_left_before_them) {
  L1Bench b;
  b.fetch(ByteMask::sectors(1));
  const PayloadRef strong = b.make(Operation::load, kLine, ByteMask::sectors(2));
  b.request(*strong);
  b.board.on_drop(kSm, kSlot);
  b.board.on_allocate(kSm, kSlot, kLine);
  b.keep_store(ByteMask::range(0, 8), 40);
  b.perform_load(*strong);
  b.board.on_drop_but(kSm, kSlot, ByteMask::range(0, 8));
  b.respond(*strong);
  b.hit(ByteMask::range(0, 8));
  BOOST_TEST(b.board.mismatches() == 0);
}
