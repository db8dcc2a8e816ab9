// SPDX-License-Identifier: Apache-2.0
//
// What a sweep has found: parameters and statistics of every point that has ended, as CSV and as an SQLite table, and
// the description that reports are drawn from.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gputlm/sweep/point_run.h"
#include "gputlm/sweep/sweep_plan.h"

namespace gputlm {

class Database;

/// One point's state and what it gave.
struct PointRecord {
  std::optional<PointEnd> end;  ///< Nothing: it has not ended.
  std::vector<Statistic> statistics;

  /// waiting, done or failed.
  const char* state() const;
  const Statistic* find(const std::string& column) const;
};

/// The statistics that a sweep has chosen, from the folder of a point that is done.
std::vector<Statistic> point_statistics(const SweepFile& file, const std::filesystem::path& folder);

/// A folder's name below `points`: as many digits as the last point needs, at least four.
std::string point_folder(const SweepPlan& plan, unsigned number);

/// The table. Records are in the order of the plan's points.
class ResultsTable {
 public:
  ResultsTable(const SweepPlan& plan, const std::vector<PointRecord>& records);

  std::string csv() const;
  /// Writes an SQLite database in place of the file. Throws std::runtime_error when that cannot be.
  void write_database(const std::string& file) const;
  /// What docs/sweeps.md says of sweep.json, without `definition`.
  Json description() const;
  /// Of the statistics asked for, those that no point that is done has.
  std::vector<std::string> missing() const;

 private:
  void fill_columns(Database& database) const;
  void fill_rows(Database& database, const std::string& places) const;

  const SweepPlan& plan_;
  const std::vector<PointRecord>& records_;
  std::vector<Statistic> columns_;  ///< Those that at least one point has, without a value.
};

}  // namespace gputlm
