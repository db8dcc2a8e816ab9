// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <set>

#include "gputlm/sweep/sampling.h"

using namespace gputlm;

namespace {

std::size_t part_of(double share, std::size_t parts) {
  return static_cast<std::size_t>(share * static_cast<double>(parts));
}

/// Which part of the range of parameter `p` each point lies in.
std::multiset<std::size_t> parts_of(const std::vector<SweepShares>& points, std::size_t p, std::size_t parts) {
  std::multiset<std::size_t> all;
  for (const SweepShares& point : points) all.insert(part_of(point.at(p), parts));
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_grid_holds_every_combination_once_and_the_last_parameter_changes_fastest) {
  const std::vector<SweepShares> points = grid_shares({2, 3});
  std::vector<std::pair<std::size_t, std::size_t>> indices;
  for (const SweepShares& point : points) indices.emplace_back(part_of(point[0], 2), part_of(point[1], 3));
  const std::vector<std::pair<std::size_t, std::size_t>> expected{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}};
  BOOST_TEST((indices == expected));
}

BOOST_AUTO_TEST_CASE(a_grid_finds_each_value_of_lists_of_any_length) {
  for (std::size_t count = 1; count <= 1000; ++count) {
    const std::vector<SweepShares> points = grid_shares({count});
    BOOST_REQUIRE(points.size() == count);
    for (std::size_t i = 0; i < count; ++i) BOOST_REQUIRE(part_of(points[i][0], count) == i);
  }
}

BOOST_AUTO_TEST_CASE(a_list_goes_through_all_parameters_together) {
  const std::vector<SweepShares> points = list_shares(3, 4);
  BOOST_REQUIRE(points.size() == 4U);
  for (std::size_t i = 0; i < 4; ++i)
    for (const double share : points[i]) BOOST_TEST(part_of(share, 4) == i);
}

BOOST_AUTO_TEST_CASE(a_seed_decides_the_samples_and_another_seed_gives_others) {
  BOOST_TEST((random_shares(3, 50, 7) == random_shares(3, 50, 7)));
  BOOST_TEST((random_shares(3, 50, 7) != random_shares(3, 50, 8)));
  BOOST_TEST((latin_hypercube_shares(3, 50, 7) == latin_hypercube_shares(3, 50, 7)));
  BOOST_TEST((latin_hypercube_shares(3, 50, 7) != latin_hypercube_shares(3, 50, 8)));
}

BOOST_AUTO_TEST_CASE(samples_are_the_same_in_every_build) {
  const std::vector<SweepShares> points = random_shares(1, 3, 1);
  // splitmix64's finaliser over 0, 1, 2 with seed 1, 53 bits of it.
  BOOST_TEST(points[0][0] == 0.3381666012719897);
  BOOST_TEST(points[1][0] == 0.5665615751722809);
  BOOST_TEST(points[2][0] == 0.7457817572627011);
}

BOOST_AUTO_TEST_CASE(random_shares_fill_the_range_evenly) {
  const std::vector<SweepShares> points = random_shares(2, 4000, 3);
  for (std::size_t p = 0; p < 2; ++p) {
    const std::multiset<std::size_t> parts = parts_of(points, p, 4);
    for (std::size_t part = 0; part < 4; ++part) BOOST_TEST((parts.count(part) > 900 && parts.count(part) < 1100));
  }
}

BOOST_AUTO_TEST_CASE(a_latin_hypercube_has_exactly_one_point_in_every_part_of_every_range) {
  for (const std::size_t count : {1U, 2U, 7U, 100U}) {
    const std::vector<SweepShares> points = latin_hypercube_shares(5, count, 11);
    for (std::size_t p = 0; p < 5; ++p) {
      const std::multiset<std::size_t> parts = parts_of(points, p, count);
      BOOST_REQUIRE(parts.size() == count);
      for (std::size_t part = 0; part < count; ++part) BOOST_TEST(parts.count(part) == 1U);
    }
  }
}

BOOST_AUTO_TEST_CASE(the_parameters_of_a_latin_hypercube_do_not_move_together) {
  const std::vector<SweepShares> points = latin_hypercube_shares(2, 100, 1);
  std::size_t same = 0;
  for (const SweepShares& point : points) same += part_of(point[0], 10) == part_of(point[1], 10) ? 1U : 0U;
  BOOST_TEST((same > 2 && same < 25));  // 10 of 100 by chance
}
