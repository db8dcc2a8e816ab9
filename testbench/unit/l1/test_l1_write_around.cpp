// SPDX-License-Identifier: Apache-2.0
//
// Stores that pass an L1: with a slot for each of them, as the hardware does it, and around.
#include "gputlm/test_support/sc_test.h"

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {
constexpr std::uint64_t kLine = 0x40000;
}

BOOST_AUTO_TEST_CASE(write_around_passes_a_store_on_without_giving_it_a_slot) {
  Bench b(spec_of("write_around"));
  BOOST_TEST(b.complete(b.store(kLine, ByteMask::full(), 7)) == 1U);
  BOOST_TEST(counter(b.l1, "allocations") == 0U);
  BOOST_TEST(b.loaded(kLine, 5) == 7);
  BOOST_TEST(counter(b.l1, "load_misses") == 1U);
}

BOOST_AUTO_TEST_CASE(write_around_updates_a_line_that_has_a_slot) {
  Bench b(spec_of("write_around"));
  b.complete(b.load(kLine));
  BOOST_TEST(b.complete(b.store(kLine, ByteMask::range(3, 2), 9)) == 1U);
  const PayloadRef load = b.load(kLine);
  BOOST_TEST(b.complete(load) == 0U);
  BOOST_TEST(load->get_data_ptr()[4] == 9);
  BOOST_TEST(load->get_data_ptr()[5] == 0);
}

BOOST_AUTO_TEST_CASE(write_around_keeps_an_own_store_from_a_fill_that_left_before_it) {
  Bench b(spec_of("write_around", 1));
  const auto lines = lines_of_one_set(b.l1, 2, kLine);
  b.lsu.send(b.load(lines[0]));
  b.lsu.send(b.load(lines[1]));  // takes the slot
  b.lsu.send(b.store(lines[0], ByteMask::range(0, 4), 8));
  const PayloadRef again = b.load(lines[0]);
  b.lsu.send(again);
  BOOST_TEST(b.memory.arrivals.size() == 4U);  // the first fill is no good to it
  for (const Memory::Arrival& a : std::vector<Memory::Arrival>(b.memory.arrivals)) b.memory.respond(a.payload);
  b.run(100 * kNs);
  BOOST_TEST(again->get_data_ptr()[0] == 8);
  BOOST_TEST(b.loaded(lines[0], 0) == 8);
}

BOOST_AUTO_TEST_CASE(write_through_is_what_the_hardware_does) {
  Bench b(spec_of("write_through"));
  BOOST_TEST(b.complete(b.store(kLine, ByteMask::full(), 7)) == 1U);
  BOOST_TEST(counter(b.l1, "allocations") == 1U);
  BOOST_TEST(b.loads_from_l1(kLine));
}
