// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <map>
#include <random>

#include "gputlm/launch/range_allocator.h"

using namespace gputlm;

namespace {

constexpr std::uint64_t kPage = 4096, kBase = 0x10000, kPages = 16;

RangeAllocator make() {
  return {kBase, kPages * kPage, kPage};
}

}  // namespace

BOOST_AUTO_TEST_CASE(ranges_are_whole_pages_lowest_first) {
  RangeAllocator a = make();
  BOOST_TEST(a.rounded(1) == kPage);
  BOOST_TEST(a.rounded(kPage) == kPage);
  BOOST_TEST(a.rounded(kPage + 1) == 2 * kPage);
  BOOST_TEST(a.take(1).value() == kBase);
  BOOST_TEST(a.take(kPage + 1).value() == kBase + kPage);
  BOOST_TEST(a.take(kPage).value() == kBase + 3 * kPage);
}

BOOST_AUTO_TEST_CASE(what_no_free_range_holds_is_refused_and_takes_nothing) {
  RangeAllocator a = make();
  BOOST_TEST(!a.take(kPages * kPage + 1).has_value());
  BOOST_TEST(!a.take(~std::uint64_t{0}).has_value());  // rounding up must not wrap to nothing
  BOOST_TEST(a.take(kPages * kPage).value() == kBase);
  BOOST_TEST(!a.take(1).has_value());
}

BOOST_AUTO_TEST_CASE(a_hole_is_filled_by_what_fits_and_passed_over_by_what_does_not) {
  RangeAllocator a = make();
  a.take(kPage);
  const std::uint64_t hole = a.take(2 * kPage).value();
  a.take(kPage);
  a.give_back(hole, 2 * kPage);
  BOOST_TEST(a.take(3 * kPage).value() == kBase + 4 * kPage);
  BOOST_TEST(a.take(1).value() == hole);
  BOOST_TEST(a.take(1).value() == hole + kPage);
  BOOST_TEST(a.take(1).value() == kBase + 7 * kPage);
}

BOOST_AUTO_TEST_CASE(neighbours_that_come_back_in_any_order_become_one_range) {
  for (const auto& order : {std::array{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
    RangeAllocator a(kBase, 3 * kPage, kPage);
    std::array<std::uint64_t, 3> ranges{};
    for (auto& range : ranges) range = a.take(100).value();
    for (const int which : order) a.give_back(ranges[static_cast<std::size_t>(which)], 100);
    BOOST_TEST(a.take(3 * kPage).value() == kBase);
  }
}

// Against a table of who has which page.
BOOST_AUTO_TEST_CASE(whatever_is_taken_and_given_back_no_page_has_two_owners_and_none_is_lost) {
  std::mt19937 random(7);
  RangeAllocator a = make();
  std::map<std::uint64_t, std::uint64_t> taken;  // base to bytes
  std::array<bool, kPages> owned{};
  const auto mark = [&](std::uint64_t base, std::uint64_t bytes, bool value) {
    for (std::uint64_t at = base; at < base + a.rounded(bytes); at += kPage) {
      BOOST_REQUIRE_NE(owned[(at - kBase) / kPage], value);
      owned[(at - kBase) / kPage] = value;
    }
  };
  for (int step = 0; step < 5000; ++step) {
    if (random() % 2 == 0 && !taken.empty()) {
      const auto it = std::next(taken.begin(), static_cast<long>(random() % taken.size()));
      mark(it->first, it->second, false);
      a.give_back(it->first, it->second);
      taken.erase(it);
    } else if (const std::uint64_t bytes = 1 + random() % (5 * kPage); const auto base = a.take(bytes)) {
      mark(*base, bytes, true);
      taken[*base] = bytes;
    }
  }
  for (const auto& [base, bytes] : taken) a.give_back(base, bytes);
  BOOST_TEST(a.take(kPages * kPage).value() == kBase);
}
