// SPDX-License-Identifier: Apache-2.0
//
// The figures of one point: the headline numbers that are taken from its results, or those that the sweep's file names.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputlm/config/yaml_reader.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// A figure with what it means.
struct Statistic {
  std::string name, unit;
  std::string better;  ///< higher, lower, or empty: neither.
  std::string description;
  double value = 0;

  /// Name of its column.
  std::string column() const;
};

/// A statistic that a sweep's file asks for.
struct StatisticChoice {
  std::string name;                 ///< Of the column.
  std::string path;                 ///< A headline figure, a probe's case, summary.PATH or stats.PATH.
  std::optional<std::string> unit;  ///< Instead of the figure's own.
  std::string better;               ///< Instead of the figure's own, unless empty.
  Place place;                      ///< Where it stands.
};

/// Reads `statistics:` of a sweep's file. A name that no experiment can give is reported; of a probe any case's may be
/// given.
std::vector<StatisticChoice> read_statistic_choices(YamlReader& root, const std::string& file, bool probe,
                                                    Diagnostics& diagnostics);

/// The headline figures of a run or a launch, from its summary.json. A kind of access that did not occur has none.
std::vector<Statistic> headline_statistics(const Json& summary);
/// All of them and those of each phase and kernel: whatever may be asked for by name.
std::vector<Statistic> named_statistics(const Json& summary);
/// The rows of a probe that have a value, from what its --format json prints.
std::vector<Statistic> probe_statistics(const Json& rows);

/// Names of headline figures that may be asked for.
std::vector<std::string> statistic_names();

/// The number at a path of names and list positions with dots between, as in summary.json.
std::optional<Statistic> summary_statistic(const Json& summary, const std::string& path);
/// The same of stats.json, with its unit and description; of a distribution the mean, or what follows its name.
std::optional<Statistic> tree_statistic(const Json& stats, const std::string& path);

/// Prefixes of paths into the two files.
inline constexpr const char *kSummaryPrefix = "summary.", *kStatsPrefix = "stats.";

}  // namespace gputlm
