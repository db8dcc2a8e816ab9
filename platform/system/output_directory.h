// SPDX-License-Identifier: Apache-2.0
//
// Where a run's results go. Nothing in it ever looks whole that is not: files of an earlier run are removed when a run
// starts, new ones are written beside their name and renamed when complete.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>

namespace gputlm {

/// A directory that has been shown to be writable.
class OutputDirectory {
 public:
  /// Creates the directory if need be and removes results of an earlier run. Throws std::runtime_error, with the
  /// reason, when it cannot be written.
  explicit OutputDirectory(std::filesystem::path directory);

  /// Writes one file through `fill`; throws std::runtime_error when the disk does not take it.
  void write(const std::string& file, const std::function<void(std::ostream&)>& fill) const;

  const std::filesystem::path& path() const { return directory_; }

  static constexpr const char* kSummary = "summary.json";
  static constexpr const char* kStatistics = "stats.json";
  static constexpr const char* kTimeSeries = "timeseries.csv";
  static constexpr const char* kConfiguration = "config.yaml";

 private:
  std::filesystem::path directory_;
};

}  // namespace gputlm
