// SPDX-License-Identifier: Apache-2.0
//
// The statistics of all units of one kind as if they were one: sums of counts and times, the largest of peaks, merged
// distributions.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// The kind of unit that a hierarchical name names: its last part without its number; of "gpu.mem.l2_7" it is "l2", of
/// "gpu.sm3.l1" "l1".
std::string unit_kind(std::string_view name);

/// One statistic over all units of a kind.
struct TotalStatistic {
  std::string name, unit, description;
  bool whole = false;  ///< A count; else a time.
  std::uint64_t count = 0;
  double value = 0;
  std::unique_ptr<Histogram> values;  ///< Null unless it is a distribution.
};

/// Totals by kind: scheduler, lsu, l1, mmu, loose, crossbar, l2, mc, channel, host.
class UnitTotals {
 public:
  void add(const Unit& unit);

  /// 0 when there is no such statistic.
  std::uint64_t count(std::string_view kind, std::string_view name) const;
  /// Null when there is no such distribution.
  const Histogram* distribution(std::string_view kind, std::string_view name) const;
  /// {"lsu": {"stores": {"value": .., "unit": .., "description": ..}, ...}, ...}
  Json document() const;

 private:
  using Kind = std::vector<TotalStatistic>;
  class Sink;

  const TotalStatistic* find(std::string_view kind, std::string_view name) const;

  std::vector<std::pair<std::string, Kind>> kinds_;  ///< In the order of the road.
};

}  // namespace gputlm
