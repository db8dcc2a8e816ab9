// SPDX-License-Identifier: Apache-2.0
//
// Strategies by name: what the three strategy families of the slice share.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gputlm {

/// One row per strategy of a family: its name and how it is made from `Arguments`.
template <class Strategy, class... Arguments>
struct StrategyTable {
  struct Row {
    const char* name;
    std::unique_ptr<Strategy> (*make)(const Arguments&...);
  };
  const char* family;
  std::vector<Row> rows;

  std::unique_ptr<Strategy> make(const std::string& name, const Arguments&... arguments) const {
    std::string known;
    for (const Row& row : rows) {
      if (name == row.name) return row.make(arguments...);
      known += known.empty() ? row.name : std::string(", ") + row.name;
    }
    throw std::invalid_argument(std::string("unknown ") + family + " '" + name + "'; known: " + known);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const Row& row : rows) all.emplace_back(row.name);
    return all;
  }
};

/// Row of the strategy `Type`, which is constructed from the family's arguments.
template <class Type, class Strategy, class... Arguments>
std::unique_ptr<Strategy> make_strategy(const Arguments&... arguments) {
  return std::make_unique<Type>(arguments...);
}

}  // namespace gputlm
