// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <stdexcept>

#include "gputlm/host/carve_out.h"
#include "gputlm/host/occupancy.h"
#include "launch_facts.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr unsigned kL1Bytes = 128 << 10, kWays = 4;

unsigned ways_left(std::uint64_t shared_bytes_needed) {
  return l1_ways_left(carve_out(sm_8_9(), shared_bytes_needed), kL1Bytes, kWays);
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_least_carve_out_that_holds_the_blocks_is_chosen) {
  const WorkDistributorSpec sm = sm_8_9();
  BOOST_TEST(carve_out(sm, 0) == 0U);
  BOOST_TEST(carve_out(sm, 1) == 8U << 10);
  BOOST_TEST(carve_out(sm, 8 << 10) == 8U << 10);
  BOOST_TEST(carve_out(sm, (8 << 10) + 1) == 16U << 10);
  BOOST_TEST(carve_out(sm, 17 << 10) == 32U << 10);
  BOOST_TEST(carve_out(sm, 33 << 10) == 64U << 10);
  BOOST_TEST(carve_out(sm, (64 << 10) + 1) == 100U << 10);
  BOOST_TEST(carve_out(sm, 100 << 10) == 100U << 10);
}

BOOST_AUTO_TEST_CASE(more_than_the_largest_carve_out_is_refused) {
  BOOST_CHECK_THROW(carve_out(sm_8_9(), (100 << 10) + 1), std::invalid_argument);
  BOOST_CHECK_THROW(carve_out(sm_8_9(), std::uint64_t{1} << 32U), std::invalid_argument);
  BOOST_CHECK_THROW(carve_out(WorkDistributorSpec{}, 0), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(a_way_that_the_carve_out_touches_is_lost_to_the_cache) {
  BOOST_TEST(ways_left(0) == 4U);
  BOOST_TEST(ways_left(1) == 3U);
  BOOST_TEST(ways_left(32 << 10) == 3U);
  BOOST_TEST(ways_left(33 << 10) == 2U);
  BOOST_TEST(ways_left(64 << 10) == 2U);
}

BOOST_AUTO_TEST_CASE(the_cache_keeps_one_way) {
  BOOST_TEST(ways_left(100 << 10) == 1U);
  BOOST_TEST(l1_ways_left(kL1Bytes, kL1Bytes, kWays) == 1U);
  BOOST_TEST(l1_ways_left(2 * kL1Bytes, kL1Bytes, kWays) == 1U);
}

// Five blocks of 16 KiB, each with the system's 1 KiB, take 85 KiB.
BOOST_AUTO_TEST_CASE(as_many_blocks_as_an_sm_holds_fit_into_a_carve_out) {
  const WorkDistributorSpec sm = sm_8_9();
  const LaunchShape shape = decode_launch(launch_of(1, 128, 16, 16 << 10), sm);
  BOOST_TEST(carve_out(sm, std::uint64_t{blocks_per_sm(shape, sm)} * BlockNeeds(shape, sm).shared_bytes) == 100U << 10);
}
