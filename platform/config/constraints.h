// SPDX-License-Identifier: Apache-2.0
//
// What must hold between parameters of a configuration, checked once all of them have been read. The hardware's own
// relations (a set index of log2(sets) bits, a row of whole bursts) and the limits of what a strategy can do.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gputlm/config/config.h"

namespace gputlm {

/// One relation.
struct Constraint {
  std::vector<std::string> paths;  ///< The parameters it concerns; it is checked when all of them are known.
  std::string rule;                ///< As a sentence, for messages and the reference.
  std::function<bool(const Config&)> holds;
  std::function<std::string(const Config&)> allowed;  ///< What would satisfy it; may be absent.
};

const std::vector<Constraint>& constraints();

// Parts of the table, one file each.
void add_cache_constraints(std::vector<Constraint>& table);
void add_road_constraints(std::vector<Constraint>& table);
void add_dram_constraints(std::vector<Constraint>& table);
void add_dram_map_constraints(std::vector<Constraint>& table);
void add_host_constraints(std::vector<Constraint>& table);
void add_sm_constraints(std::vector<Constraint>& table);

constexpr bool is_power_of_two(std::uint64_t value) {
  return value != 0 && (value & (value - 1)) == 0;
}

/// For a power of two.
constexpr unsigned log2_of(std::uint64_t value) {
  unsigned bits = 0;
  while (value > 1) {
    value >>= 1;
    ++bits;
  }
  return bits;
}

}  // namespace gputlm
