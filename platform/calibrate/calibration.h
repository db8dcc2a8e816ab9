// SPDX-License-Identifier: Apache-2.0
//
// From measurements to a configuration: fits the parameters of a targets file so that its probes meet what was
// measured. docs/calibrate.md says how, and what the result means.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gputlm/calibrate/evaluator.h"
#include "gputlm/calibrate/fit.h"
#include "gputlm/calibrate/sensitivities.h"

namespace gputlm {

/// The configuration that a calibration starts from gives no measurement.
class NoStart : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A listed value that meets the targets as well as the one that was chosen.
struct Alternative {
  std::size_t parameter = 0;
  std::string value;
};

/// What is left to report.
struct Calibration {
  Settings settings_before, settings_after;
  std::vector<std::string> units;     ///< Of the targets.
  std::vector<double> before, after;  ///< The model's figures for them.
  FitEnd end = FitEnd::spent;
  std::size_t evaluations = 0, budget = 0;
  /// Of the parameters in the order of the targets file, listed ones as silent; none when the budget did not reach.
  std::optional<Sensitivities> sensitivities;
  std::vector<Alternative> alternatives;

  bool met(const TargetsFile& targets) const;
};

/// Smallest budget: the configuration as it is, and its values brought within their bounds.
inline constexpr std::size_t kLeastBudget = 2;

/// Throws NoStart, ConfigError, or CalibrationStopped.
Calibration calibrate(const TargetsFile& targets, const Config& start, const EvaluationOptions& options,
                      Journal& journal, std::size_t budget);

/// What a journal is of: whatever decides what an evaluation gives.
nlohmann::json journal_subject(const TargetsFile& targets, const Config& start);

}  // namespace gputlm
