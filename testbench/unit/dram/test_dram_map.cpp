// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <tuple>
#include <vector>

#include "dram_facts.h"
#include "gputlm/dram/dram_map.h"
#include "gputlm/test_support/sc_test.h"

using namespace gputlm;

namespace {

using Row = std::tuple<unsigned, unsigned, unsigned, std::uint64_t>;  // controller, channel, bank, row

Row row_of(const DramMap& map, std::uint64_t address) {
  const DramLocation at = map.locate(address);
  return {published_controller(address), at.channel, at.bank, at.row};
}

// Windows spread over the card, the first and the last among them.
std::vector<std::uint64_t> sample_windows(const DramSpec& spec) {
  const std::uint64_t windows = spec.capacity / spec.map.window_bytes;
  std::vector<std::uint64_t> sample;
  for (std::uint64_t w = 0; w < windows; w += 2039) sample.push_back(w);
  sample.push_back(windows - 1);
  return sample;
}

}  // namespace

// A window holds exactly its rows: every (controller, channel) has four, one per bank group, all of one bank-in-group
// and row number, and every column of each is hit once. Windows with equal (bank, row) digits are equal windows, so the
// whole map is a bijection.
BOOST_AUTO_TEST_CASE(windowed_map_is_a_bijection_within_windows) {
  const DramSpec spec = rtx4090_dram();
  const auto map = DramMap::make(spec, published_controller);
  for (const std::uint64_t window : sample_windows(spec)) {
    std::set<std::pair<Row, unsigned>> columns;
    std::set<Row> rows;
    std::set<std::uint64_t> row_numbers;
    for (std::uint64_t a = window * spec.map.window_bytes; a < (window + 1) * spec.map.window_bytes; a += 32) {
      const DramLocation at = map->locate(a);
      BOOST_REQUIRE_LT(at.row, spec.rows);
      BOOST_REQUIRE_LT(at.bank, 16U);
      BOOST_REQUIRE_EQUAL(at.bank / 4, at.bank_group);
      BOOST_REQUIRE_EQUAL(map->channel_of(a), at.channel);
      rows.insert(row_of(*map, a));
      row_numbers.insert(at.row);
      columns.insert({row_of(*map, a), at.column});
    }
    BOOST_TEST(columns.size() == spec.map.window_bytes / 32);
    BOOST_TEST(rows.size() == 12U * 2U * 4U);
    BOOST_TEST(row_numbers.size() == 1U);
  }
}

BOOST_AUTO_TEST_CASE(windows_fill_every_bank_of_a_row_number_once) {
  const DramSpec spec = rtx4090_dram();
  const auto map = DramMap::make(spec, published_controller);
  for (const std::uint64_t first : {std::uint64_t{0}, std::uint64_t{4 * 777}, std::uint64_t{262144 - 4}}) {
    std::set<Row> rows;
    for (std::uint64_t a = first * spec.map.window_bytes; a < (first + 4) * spec.map.window_bytes; a += 256)
      rows.insert(row_of(*map, a));
    BOOST_TEST(rows.size() == 12U * 2U * 16U);
  }
}

BOOST_AUTO_TEST_CASE(published_deltas_preserve_the_row) {
  const DramSpec spec = rtx4090_dram();
  const auto map = DramMap::make(spec, published_controller);
  for (std::uint64_t a = 0x1234567; a < spec.capacity; a += 0x3c5a9e1)
    for (const std::uint64_t delta : {1ULL << 5, 1ULL << 6, 1ULL << 7, 1ULL << 9, 1ULL << 8 ^ 1ULL << 14}) {
      BOOST_REQUIRE(row_of(*map, a) == row_of(*map, a ^ delta));
      BOOST_REQUIRE(map->locate(a).column != map->locate(a ^ delta).column);
    }
}

BOOST_AUTO_TEST_CASE(bit_8_alone_changes_the_channel) {
  const DramSpec spec = rtx4090_dram();
  const auto map = DramMap::make(spec, published_controller);
  for (std::uint64_t a = 0; a < spec.capacity; a += 0x3c5a9e1)
    BOOST_REQUIRE(map->locate(a).channel != map->locate(a ^ 0x100).channel);
}

BOOST_AUTO_TEST_CASE(a_lines_sectors_are_consecutive_columns_of_one_row) {
  const DramSpec spec = rtx4090_dram();
  const auto map = DramMap::make(spec, published_controller);
  for (std::uint64_t line = 0; line < spec.capacity; line += 0x3c5a980)
    for (unsigned s = 1; s < 4; ++s) {
      BOOST_REQUIRE(row_of(*map, line) == row_of(*map, line + 32 * s));
      BOOST_REQUIRE_EQUAL(map->locate(line).column + s, map->locate(line + 32 * s).column);
    }
}

BOOST_AUTO_TEST_CASE(the_order_of_questions_does_not_change_the_answer) {
  const DramSpec spec = rtx4090_dram();
  const auto up = DramMap::make(spec, published_controller), down = DramMap::make(spec, published_controller);
  std::vector<Row> rows;
  for (std::uint64_t a = 0; a < 1 << 20; a += 1024) rows.push_back(row_of(*up, a));
  for (std::uint64_t a = 1 << 20; a > 0; a -= 1024) BOOST_REQUIRE(row_of(*down, a - 1024) == rows[(a - 1024) / 1024]);
}

BOOST_AUTO_TEST_CASE(without_rotation_consecutive_rows_share_a_bank_group) {
  DramSpec spec = rtx4090_dram();
  spec.map.rotate_bank_groups = false;
  const auto map = DramMap::make(spec, published_controller);
  std::set<unsigned> groups;
  std::set<Row> rows;
  for (std::uint64_t a = 0; a < spec.map.window_bytes; a += 256) {
    groups.insert(map->locate(a).bank_group);
    rows.insert(row_of(*map, a));
  }
  BOOST_TEST(groups.size() == 1U);
  BOOST_TEST(rows.size() == 12U * 2U * 4U);
}

BOOST_AUTO_TEST_CASE(one_controller_gets_a_bijection_too) {
  DramSpec spec = rtx4090_dram();
  spec.controllers = 1;
  spec.capacity = 2ULL << 30;
  spec.map.rows_per_window = 48;
  const auto map = DramMap::make(spec, [](std::uint64_t) { return 0U; });
  std::set<std::tuple<unsigned, unsigned, std::uint64_t, unsigned>> seen;
  std::size_t columns = 0;
  for (std::uint64_t a = 0; a < 16 * spec.map.window_bytes; a += 32, ++columns) {
    const DramLocation at = map->locate(a);
    seen.insert({at.channel, at.bank, at.row, at.column});
  }
  BOOST_TEST(seen.size() == columns);
}

BOOST_AUTO_TEST_CASE(linear_map_is_a_bijection_under_a_modulo_controller) {
  DramSpec spec = rtx4090_dram();
  spec.map.type = "linear";
  const auto map = DramMap::make(spec, published_controller);
  std::set<std::tuple<unsigned, unsigned, unsigned, std::uint64_t, unsigned>> seen;
  std::size_t columns = 0;
  for (std::uint64_t a = 0; a < 4 << 20; a += 32, ++columns) {
    const DramLocation at = map->locate(a);
    seen.insert({static_cast<unsigned>(a / 1024 % 12), at.channel, at.bank, at.row, at.column});
  }
  BOOST_TEST(seen.size() == columns);
}

BOOST_AUTO_TEST_CASE(an_unknown_map_is_refused) {
  DramSpec spec = rtx4090_dram();
  spec.map.type = "spiral";
  BOOST_TEST(!DramMap::make(spec, published_controller));
}
