// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>
#include <map>
#include <vector>

#include "gputlm/l1/l1_array.h"
#include "l1_bench.h"

using namespace gputlm;

namespace {

L1Array::Slot allocate(L1Array& array, std::uint64_t line) {
  const L1Array::Slot slot = array.victim(line);
  array.assign(slot, line);
  return slot;
}

std::vector<std::uint64_t> same_set(const L1Array& array, unsigned n) {
  std::vector<std::uint64_t> lines;
  for (std::uint64_t line = 0; lines.size() < n; line += kLineBytes)
    if (array.set_of(line) == array.set_of(0)) lines.push_back(line);
  return lines;
}

}  // namespace

BOOST_AUTO_TEST_CASE(contiguous_128_kib_puts_four_lines_into_each_of_256_sets) {
  const L1Array array(l1_bench::published_spec());
  for (const std::uint64_t base : {std::uint64_t{0}, std::uint64_t{0x7f1234560000}, std::uint64_t{5} << 30}) {
    std::map<unsigned, unsigned> lines_of_set;
    for (std::uint64_t offset = 0; offset < 128 * 1024; offset += kLineBytes)
      ++lines_of_set[array.set_of(base + offset)];
    BOOST_TEST(lines_of_set.size() == 256U);
    for (const auto& [set, lines] : lines_of_set) BOOST_TEST(lines == 4U, "set " << set << " has " << lines);
  }
}

BOOST_AUTO_TEST_CASE(set_index_is_the_parity_of_each_mask) {
  const L1Spec spec = l1_bench::published_spec();
  const L1Array array(spec);
  for (std::uint64_t line : {0x80ULL, 0x1200ULL, 0x123456780ULL, 0x1ffffff80ULL}) {
    unsigned expected = 0;
    for (unsigned i = 0; i < 8; ++i)
      expected |= static_cast<unsigned>(__builtin_popcountll(line & spec.index_masks[i]) & 1) << i;
    BOOST_TEST(array.set_of(line) == expected);
  }
}

BOOST_AUTO_TEST_CASE(the_least_recently_used_way_is_the_victim) {
  L1Array array(l1_bench::published_spec());
  const auto lines = same_set(array, 5);
  for (unsigned i = 0; i < 4; ++i) allocate(array, lines[i]);
  array.touch(array.find(lines[0]));
  BOOST_TEST(array.line(array.victim(lines[4])) == lines[1]);
  allocate(array, lines[4]);
  BOOST_TEST(array.find(lines[1]) == L1Array::kNone);
  BOOST_TEST(array.find(lines[0]) != L1Array::kNone);
}

BOOST_AUTO_TEST_CASE(ways_plus_one_lines_in_a_cycle_always_miss) {
  L1Array array(l1_bench::published_spec());
  const auto lines = same_set(array, 5);
  unsigned hits = 0;
  for (unsigned round = 0; round < 4; ++round)
    for (const std::uint64_t line : lines) {
      hits += array.find(line) != L1Array::kNone ? 1 : 0;
      allocate(array, line);
    }
  BOOST_TEST(hits == 0U);
}

BOOST_AUTO_TEST_CASE(a_dropped_way_is_taken_first) {
  L1Array array(l1_bench::published_spec());
  const auto lines = same_set(array, 5);
  for (unsigned i = 0; i < 4; ++i) allocate(array, lines[i]);
  const L1Array::Slot dropped = array.find(lines[3]);
  array.drop(dropped);
  BOOST_TEST(array.find(lines[3]) == L1Array::kNone);
  BOOST_TEST(array.victim(lines[4]) == dropped);
}

BOOST_AUTO_TEST_CASE(drop_all_empties_every_slot_and_the_array_works_on) {
  L1Array array(l1_bench::published_spec());
  for (std::uint64_t line = 0; line < 1024 * kLineBytes; line += kLineBytes) allocate(array, line);
  array.drop_all();
  for (std::uint64_t line = 0; line < 1024 * kLineBytes; line += kLineBytes)
    BOOST_REQUIRE(array.find(line) == L1Array::kNone);
  BOOST_TEST(array.find(0x80) == L1Array::kNone);
  allocate(array, 0x80);
  BOOST_TEST(array.find(0x80) != L1Array::kNone);
  BOOST_TEST(array.valid(array.find(0x80)).empty());
}

BOOST_AUTO_TEST_CASE(fewer_usable_ways_shrink_the_set) {
  L1Array array(l1_bench::published_spec());
  array.set_ways(2);
  const auto lines = same_set(array, 3);
  for (const std::uint64_t line : lines) allocate(array, line);
  BOOST_TEST(array.find(lines[0]) == L1Array::kNone);
  BOOST_TEST(array.find(lines[1]) != L1Array::kNone);
  BOOST_TEST(array.find(lines[2]) != L1Array::kNone);
}

BOOST_AUTO_TEST_CASE(range_visit_finds_the_same_slots_over_short_and_long_ranges) {
  L1Array array(l1_bench::published_spec());
  std::vector<std::uint64_t> inside = {0x1000, 0x1080, 0x2f80};
  for (const std::uint64_t line : inside) allocate(array, line);
  for (const std::uint64_t line : {0xf80ULL, 0x3000ULL}) allocate(array, line);
  const auto visited = [&](std::uint64_t first, std::uint64_t last) {
    std::vector<std::uint64_t> found;
    array.for_each_in(first, last, [&](L1Array::Slot s) { found.push_back(array.line(s)); });
    std::sort(found.begin(), found.end());
    return found;
  };
  BOOST_TEST(visited(0x1004, 0x2f81) == inside, boost::test_tools::per_element());
  BOOST_TEST(visited(0x1000, 0x1000 + (1ULL << 40)).size() == 4U);
  BOOST_TEST(visited(0, ~std::uint64_t{0}).size() == 5U);
  BOOST_TEST(visited(0x1001, 0x1002).size() == 1U);
}
