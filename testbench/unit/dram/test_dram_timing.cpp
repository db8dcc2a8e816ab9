// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <set>

#include "dram_facts.h"
#include "gputlm/dram/command_calendar.h"
#include "gputlm/test_support/sc_test.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(clocks_are_exact_however_late) {
  const DramTiming timing(rtx4090_dram(), 0);
  // 1.3125 GHz: 21 clocks are exactly 16 ns.
  for (const Ck n : {Ck{0}, Ck{1}, Ck{1000}, Ck{1'000'000'000}})
    BOOST_TEST(timing.time_of(21 * n) == n * 16 * kFsPerNs);
}

BOOST_AUTO_TEST_CASE(at_or_after_is_the_inverse_of_time_of) {
  const DramTiming timing(rtx4090_dram(), 0);
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 20000; ++i) {
    const auto clock = static_cast<Ck>(random() % 1'000'000'000'000ULL);
    const Fs start = timing.time_of(clock);
    BOOST_REQUIRE_EQUAL(timing.at_or_after(start), clock);
    BOOST_REQUIRE_EQUAL(timing.at_or_after(start + 1), clock + 1);
    BOOST_REQUIRE_EQUAL(timing.at_or_after(start - 1), clock);
  }
}

BOOST_AUTO_TEST_CASE(refreshes_are_staggered_over_the_channels_and_rotate_over_the_pairs) {
  const DramSpec spec = rtx4090_dram();
  std::set<Ck> firsts;
  for (unsigned channel = 0; channel < 24; ++channel) firsts.insert(DramTiming(spec, channel).refresh_start(0));
  BOOST_TEST(firsts.size() == 24U);
  const DramTiming timing(spec, 5);
  for (unsigned pair = 0; pair < 8; ++pair) {
    const std::uint64_t i = timing.next_refresh(pair, 1'000'000);
    BOOST_TEST(i % 8 == pair);
    BOOST_TEST(timing.refresh_start(i) >= 1'000'000);
    BOOST_TEST(timing.refresh_start(i - 8) < 1'000'000);
    BOOST_TEST(timing.next_refresh(pair, timing.refresh_start(i)) == i);
    BOOST_TEST(timing.next_refresh(pair, timing.refresh_start(i) + 1) == i + 8);
  }
}

BOOST_AUTO_TEST_CASE(every_rule_names_its_source) {
  const DramTiming timing(rtx4090_dram(), 0);
  for (const TimingRule& rule : timing.rules()) {
    BOOST_TEST(std::string(rule.source).size() > 10U);
    BOOST_TEST(rule.gap > 0, rule.name);
  }
}

BOOST_AUTO_TEST_CASE(start_bitmap_matches_a_reference_while_it_slides) {
  StartBitmaps map(512, 3);
  std::set<Ck> marks;
  std::mt19937 random(11);
  Ck base = 0;
  for (unsigned i = 0; i < 5000; ++i) {
    if (i % 3 == 0) {
      base += static_cast<Ck>(random() % (i % 97 == 0 ? 2000 : 20));
      map.advance(base);
      marks.erase(marks.begin(), marks.lower_bound(base));
    }
    const Ck first = base + static_cast<Ck>(random() % 300), end = first + static_cast<Ck>(random() % 100);
    map.mark(1, first, end);
    for (Ck at = first; at < end; ++at) marks.insert(at);
    const Ck from = base + static_cast<Ck>(random() % 300);
    std::uint64_t expected = 0;
    for (unsigned b = 0; b < 64; ++b) expected |= std::uint64_t{marks.count(from + b)} << b;
    BOOST_REQUIRE_EQUAL(map.window(from, 0, 1, 2), expected);
    const auto left = static_cast<unsigned>(std::distance(marks.lower_bound(from), marks.end()));
    BOOST_REQUIRE_EQUAL(map.count(1, from, from + 1000), left);
    const Ck until = from + static_cast<Ck>(random() % 200);
    BOOST_REQUIRE_EQUAL(map.count(1, from, until), std::distance(marks.lower_bound(from), marks.lower_bound(until)));
    if (left >= 3) BOOST_REQUIRE_EQUAL(map.nth_from(1, from, 3), *std::next(marks.lower_bound(from), 2));
  }
}

BOOST_AUTO_TEST_CASE(marks_around_clocks_are_those_of_each_by_itself) {
  std::mt19937 random(12);
  for (unsigned i = 0; i < 2000; ++i) {
    StartBitmaps map(512, 2);
    map.advance(128);
    std::vector<Ck> clocks;
    for (Ck at = 100; clocks.size() < 4; clocks.push_back(at)) at += 1 + static_cast<Ck>(random() % 60);
    const Ck before = static_cast<Ck>(random() % 50) - 1, after = static_cast<Ck>(random() % 50);
    map.mark_around(0, clocks, before, after);
    for (const Ck at : clocks) map.mark(1, at - before, at + after);
    for (Ck at = 128; at < 512; at += 64) BOOST_REQUIRE_EQUAL(map.window(at, 0), map.window(at, 1));
  }
}

BOOST_AUTO_TEST_CASE(calendar_tells_when_the_bus_is_booked_less_far) {
  const DramSpec spec = rtx4090_dram();
  const DramTiming timing(spec, 0);
  CommandCalendar calendar(timing, 4, 1, 1024);
  LineColumns columns;
  for (const Ck at : {10, 20, 30, 40}) columns.add(at, 1);
  calendar.book_columns(CommandKind::read, 0, columns);
  BOOST_TEST(calendar.columns_from(0) == 4U);
  BOOST_TEST(calendar.columns_from(11) == 3U);
  BOOST_TEST(calendar.columns_drained_to(2, 0) == 21);
  BOOST_TEST(calendar.columns_drained_to(0, 0) == 41);
  BOOST_TEST(calendar.columns_drained_to(4, 5) == 5);
  BOOST_TEST(calendar.last_column() == 40);
}
