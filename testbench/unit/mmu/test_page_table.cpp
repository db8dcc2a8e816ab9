// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "gputlm/mmu/page_table.h"
#include "gputlm/mmu/tlb.h"

using namespace gputlm;

namespace {

constexpr std::uint64_t kPage = 2 << 20;
using Ranges = std::set<std::pair<std::uint64_t, std::uint64_t>>;

Ranges aliases(const PageTable& table, std::uint64_t first, std::uint64_t last) {
  Ranges found;
  table.for_each_alias(first, last, [&](std::uint64_t from, std::uint64_t to) { found.emplace(from, to); });
  return found;
}

std::string refusal(PageTable& table, std::uint64_t va, std::uint64_t pa, std::uint64_t bytes, std::uint64_t page = 0) {
  try {
    table.map(va, pa, bytes, page);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "mapped";
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_extent_translates_from_its_first_to_its_last_byte) {
  PageTable table(kPage);
  table.map(16 * kPage, 3 * kPage, 2 * kPage);
  BOOST_TEST(table.translate(16 * kPage).value() == 3 * kPage);
  BOOST_TEST(table.translate(18 * kPage - 1).value() == 5 * kPage - 1);
  BOOST_TEST(!table.translate(16 * kPage - 1));
  BOOST_TEST(!table.translate(18 * kPage));
  BOOST_TEST(!table.translate(0));
  BOOST_TEST(!table.translate(~std::uint64_t{0}));
}

BOOST_AUTO_TEST_CASE(a_page_is_the_unit_of_caching) {
  PageTable table(kPage);
  table.map(16 * kPage, 3 * kPage, 4 * kPage);
  table.map(64 * kPage, 1ULL << 40, 1 << 20, 4096);
  const Page page = table.find(17 * kPage + 5).value();
  BOOST_TEST(page.virtual_base == 17 * kPage);
  BOOST_TEST(page.physical_base == 4 * kPage);
  BOOST_TEST(page.bytes == kPage);
  const Page small = table.find(64 * kPage + 4096 + 7).value();
  BOOST_TEST(small.virtual_base == 64 * kPage + 4096);
  BOOST_TEST(small.physical_base == (1ULL << 40) + 4096);
  BOOST_TEST(small.bytes == 4096U);
}

BOOST_AUTO_TEST_CASE(an_overlap_names_both_parties) {
  PageTable table(kPage);
  table.map(4 * kPage, 0, 2 * kPage);
  for (const auto& [va, pages] : {std::pair<std::uint64_t, std::uint64_t>{5, 1}, {3, 2}, {3, 9}, {4, 2}, {4, 1}}) {
    const std::string text = refusal(table, va * kPage, 32 * kPage, pages * kPage);
    BOOST_TEST(text.find("[0x800000, 0xbfffff]") != std::string::npos, text);
    BOOST_TEST(text.find("overlaps") != std::string::npos, text);
  }
  BOOST_TEST(refusal(table, 6 * kPage, 32 * kPage, kPage) == "mapped");
  BOOST_TEST(refusal(table, 3 * kPage, 33 * kPage, kPage) == "mapped");
}

BOOST_AUTO_TEST_CASE(what_is_not_made_of_whole_pages_is_refused) {
  PageTable table(kPage);
  BOOST_TEST(refusal(table, 4096, 0, kPage).find("whole pages") != std::string::npos);
  BOOST_TEST(refusal(table, 0, 4096, kPage).find("whole pages") != std::string::npos);
  BOOST_TEST(refusal(table, 0, 0, 4096).find("whole pages") != std::string::npos);
  BOOST_TEST(refusal(table, 0, 0, 4096, 4095).find("whole pages") != std::string::npos);
  BOOST_TEST(refusal(table, 0, 0, 0).find("empty") != std::string::npos);
  BOOST_TEST(refusal(table, ~std::uint64_t{0} - kPage + 1, 0, 2 * kPage).find("wraps") != std::string::npos);
  BOOST_TEST(refusal(table, ~std::uint64_t{0} - kPage + 1, 0, kPage) == "mapped");
  BOOST_CHECK_THROW(PageTable(3000), std::invalid_argument);
}

BOOST_AUTO_TEST_CASE(every_alias_of_a_physical_range_is_found) {
  PageTable table(kPage);
  table.map(10 * kPage, 0, 4 * kPage);
  table.map(20 * kPage, 1 * kPage, kPage);
  table.map(30 * kPage, 8 * kPage, kPage);
  BOOST_TEST((aliases(table, kPage + 5, kPage + 9) ==
              Ranges{{11 * kPage + 5, 11 * kPage + 9}, {20 * kPage + 5, 20 * kPage + 9}}));
  BOOST_TEST((aliases(table, 2 * kPage - 1, 2 * kPage) ==
              Ranges{{12 * kPage - 1, 12 * kPage}, {21 * kPage - 1, 21 * kPage - 1}}));
  BOOST_TEST((aliases(table, 3 * kPage, 8 * kPage) == Ranges{{13 * kPage, 14 * kPage - 1}, {30 * kPage, 30 * kPage}}));
  BOOST_TEST(aliases(table, 4 * kPage, 8 * kPage - 1).empty());
  BOOST_TEST(aliases(table, 0, ~std::uint64_t{0}).size() == 3U);
}

BOOST_AUTO_TEST_CASE(a_removed_extent_is_gone_both_ways) {
  PageTable table(kPage);
  table.map(10 * kPage, 0, kPage);
  table.map(20 * kPage, 0, kPage);
  BOOST_TEST(table.unmap(10 * kPage));
  BOOST_TEST(!table.unmap(10 * kPage));
  BOOST_TEST(!table.translate(10 * kPage));
  BOOST_TEST((aliases(table, 0, 1) == Ranges{{20 * kPage, 20 * kPage + 1}}));
  table.clear();
  BOOST_TEST(!table.translate(20 * kPage));
  BOOST_TEST(aliases(table, 0, 1).empty());
}

BOOST_AUTO_TEST_CASE(random_maps_agree_with_a_list_of_pages) {
  std::mt19937 random(7);
  PageTable table(kPage);
  constexpr unsigned kVirtual = 200, kPhysical = 60;
  std::vector<int> frame_of(kVirtual, -1);
  for (unsigned i = 0; i < 80; ++i) {
    const unsigned va = random() % kVirtual, pages = 1 + random() % 6, pa = random() % (kPhysical - 6);
    const unsigned end = std::min(va + pages, kVirtual);
    const bool free = std::all_of(frame_of.begin() + va, frame_of.begin() + end, [](int f) { return f < 0; });
    BOOST_TEST((refusal(table, va * kPage, pa * kPage, (end - va) * kPage) == "mapped") == free);
    for (unsigned p = va; free && p < end; ++p) frame_of[p] = static_cast<int>(pa + p - va);
  }
  for (unsigned p = 0; p < kVirtual; ++p) {
    const auto translated = table.translate(p * kPage + 123);
    BOOST_TEST(translated.has_value() == (frame_of[p] >= 0));
    if (translated) BOOST_TEST(*translated == static_cast<std::uint64_t>(frame_of[p]) * kPage + 123);
  }
  for (unsigned frame = 0; frame < kPhysical; ++frame) {
    Ranges expected;
    for (unsigned p = 0; p < kVirtual; ++p)
      if (frame_of[p] == static_cast<int>(frame)) expected.emplace(p * kPage + 8, p * kPage + 9);
    BOOST_TEST((aliases(table, frame * kPage + 8, frame * kPage + 9) == expected));
  }
}

BOOST_AUTO_TEST_CASE(the_tlb_replaces_the_least_recently_used_page) {
  Tlb tlb(3);
  for (unsigned i = 0; i < 3; ++i) tlb.insert({i * kPage, i * kPage, kPage});
  BOOST_TEST(tlb.find(0) != nullptr);
  tlb.insert({7 * kPage, 0, kPage});
  BOOST_TEST(tlb.find(kPage) == nullptr);
  BOOST_TEST(tlb.find(2 * kPage) != nullptr);
  BOOST_TEST(tlb.find(5)->virtual_base == 0U);
  tlb.flush();
  BOOST_TEST(tlb.find(5) == nullptr);
}
