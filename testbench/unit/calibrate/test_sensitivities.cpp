// SPDX-License-Identifier: Apache-2.0
//
// What the slopes of the targets say of the parameters.
#include "gputlm/test_support/sc_test.h"
//
#include <cmath>

#include "gputlm/calibrate/sensitivities.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(parameters_with_targets_of_their_own_are_known_to_a_tolerance) {
  const Sensitivities s = analyse({{20, 0}, {0, -50}});
  BOOST_TEST((s.free.empty() && s.alike.empty() && s.silent.empty()));
  BOOST_TEST(*s.known_to[0] == 1.0 / 20, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(*s.known_to[1] == 1.0 / 50, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(s.singular_values[1] == 1, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(of_summands_only_the_sum_is_known) {
  const Sensitivities s = analyse({{40, 0}, {0, 30}, {20, 0}, {40, 0}});
  BOOST_REQUIRE(s.free.size() == 2U);
  for (const FreeCombination& c : s.free) BOOST_TEST(c.changes.size() == 2U);
  BOOST_TEST(s.free[0].changes[0].parameter == 0U);
  BOOST_TEST(s.free[0].changes[1].parameter == 3U);
  BOOST_TEST(s.free[0].changes[0].share == 0.1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(s.free[0].changes[1].share == -0.1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(s.free[1].changes[0].parameter == 2U);
  BOOST_TEST(s.free[1].changes[1].share == -0.05, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(s.alike.size() == 3U);
  BOOST_TEST(!s.known_to[0].has_value());
  BOOST_TEST(!s.known_to[2].has_value());
  BOOST_TEST(!s.known_to[3].has_value());
  BOOST_TEST(*s.known_to[1] == 1.0 / 30, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(three_that_make_up_for_each_other_are_named_though_no_two_are_alike) {
  const Sensitivities s = analyse({{10, 0}, {0, 10}, {10, 10}});
  BOOST_TEST(s.alike.empty());
  BOOST_REQUIRE(s.free.size() == 1U);
  BOOST_REQUIRE(s.free[0].changes.size() == 3U);
  BOOST_TEST(s.free[0].changes[1].share == s.free[0].changes[0].share, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(s.free[0].changes[2].share == -s.free[0].changes[0].share, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(slopes_that_steps_of_a_clock_have_disturbed_are_still_alike) {
  const Sensitivities s = analyse({{40, 0.5}, {38, -0.7}, {0, 25}});
  BOOST_REQUIRE(s.free.size() == 1U);
  BOOST_TEST(s.free[0].changes.size() == 2U);
  BOOST_TEST(s.known_to[2].has_value());
  BOOST_TEST(!analyse({{40, 8}, {38, -8}}).alike.size());
}

BOOST_AUTO_TEST_CASE(a_parameter_that_no_target_shows_is_silent) {
  const Sensitivities s = analyse({{30, 0}, {0.5, 0.5}, {0, 0}});
  BOOST_TEST(s.silent == (std::vector<std::size_t>{1, 2}), boost::test_tools::per_element());
  BOOST_TEST(!s.known_to[1].has_value());
  BOOST_TEST(s.free.empty());
  BOOST_TEST(*s.known_to[0] == 1.0 / 30, boost::test_tools::tolerance(1e-12));
}
