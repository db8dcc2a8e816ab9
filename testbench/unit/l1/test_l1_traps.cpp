// SPDX-License-Identifier: Apache-2.0
//
// Races between fills in flight and what the SM does meanwhile.
#include "gputlm/test_support/sc_test.h"

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {

constexpr std::uint64_t kLine = 0x80000;

/// A line whose fill is on its way with the value 1, one load waiting for it.
struct FillInFlight : Bench {
  FillInFlight() {
    memory.line(kLine).fill(1);
    lsu.send(waiting);
    fill = memory.last();
    run(kNs);
  }
  bool installed_bytes() {
    const auto set = l1.set_of(kLine);
    for (unsigned way = 0; way < 4; ++way)
      if (const auto view = l1.slot(set, way); view && view->line == kLine) return !view->valid.empty();
    return false;
  }
  PayloadRef waiting = load(kLine), fill;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_strong_load_poisons_the_fill_in_flight_at_issue, FillInFlight) {
  const PayloadRef strong = strong_load(kLine);
  lsu.send(strong);
  memory.respond(fill);
  BOOST_TEST(lsu.answered(waiting));
  BOOST_TEST(waiting->get_data_ptr()[0] == 1);
  BOOST_TEST(!installed_bytes());
  BOOST_TEST(counter(l1, "fills_poisoned") == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_poisoned_fill_takes_no_new_waiter, FillInFlight) {
  lsu.send(strong_load(kLine));
  memory.line(kLine).fill(2);
  const PayloadRef later = load(kLine);
  lsu.send(later);
  BOOST_TEST(memory.arrivals.size() == 3U);
  memory.respond(fill);
  BOOST_TEST(!lsu.answered(later));
  memory.respond(memory.last());
  BOOST_TEST(later->get_data_ptr()[0] == 2);
}

BOOST_AUTO_TEST_CASE(a_strong_load_poisons_again_at_completion) {
  Bench b;
  const PayloadRef strong = b.strong_load(kLine), weak = b.load(kLine);
  b.lsu.send(strong);
  b.lsu.send(weak);  // its fill is issued while the strong load is on its way
  const PayloadRef fill = b.memory.last();
  b.memory.respond(strong);
  b.memory.respond(fill);
  BOOST_TEST(b.lsu.answered(weak));
  BOOST_TEST(counter(b.l1, "fills_poisoned") == 1U);
  BOOST_TEST(!b.loads_from_l1(kLine));
}

BOOST_AUTO_TEST_CASE(a_strong_load_drops_what_was_filled_before_its_completion) {
  Bench b;
  const PayloadRef strong = b.strong_load(kLine), weak = b.load(kLine);
  b.lsu.send(strong);
  b.lsu.send(weak);
  b.memory.respond(b.memory.last());
  b.memory.respond(strong);
  BOOST_TEST(!b.loads_from_l1(kLine));
}

BOOST_FIXTURE_TEST_CASE(an_atomic_poisons_at_issue, FillInFlight) {
  lsu.send(special(Operation::atomic, kLine));
  memory.respond(fill);
  BOOST_TEST(lsu.answered(waiting));
  BOOST_TEST(!installed_bytes());
}

BOOST_AUTO_TEST_CASE(a_reduction_poisons_again_at_completion) {
  Bench b;
  const PayloadRef reduction = b.special(Operation::reduction, kLine);
  b.lsu.send(reduction);
  b.lsu.send(b.load(kLine));
  const PayloadRef fill = b.memory.last();
  b.memory.respond(reduction);
  b.memory.respond(fill);
  BOOST_TEST(!b.loads_from_l1(kLine));
}

BOOST_FIXTURE_TEST_CASE(an_invalidate_poisons_every_fill_in_flight, FillInFlight) {
  const PayloadRef other = load(kLine + kLineBytes);
  lsu.send(other);
  const PayloadRef other_fill = memory.last();
  lsu.send(special(Operation::l1_invalidate));
  memory.line(kLine).fill(2);
  const PayloadRef later = load(kLine);
  lsu.send(later);
  const PayloadRef later_fill = memory.last();
  BOOST_TEST(later_fill.get() != other_fill.get());
  memory.respond(fill);
  memory.respond(other_fill);
  BOOST_TEST(lsu.answered(waiting));
  BOOST_TEST(lsu.answered(other));
  memory.respond(later_fill);
  BOOST_TEST(later->get_data_ptr()[0] == 2);
  BOOST_TEST(loaded(kLine, 0) == 2);
  BOOST_TEST(!loads_from_l1(kLine + kLineBytes));
}

BOOST_FIXTURE_TEST_CASE(a_fill_never_overwrites_a_later_store, FillInFlight) {
  lsu.send(store(kLine, ByteMask::range(5, 2), 9));
  memory.respond(fill);
  BOOST_TEST(waiting->get_data_ptr()[5] == 1);  // it came before the store and must not see it
  const PayloadRef after = load(kLine);
  BOOST_TEST(complete(after) == 0U);
  BOOST_TEST(after->get_data_ptr()[5] == 9);
  BOOST_TEST(after->get_data_ptr()[6] == 9);
  BOOST_TEST(after->get_data_ptr()[7] == 1);
}

BOOST_FIXTURE_TEST_CASE(a_waiting_load_keeps_the_bytes_it_captured, FillInFlight) {
  lsu.send(store(kLine, ByteMask::range(5, 1), 9));
  const PayloadRef between = load(kLine);
  lsu.send(between);  // captures the 9
  lsu.send(store(kLine, ByteMask::range(5, 2), 10));
  memory.respond(fill);
  BOOST_TEST(lsu.answered(between));
  BOOST_TEST(between->get_data_ptr()[5] == 9);
  BOOST_TEST(between->get_data_ptr()[6] == 1);
  BOOST_TEST(loaded(kLine, 6) == 10);
}

BOOST_FIXTURE_TEST_CASE(a_store_evicted_while_the_fill_flies_is_not_lost, FillInFlight) {
  lsu.send(store(kLine, ByteMask::range(5, 1), 9));
  const auto others = lines_of_one_set(l1, 5, kLine);
  for (unsigned i = 1; i < 5; ++i) lsu.send(store(others[i], ByteMask::full(), 7));
  const PayloadRef reload = load(kLine);
  lsu.send(reload);  // the fill in flight was read before the store
  const PayloadRef newer = memory.last();
  BOOST_TEST(newer.get() != fill.get());
  memory.respond(fill);
  BOOST_TEST(lsu.answered(waiting));
  BOOST_TEST(!lsu.answered(reload));
  memory.respond(newer);
  BOOST_TEST(reload->get_data_ptr()[5] == 9);
  BOOST_TEST(loaded(kLine, 5) == 9);
}

BOOST_FIXTURE_TEST_CASE(an_older_fill_that_returns_last_does_not_undo_a_newer_one, FillInFlight) {
  lsu.send(store(kLine, ByteMask::range(5, 1), 9));
  const auto others = lines_of_one_set(l1, 5, kLine);
  for (unsigned i = 1; i < 5; ++i) lsu.send(store(others[i], ByteMask::full(), 7));
  memory.line(kLine)[0] = 2;  // another SM
  lsu.send(load(kLine));
  const PayloadRef newer = memory.last();
  memory.respond(newer);
  memory.respond(fill);
  const PayloadRef last = load(kLine);
  BOOST_TEST(complete(last) == 0U);
  BOOST_TEST(last->get_data_ptr()[0] == 2);
  BOOST_TEST(last->get_data_ptr()[5] == 9);
}

BOOST_AUTO_TEST_CASE(an_older_fill_that_returns_first_leaves_the_bytes_of_a_newer_one_to_it) {
  Bench b;
  b.memory.line(kLine).fill(1);
  const PayloadRef narrow = b.load(kLine, ByteMask::sectors(0x1)), wide = b.load(kLine, ByteMask::sectors(0x3));
  b.lsu.send(narrow);
  const PayloadRef older = b.memory.last();
  b.memory.line(kLine).fill(2);  // another SM
  b.lsu.send(wide);
  const PayloadRef newer = b.memory.last();
  b.memory.respond(older);
  BOOST_TEST(narrow->get_data_ptr()[0] == 1);
  b.memory.respond(newer);
  BOOST_TEST(wide->get_data_ptr()[0] == 2);
  const PayloadRef later = b.load(kLine, ByteMask::sectors(0x1));
  BOOST_TEST(b.complete(later) == 0U);
  BOOST_TEST(later->get_data_ptr()[0] == 2);  // not older than what a load before it saw
}

BOOST_FIXTURE_TEST_CASE(loads_wait_on_the_newer_of_two_fills, FillInFlight) {
  lsu.send(store(kLine, ByteMask::range(5, 1), 9));
  const auto others = lines_of_one_set(l1, 5, kLine);
  for (unsigned i = 1; i < 5; ++i) lsu.send(store(others[i], ByteMask::full(), 7));
  memory.line(kLine)[0] = 2;
  lsu.send(load(kLine));
  const std::size_t requests = memory.arrivals.size();
  const PayloadRef newer = memory.last(), third = load(kLine);
  lsu.send(third);
  BOOST_TEST(memory.arrivals.size() == requests);
  memory.respond(fill);
  BOOST_TEST(!lsu.answered(third));
  memory.respond(newer);
  BOOST_TEST(third->get_data_ptr()[0] == 2);
}

BOOST_FIXTURE_TEST_CASE(a_fill_of_an_evicted_line_answers_and_installs_nothing, FillInFlight) {
  const auto others = lines_of_one_set(l1, 5, kLine);
  for (unsigned i = 1; i < 5; ++i) lsu.send(store(others[i], ByteMask::full(), 7));
  memory.respond(fill);
  BOOST_TEST(lsu.answered(waiting));
  for (unsigned i = 1; i < 5; ++i) BOOST_TEST(loaded(others[i], 0) == 7);
  BOOST_TEST(!loads_from_l1(kLine));
}

BOOST_FIXTURE_TEST_CASE(a_load_that_waits_again_after_an_eviction_gives_the_line_a_slot, FillInFlight) {
  const auto others = lines_of_one_set(l1, 5, kLine);
  for (unsigned i = 1; i < 5; ++i) lsu.send(store(others[i], ByteMask::full(), 7));
  const PayloadRef second = load(kLine);
  const std::size_t requests = memory.arrivals.size();
  lsu.send(second);
  BOOST_TEST(memory.arrivals.size() == requests);
  memory.respond(fill);
  BOOST_TEST(lsu.answered(second));
  BOOST_TEST(loads_from_l1(kLine));
}

BOOST_AUTO_TEST_CASE(own_stores_survive_a_strong_load_that_drops_their_line) {
  Bench b;
  b.lsu.send(b.store(kLine, ByteMask::full(), 3));
  b.lsu.send(b.strong_load(kLine));
  const PayloadRef weak = b.load(kLine);
  b.complete(weak);
  BOOST_TEST(weak->get_data_ptr()[64] == 3);
}

BOOST_AUTO_TEST_CASE(two_virtual_aliases_of_one_line_are_two_slots) {
  Bench b;
  constexpr std::uint64_t kAlias = kLine + 0x200000;
  b.memory.alias_of[kAlias] = kLine;
  b.memory.line(kLine).fill(1);
  b.complete(b.load(kLine));
  b.complete(b.load(kAlias));
  b.complete(b.store(kLine, ByteMask::full(), 2));
  BOOST_TEST(b.loaded(kLine, 0) == 2);
  BOOST_TEST(b.loaded(kAlias, 0) == 1);  // stale, as on the hardware
  b.complete(b.strong_load(kAlias));
  BOOST_TEST(b.loaded(kAlias, 0) == 2);
  BOOST_TEST(b.loads_from_l1(kLine));
}
