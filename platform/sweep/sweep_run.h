// SPDX-License-Identifier: Apache-2.0
//
// Runs the points of a sweep and keeps their results in one directory, from which it can go on after it was stopped or
// killed.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gputlm/sweep/results_table.h"
#include "gputlm/sweep/slurm_job.h"
#include "gputlm/system/output_directory.h"

namespace gputlm {

enum class SweepEngine : std::uint8_t { local, slurm };

/// What is done with results that are there before.
enum class EarlierResults : std::uint8_t {
  refuse,
  resume,  ///< Points that have ended stay.
  retry,   ///< Points that are done stay, failed ones are run again.
  discard
};

/// How far a sweep is.
struct SweepProgress {
  std::size_t points = 0, done = 0, failed = 0;
  std::size_t ran = 0;  ///< Of those that have ended, in this call.
  std::string note;     ///< Of the engine.
};

struct SweepOptions {
  std::filesystem::path out;
  unsigned jobs = 0;  ///< At a time; 0: as the engine has it.
  SweepEngine engine = SweepEngine::local;
  EarlierResults earlier = EarlierResults::refuse;
  std::function<bool()> keep_going = [] { return true; };
  std::function<void(const SweepProgress&)> progress = [](const SweepProgress&) {};  ///< Several times a second.
};

/// One sweep in its directory.
class SweepRun {
 public:
  /// Takes the directory. Throws ConfigError when another sweep's results are there, or any that may not be touched,
  /// std::runtime_error when it cannot be written.
  SweepRun(const SweepPlan& plan, const SweepOptions& options);

  /// Runs what has not ended, until all has or keep_going() says no, and writes the tables.
  void run();

  const std::vector<PointRecord>& records() const { return records_; }
  SweepProgress progress() const;
  std::filesystem::path folder(std::size_t index) const;
  std::vector<std::string> missing_statistics() const { return ResultsTable(plan_, records_).missing(); }

 private:
  void check_earlier() const;
  void discard_earlier() const;
  void prepare(std::size_t index) const;
  /// Looks whether the point has ended.
  void see(std::size_t index);
  void show(const std::string& note);
  void write_tables() const;
  void run_here(const std::vector<std::size_t>& rest);
  void submit(const SlurmJob& job, const std::vector<std::size_t>& rest) const;
  void wait_for(const SlurmJob& job);
  std::vector<std::size_t> waiting() const;
  std::size_t ended() const;

  const SweepPlan& plan_;
  const SweepOptions& options_;
  OutputDirectory out_;
  std::vector<PointRecord> records_;
  std::size_t before_ = 0;       ///< Points that had ended before.
  std::size_t written_ran_ = 0;  ///< What the tables knew when they were written.
  std::chrono::steady_clock::time_point next_;
};

}  // namespace gputlm
