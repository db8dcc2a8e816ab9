// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gputlm/config/constraints.h"
#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

// The published slice functions are of 12 controllers.
constexpr unsigned kPublishedControllers = 12;

/// Of all pairs of an SM and a slice, or the system port, which has no position.
Fs least_position(const CrossbarSpec& crossbar) {
  double least = 0;
  for (const double cycles : crossbar.slice_position) least = std::min(least, cycles);
  const auto& sms = crossbar.sm_position;
  if (!sms.empty()) least += *std::min_element(sms.begin(), sms.end());
  return cycles_to_fs(least, crossbar.clock_hz);
}

/// Rows of 2^masks places, each with a slice that is there, and no slice without a place.
bool is_slice_table(const CrossbarSpec& crossbar) {
  const std::vector<unsigned>& table = crossbar.slice_function.table;
  const std::size_t places = std::size_t{1} << crossbar.slice_function.table_masks.size();
  std::vector<bool> served(crossbar.slices);
  for (const unsigned slice : table) {
    if (slice >= crossbar.slices) return false;
    served[slice] = true;
  }
  return table.size() % places == 0 && std::find(served.begin(), served.end(), false) == served.end();
}

void add_slice_table(std::vector<Constraint>& table) {
  table.push_back(
      {{"crossbar.slice_function.type", "crossbar.slice_function.table", "crossbar.slice_function.table_masks",
        "l2.slices"},
       "crossbar.slice_function.table must be rows of 2^masks places and name every slice, and no other, when "
       "the function is a table",
       [](const Config& c) { return c.crossbar.slice_function.type != "table" || is_slice_table(c.crossbar); },
       [](const Config& c) {
         return fmt::format("a multiple of {} places with slices 0 to {}",
                            std::size_t{1} << c.crossbar.slice_function.table_masks.size(), c.crossbar.slices - 1);
       }});
}

void add_positions(std::vector<Constraint>& table) {
  table.push_back(
      {{"crossbar.sm_position", "sm.count"},
       "crossbar.sm_position must be empty or hold one value per SM",
       [](const Config& c) { return c.crossbar.sm_position.empty() || c.crossbar.sm_position.size() == c.sms; },
       {}});
  table.push_back({{"crossbar.slice_position", "l2.slices"},
                   "crossbar.slice_position must be empty or hold one value per slice",
                   [](const Config& c) {
                     return c.crossbar.slice_position.empty() || c.crossbar.slice_position.size() == c.crossbar.slices;
                   },
                   {}});
  table.push_back(
      {{"crossbar.sm_position", "crossbar.slice_position", "crossbar.request_latency", "crossbar.response_latency",
        "clocks.crossbar"},
       "a position must not take more time off than the crossbar's latency",
       [](const Config& c) {
         return least_position(c.crossbar) + std::min(c.crossbar.request_latency, c.crossbar.response_latency) >= 0;
       },
       [](const Config& c) {
         return fmt::format("an SM's and a slice's position together take {} off",
                            format_time(-least_position(c.crossbar)));
       }});
}

/// A published slice function and the slices per controller that it is for.
void add_published_form(std::vector<Constraint>& table, const std::string& type, unsigned slices_per_controller) {
  table.push_back({{"crossbar.slice_function.type", "dram.controllers", "l2.slices_per_controller"},
                   fmt::format("crossbar.slice_function.type {} is a function of {} controllers with {} slices each",
                               type, kPublishedControllers, slices_per_controller),
                   [=](const Config& c) {
                     return c.crossbar.slice_function.type != type ||
                            (c.dram.controllers == kPublishedControllers &&
                             c.dram.slices_per_controller == slices_per_controller);
                   },
                   [=](const Config&) {
                     return fmt::format("{} and {}, or slice_function.type modulo, xor_fold or table",
                                        kPublishedControllers, slices_per_controller);
                   }});
}

}  // namespace

void add_road_constraints(std::vector<Constraint>& table) {
  table.push_back({{"mmu.page_bytes"},
                   "mmu.page_bytes must be a power of two",
                   [](const Config& c) { return is_power_of_two(c.mmu.page_bytes); },
                   {}});
  table.push_back({{"dram.capacity", "mmu.page_bytes"},
                   "dram.capacity must be a whole number of pages of mmu.page_bytes",
                   [](const Config& c) { return c.dram.capacity % c.mmu.page_bytes == 0; },
                   {}});
  table.push_back(
      {{"l2.slices", "dram.controllers", "l2.slices_per_controller"},
       "l2.slices must be dram.controllers x l2.slices_per_controller",
       [](const Config& c) { return c.crossbar.slices == c.dram.controllers * c.dram.slices_per_controller; },
       [](const Config& c) {
         return fmt::format("{} x {} = {} slices", c.dram.controllers, c.dram.slices_per_controller,
                            c.dram.controllers * c.dram.slices_per_controller);
       }});
  add_published_form(table, "published", 3);
  add_published_form(table, "published_48", 4);
  add_slice_table(table);
  table.push_back({{"crossbar.slice_function.granule"},
                   "crossbar.slice_function.granule must be a power of two",
                   [](const Config& c) { return is_power_of_two(c.crossbar.slice_function.granule); },
                   {}});
  add_positions(table);
}

}  // namespace gputlm
