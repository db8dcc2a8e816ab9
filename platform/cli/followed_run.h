// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "experiment_overrides.h"
#include "gputlm/launchspec/launch_experiment.h"
#include "gputlm/trace/trace_recorder.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// What `gputlm follow` runs, twice: an experiment with phases or a launch.
class FollowedRun {
 public:
  /// Throws ConfigError with every mistake that can be found without a card. `name`: of a shipped experiment, or a
  /// file.
  FollowedRun(const std::string& name, const std::optional<std::string>& config, const std::vector<std::string>& set,
              std::optional<std::uint64_t> seed);

  /// Runs it with a recorder and one sink; false when it was stopped. Once a process. Problems of the run go to the
  /// standard error.
  bool run(TraceSelection selection, std::unique_ptr<TraceSink> sink) const;

  const Config& config() const { return *config_; }
  const ExperimentHead& head() const;
  /// The configuration as it was given, name or file.
  const std::string& configuration() const { return configuration_; }
  /// path=value, the experiment's own first.
  std::vector<std::string> overrides() const { return overrides_.all(head()); }
  /// Every file that was read.
  const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  std::variant<Experiment, LaunchExperiment> what_;
  std::optional<Config> config_;
  std::string configuration_;
  ExperimentOverrides overrides_;
  std::vector<std::string> inputs_;
};

}  // namespace gputlm
