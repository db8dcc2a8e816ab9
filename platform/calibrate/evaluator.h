// SPDX-License-Identifier: Apache-2.0
//
// Runs the probes of a calibration on configurations that it thinks of, each in a child process, and counts.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gputlm/calibrate/journal.h"
#include "gputlm/calibrate/targets_file.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm {

/// The user wants no more; what has been evaluated is in the journal.
class CalibrationStopped : public std::runtime_error {
 public:
  CalibrationStopped() : std::runtime_error("stopped") {}
};

/// What to run and how.
struct EvaluationOptions {
  std::string config;                  ///< Name or file.
  std::vector<std::string> overrides;  ///< `path=value`, below the fitted values.
  unsigned jobs = 1;                   ///< Evaluations at a time.
  std::function<bool()> keep_going = [] { return true; };
  std::function<void(std::size_t)> progress = [](std::size_t) {};  ///< Told how many evaluations have been counted.
};

/// A value for each fitted parameter, as one writes it, in the order of the targets file.
using Settings = std::vector<std::string>;

/// What the model gives with some settings.
struct Evaluation {
  std::vector<double> values;      ///< Of the targets, in their order; empty: there are none.
  std::vector<std::string> units;  ///< Theirs.
  std::string failure;             ///< Why there are none.
  bool refused = false;            ///< It failed because the configuration cannot be.
};

class Evaluator {
 public:
  Evaluator(const TargetsFile& targets, EvaluationOptions options, Journal& journal);

  /// From now on so many evaluations may be counted in all. One that the journal knows counts like any other, so that a
  /// calibration that is gone on with ends as it would have; one that was asked for before does not, nor one that
  /// the relations between parameters rule out, for which nothing runs.
  void allow(std::size_t evaluations) { allowed_ = evaluations; }
  std::size_t counted() const { return order_.size(); }

  /// Throws ConfigError when a probe cannot be run with these settings, as far as shows before anything runs.
  void check(const Settings& settings) const;

  /// In the order of the settings; nothing for those that the budget does not reach. Throws CalibrationStopped, and
  /// ConfigError at the target whose case or unit the probe does not have.
  std::vector<std::optional<Evaluation>> evaluate(const std::vector<Settings>& settings);

  /// What was counted, in the order in which it was asked for.
  const std::vector<Settings>& order() const { return order_; }

 private:
  std::vector<std::string> overrides_of(const Settings& settings) const;
  std::string why_refused(const Settings& settings) const;
  void run(const std::vector<Settings>& open);
  ProbeOptions probe_options(const Settings& settings) const;
  nlohmann::json run_probes(const Settings& settings) const;
  Evaluation understood(const nlohmann::json& answer) const;

  const TargetsFile& targets_;
  const EvaluationOptions options_;
  Journal& journal_;
  std::size_t allowed_ = 0;
  std::vector<Settings> order_;
};

}  // namespace gputlm
