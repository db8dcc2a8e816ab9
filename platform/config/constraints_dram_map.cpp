// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/constraints.h"
#include "gputlm/config/quantity.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

namespace {

std::uint64_t window_bytes(const DramSpec& d) {
  return std::uint64_t{d.map.rows_per_window} * d.row_bytes * d.controllers * d.channels_per_controller;
}

bool is_windowed(const Config& c) {
  return c.dram.map.type == "windowed";
}

/// Address bits below the block that are a column's: a set of bits.
std::uint64_t column_mask(const DramMapSpec& map) {
  std::uint64_t mask = 0;
  for (const unsigned bit : map.column_bits) mask |= std::uint64_t{1} << bit;
  return mask;
}

/// Bits below the block that tell its rows apart: neither a column's nor a byte's nor the lowest one that the channel
/// fixes.
std::uint64_t order_mask(const DramMapSpec& map) {
  const std::uint64_t block = (std::uint64_t{1} << map.block_shift) - 1;
  const std::uint64_t channel_bit = map.channel_mask & (~map.channel_mask + 1);
  return block & ~(column_mask(map) | channel_bit | (kSectorBytes - 1));
}

unsigned count_bits(std::uint64_t mask) {
  return static_cast<unsigned>(__builtin_popcountll(mask));
}

void add_windowed_shape(std::vector<Constraint>& table) {
  table.push_back({{"dram.map.type", "crossbar.slice_function.type"},
                   "dram.map.type windowed is laid over crossbar.slice_function.type published or published_48",
                   [](const Config& c) {
                     const std::string& type = c.crossbar.slice_function.type;
                     return !is_windowed(c) || type == "published" || type == "published_48";
                   },
                   [](const Config&) { return std::string("published, published_48, or map.type linear"); }});
  table.push_back({{"dram.channels_per_controller", "dram.map.type"},
                   "dram.map.type windowed picks one of two channels by a parity",
                   [](const Config& c) { return !is_windowed(c) || c.dram.channels_per_controller == 2; },
                   [](const Config&) { return std::string("2 channels, or map.type linear"); }});
  table.push_back({{"dram.bank_groups", "dram.banks_per_group", "dram.map.rows_per_window", "dram.map.type"},
                   "dram.map.type windowed needs bank groups and banks that are powers of two, and as many rows in a "
                   "window as it rotates over, or a multiple",
                   [](const Config& c) {
                     const DramSpec& d = c.dram;
                     const unsigned turn = d.map.rotate_bank_groups ? d.bank_groups : d.banks_per_group;
                     return !is_windowed(c) || (is_power_of_two(d.bank_groups) && is_power_of_two(d.banks_per_group) &&
                                                d.map.rows_per_window % turn == 0);
                   },
                   {}});
  table.push_back({{"dram.map.window_bytes", "dram.map.rows_per_window", "dram.row_bytes", "dram.controllers",
                    "dram.channels_per_controller", "dram.map.type"},
                   "dram.map.window_bytes must be rows_per_window rows of every channel",
                   [](const Config& c) { return !is_windowed(c) || c.dram.map.window_bytes == window_bytes(c.dram); },
                   [](const Config& c) { return format_bytes(window_bytes(c.dram)); }});
}

void add_windowed_bits(std::vector<Constraint>& table) {
  table.push_back({{"dram.map.column_bits"},
                   "dram.map.column_bits must be different bits",
                   [](const Config& c) { return count_bits(column_mask(c.dram.map)) == c.dram.map.column_bits.size(); },
                   {}});
  table.push_back(
      {{"dram.map.rank_bits", "dram.map.block_shift", "dram.map.column_bits", "dram.map.channel_mask", "dram.map.type"},
       "dram.map.rank_bits must be different row bits below the block: no column's, nor the channel's lowest",
       [](const Config& c) {
         std::uint64_t rank = 0;
         for (const unsigned bit : c.dram.map.rank_bits) rank |= std::uint64_t{1} << bit;
         return !is_windowed(c) ||
                (count_bits(rank) == c.dram.map.rank_bits.size() && (rank & ~order_mask(c.dram.map)) == 0);
       },
       {}});
  table.push_back({{"dram.map.window_bytes", "dram.map.block_shift", "dram.map.column_bits", "dram.map.channel_mask",
                    "dram.map.rows_per_window", "dram.controllers", "dram.map.type"},
                   "the rows that the bits of a window tell apart must be rows_per_window for each controller",
                   [](const Config& c) {
                     const DramMapSpec& map = c.dram.map;
                     const std::uint64_t rows = (map.window_bytes >> map.block_shift) << count_bits(order_mask(map));
                     return !is_windowed(c) || rows == std::uint64_t{map.rows_per_window} * c.dram.controllers;
                   },
                   {}});
}

}  // namespace

void add_dram_map_constraints(std::vector<Constraint>& table) {
  add_windowed_shape(table);
  add_windowed_bits(table);
  table.push_back({{"dram.rows", "dram.map.rows_per_window", "dram.map.type"},
                   "dram.rows must be a whole number of dram.map.rows_per_window",
                   [](const Config& c) { return !is_windowed(c) || c.dram.rows % c.dram.map.rows_per_window == 0; },
                   {}});
}

}  // namespace gputlm
