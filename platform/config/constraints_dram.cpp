// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/config/constraints.h"
#include "gputlm/config/quantity.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

namespace {

std::uint64_t bank_bytes(const DramSpec& d) {
  return d.rows * d.row_bytes;
}

std::uint64_t banks(const DramSpec& d) {
  return std::uint64_t{d.controllers} * d.channels_per_controller * d.bank_groups * d.banks_per_group;
}

std::uint64_t window_bytes(const DramSpec& d) {
  return std::uint64_t{d.map.rows_per_window} * d.row_bytes * d.controllers * d.channels_per_controller;
}

void add_organisation(std::vector<Constraint>& table) {
  table.push_back({{"dram.row_bytes"},
                   "dram.row_bytes must be a power of two",
                   [](const Config& c) { return is_power_of_two(c.dram.row_bytes); },
                   {}});
  table.push_back({{"dram.map.column_bits", "dram.row_bytes"},
                   "dram.map.column_bits must hold one bit per doubling of 32-byte columns in dram.row_bytes",
                   [](const Config& c) {
                     return c.dram.map.column_bits.size() < 32 &&
                            c.dram.row_bytes == std::uint64_t{kSectorBytes} << c.dram.map.column_bits.size();
                   },
                   {}});
  table.push_back(
      {{"dram.capacity", "dram.controllers", "dram.channels_per_controller", "dram.bank_groups", "dram.banks_per_group",
        "dram.rows", "dram.row_bytes"},
       "dram.capacity must be controllers x channels x bank groups x banks x rows x row_bytes",
       [](const Config& c) {
         return c.dram.capacity % bank_bytes(c.dram) == 0 && c.dram.capacity / bank_bytes(c.dram) == banks(c.dram);
       },
       [](const Config& c) { return fmt::format("{} banks of {}", banks(c.dram), format_bytes(bank_bytes(c.dram))); }});
  table.push_back({{"dram.bank_groups", "dram.banks_per_group"},
                   "a channel must have an even number of banks: they are refreshed in pairs",
                   [](const Config& c) { return c.dram.bank_groups * c.dram.banks_per_group % 2 == 0; },
                   {}});
}

void add_queues(std::vector<Constraint>& table) {
  table.push_back({{"dram.write_low_mark", "dram.write_high_mark"},
                   "dram.write_low_mark must be below dram.write_high_mark",
                   [](const Config& c) { return c.dram.write_low_mark < c.dram.write_high_mark; },
                   {}});
  table.push_back({{"dram.write_high_mark", "dram.write_queue_entries"},
                   "dram.write_high_mark must not exceed dram.write_queue_entries",
                   [](const Config& c) { return c.dram.write_high_mark <= c.dram.write_queue_entries; },
                   {}});
}

void add_timing(std::vector<Constraint>& table) {
  using T = DramTimingSpec;
  const auto not_above = [&table](const char* low, unsigned T::*low_member, const char* high,
                                  unsigned T::*high_member) {
    table.push_back({{low, high},
                     fmt::format("{} must not exceed {}", low, high),
                     [=](const Config& c) { return c.dram.timing.*low_member <= c.dram.timing.*high_member; },
                     {}});
  };
  not_above("dram.timing.tCCDS", &T::tCCDS, "dram.timing.tCCDL", &T::tCCDL);
  not_above("dram.timing.burst", &T::burst, "dram.timing.tCCDS", &T::tCCDS);
  not_above("dram.timing.tRRDS", &T::tRRDS, "dram.timing.tRRDL", &T::tRRDL);
  not_above("dram.timing.tRRDS", &T::tRRDS, "dram.timing.tFAW", &T::tFAW);
  not_above("dram.timing.tWTRS", &T::tWTRS, "dram.timing.tWTRL", &T::tWTRL);
  not_above("dram.timing.wdm_slots", &T::wdm_slots, "dram.timing.wsm_slots", &T::wsm_slots);
  table.push_back({{"dram.timing.tRC", "dram.timing.tRAS", "dram.timing.tRP"},
                   "dram.timing.tRC must not be below tRAS + tRP",
                   [](const Config& c) { return c.dram.timing.tRC >= c.dram.timing.tRAS + c.dram.timing.tRP; },
                   [](const Config& c) { return fmt::format("at least {}", c.dram.timing.tRAS + c.dram.timing.tRP); }});
  table.push_back({{"dram.timing.refresh_duration", "dram.timing.refresh_interval"},
                   "dram.timing.refresh_duration must be below dram.timing.refresh_interval",
                   [](const Config& c) { return c.dram.timing.refresh_duration < c.dram.timing.refresh_interval; },
                   {}});
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
                   "dram.map.type windowed is laid over crossbar.slice_function.type published",
                   [](const Config& c) { return !is_windowed(c) || c.crossbar.slice_function.type == "published"; },
                   [](const Config&) { return std::string("published, or map.type linear"); }});
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

void add_map(std::vector<Constraint>& table) {
  add_windowed_shape(table);
  add_windowed_bits(table);
  table.push_back({{"dram.rows", "dram.map.rows_per_window", "dram.map.type"},
                   "dram.rows must be a whole number of dram.map.rows_per_window",
                   [](const Config& c) { return !is_windowed(c) || c.dram.rows % c.dram.map.rows_per_window == 0; },
                   {}});
}

}  // namespace

void add_dram_constraints(std::vector<Constraint>& table) {
  add_organisation(table);
  add_queues(table);
  add_timing(table);
  add_map(table);
}

}  // namespace gputlm
