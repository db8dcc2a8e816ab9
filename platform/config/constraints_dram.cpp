// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/config/constraints.h"
#include "gputlm/config/quantity.h"
#include "gputlm/dram/dram_limits.h"
#include "gputlm/tlm/line_contract.h"

namespace gputlm {

namespace {

/// The scheduler keeps a channel's banks in one word.
constexpr unsigned kMostBanks = 64;

std::uint64_t bank_bytes(const DramSpec& d) {
  return d.rows * d.row_bytes;
}

std::uint64_t banks(const DramSpec& d) {
  return std::uint64_t{d.controllers} * d.channels_per_controller * d.bank_groups * d.banks_per_group;
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
  table.push_back({{"dram.bank_groups", "dram.banks_per_group"},
                   "a channel has at most 64 banks",
                   [](const Config& c) { return c.dram.bank_groups * c.dram.banks_per_group <= kMostBanks; },
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
  table.push_back({{"dram.drain_row_lines", "dram.row_bytes"},
                   "dram.drain_row_lines must not exceed the lines of a row",
                   [](const Config& c) { return c.dram.drain_row_lines <= c.dram.row_bytes / kLineBytes; },
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
}

void add_refresh(std::vector<Constraint>& table) {
  table.push_back({{"dram.timing.refresh_duration", "dram.timing.refresh_interval"},
                   "dram.timing.refresh_duration must be below dram.timing.refresh_interval",
                   [](const Config& c) { return c.dram.timing.refresh_duration < c.dram.timing.refresh_interval; },
                   {}});
  table.push_back(
      {{"dram.timing.refresh_interval", "dram.timing.wsm_slots", "dram.timing.wdm_slots", "dram.ecc", "clocks.dram"},
       "between two refresh commands of a channel there must be room for the longest write command",
       [](const Config& c) { return DramTiming(c.dram, 0).clocks_between_refresh_commands() > widest_column(c.dram); },
       [](const Config& c) { return fmt::format("more than {} command clocks", widest_column(c.dram)); }});
  table.push_back(
      {{"dram.timing.refresh_interval", "dram.timing.refresh_duration", "dram.bank_groups", "dram.banks_per_group",
        "dram.timing.tRCDRD", "dram.timing.tRCDWR", "dram.timing.tRAS", "dram.timing.tCCDL", "dram.timing.tRTP",
        "dram.timing.tWL", "dram.timing.tWR", "dram.timing.tRTW", "dram.timing.wsm_slots", "dram.ecc", "clocks.dram"},
       "between two refreshes of a bank pair there must be room for a line: activate, columns, recovery",
       [](const Config& c) {
         const DramTiming timing(c.dram, 0);
         return timing.clocks_between_refreshes() >= longest_line(c.dram, timing);
       },
       [](const Config& c) {
         const DramTiming timing(c.dram, 0);
         return fmt::format("at least {} command clocks, there are {}", longest_line(c.dram, timing),
                            timing.clocks_between_refreshes());
       }});
}

}  // namespace

void add_dram_constraints(std::vector<Constraint>& table) {
  add_organisation(table);
  add_queues(table);
  add_timing(table);
  add_refresh(table);
}

}  // namespace gputlm
