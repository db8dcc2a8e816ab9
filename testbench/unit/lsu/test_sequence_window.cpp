// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "gputlm/lsu/sequence_window.h"

using gputlm::SequenceWindow;

BOOST_AUTO_TEST_CASE(low_water_mark_stops_at_the_oldest_unacknowledged) {
  SequenceWindow window;
  for (int i = 0; i < 3; ++i) window.issue();
  window.acknowledge(1);
  window.acknowledge(2);
  BOOST_TEST(window.acknowledged() == 0U);
  window.acknowledge(0);
  BOOST_TEST(window.acknowledged() == 3U);
  BOOST_TEST(window.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(random_acknowledgements_equal_a_set) {
  SequenceWindow window;
  std::set<std::uint64_t> open;
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) {
    if (open.size() < 500 && random() % 5 < 3) {
      open.insert(window.issue());
    } else if (!open.empty()) {
      auto chosen = open.begin();
      std::advance(chosen, random() % std::min<std::size_t>(open.size(), 40));
      window.acknowledge(*chosen);
      open.erase(chosen);
    }
    BOOST_REQUIRE_EQUAL(window.acknowledged(), open.empty() ? window.issued() : *open.begin());
    BOOST_REQUIRE_EQUAL(window.outstanding(), open.size());
  }
}
