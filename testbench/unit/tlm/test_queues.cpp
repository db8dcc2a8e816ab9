// SPDX-License-Identifier: Apache-2.0
//
// Ring and TimedQueue against standard containers.
#include "gputlm/test_support/sc_test.h"
//
#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "gputlm/tlm/event_queue.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(ring_is_a_queue_with_access_from_the_front) {
  std::mt19937 random(1);
  Ring<int> ring;
  std::deque<int> reference;
  for (int step = 0; step < 6000; ++step) {
    const unsigned choice = random() % 8;
    if (choice < (step % 1000 < 500 ? 5U : 3U)) {  // fills, then drains
      ring.push_back(step);
      reference.push_back(step);
    } else if (!reference.empty() && choice < 7) {
      BOOST_REQUIRE(ring.pop_front() == reference.front());
      reference.pop_front();
    } else if (!reference.empty()) {
      const std::size_t i = random() % reference.size();
      BOOST_REQUIRE(ring.take(i) == reference[i]);
      reference.erase(reference.begin() + static_cast<std::ptrdiff_t>(i));
    }
    BOOST_REQUIRE(ring.size() == reference.size());
    BOOST_REQUIRE(ring.empty() == reference.empty());
    for (std::size_t i = 0; i < reference.size(); ++i) BOOST_REQUIRE(ring[i] == reference[i]);
    if (reference.empty()) continue;
    BOOST_REQUIRE(ring.front() == reference.front());
    BOOST_REQUIRE(ring.back() == reference.back());
  }
  ring.clear();
  BOOST_TEST(ring.empty());
}

BOOST_AUTO_TEST_CASE(ring_lets_go_of_what_left_it) {
  const auto held = std::make_shared<int>(1);
  Ring<std::shared_ptr<int>> ring;
  for (int i = 0; i < 20; ++i) ring.push_back(held);
  ring.take(7);
  ring.pop_front();
  BOOST_TEST(held.use_count() == 19);
  ring.clear();
  BOOST_TEST(held.use_count() == 1);
}

BOOST_AUTO_TEST_CASE(ring_holds_what_can_only_be_moved) {
  Ring<std::unique_ptr<int>> ring;
  for (int i = 0; i < 20; ++i) ring.push_back(std::make_unique<int>(i));
  BOOST_TEST(*ring.take(19) == 19);
  BOOST_TEST(*ring.pop_front() == 0);
}

BOOST_AUTO_TEST_CASE(timed_queue_sorts_by_time_and_keeps_the_order_of_equals) {
  std::mt19937 random(2);
  TimedQueue<int> queue;
  std::vector<std::pair<Fs, int>> reference;
  for (int i = 0; i < 3000; ++i) {
    const Fs t = static_cast<Fs>(random() % 50);
    queue.push(t, i);
    reference.emplace_back(t, i);
    if (random() % 3 != 0) continue;
    std::stable_sort(reference.begin(), reference.end(), [](auto a, auto b) { return a.first < b.first; });
    BOOST_REQUIRE(queue.next() == reference.front().first);
    BOOST_REQUIRE(queue.front() == reference.front().second);
    BOOST_REQUIRE(queue.pop() == reference.front().second);
    reference.erase(reference.begin());
  }
  BOOST_TEST(queue.size() == reference.size());
  std::stable_sort(reference.begin(), reference.end(), [](auto a, auto b) { return a.first < b.first; });
  std::size_t i = 0;
  queue.for_each([&](Fs t, int value) {
    BOOST_REQUIRE(t == reference[i].first);
    BOOST_REQUIRE(value == reference[i++].second);
  });
}

BOOST_AUTO_TEST_CASE(an_empty_timed_queue_is_never_due) {
  TimedQueue<int> queue;
  BOOST_TEST(queue.next() == kNever);
  queue.push(3, 1);
  queue.clear();
  BOOST_TEST(queue.empty());
  BOOST_TEST(queue.next() == kNever);
}
