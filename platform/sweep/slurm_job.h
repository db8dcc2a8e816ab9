// SPDX-License-Identifier: Apache-2.0
//
// A sweep's job array: what is handed to Slurm, and what Slurm says of it. Everything that is known of it stands in a
// folder, so that a sweep that was killed finds its job again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gputlm/sweep/sweep_file.h"

namespace gputlm {

/// What the queue says of a job.
struct SlurmState {
  bool active = false;  ///< Some of its tasks have not ended.
  std::string note;     ///< `12 running, others wait (Resources)`.
};

/// Its folder in the sweep's directory.
inline constexpr const char* kSlurmFolder = "slurm";

class SlurmJob {
 public:
  /// `folder` is the job's own, in the sweep's directory.
  explicit SlurmJob(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Throws ConfigError unless Slurm's commands are there.
  static void check_installed();

  /// The job's number, as left by submit(); empty: none.
  std::string number() const;
  SlurmState state() const;

  /// Hands over an array whose tasks run the points of these folders, at most `at_a_time` tasks (0: any number). Throws
  /// std::runtime_error with Slurm's words when it is refused.
  void submit(const std::string& name, const std::vector<std::filesystem::path>& points, unsigned at_a_time,
              const SlurmOptions& options) const;
  /// Ends what has not ended and forgets the job.
  void cancel() const;
  void forget() const;

  /// The points of one task, read on the machine that runs it. Throws std::runtime_error when there is no such task.
  std::vector<std::filesystem::path> points_of(unsigned task) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace gputlm
