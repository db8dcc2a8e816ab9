// SPDX-License-Identifier: Apache-2.0
//
// What a calibration is to do, as written in YAML: the parameters that it may change and the measurements that it is to
// meet. docs/calibrate.md describes the format.
#pragma once

#include <string>
#include <vector>

#include "gputlm/calibrate/fitted_parameter.h"
#include "gputlm/probe/probe_file.h"

namespace gputlm {

inline constexpr const char* kTargetsFolder = "configs/targets";

/// A figure of a probe's case, and what it was measured to be.
struct Target {
  std::string probe, case_name;
  std::string unit;  ///< Of the row; empty: whatever it is.
  Reference wanted;  ///< In that unit; its place is the target's.

  std::string name() const { return probe + ": " + case_name; }
  /// The tolerance in the row's unit. Where none is left to the value, a thousandth of it, so that a miss has a size.
  double scale() const;
  /// What the model's figure is off by, in tolerances.
  double error_of(double model) const { return (model - wanted.value) / scale(); }
};

/// The file as read.
struct TargetsFile {
  std::string name, description, file;
  std::vector<FittedParameter> parameters;
  std::vector<Target> targets;
  std::vector<ProbeFile> probes;  ///< Those of the targets, with the sizes that the file gives them.
};

/// Reads the file, or the shipped one of that name. Throws ConfigError with every mistake found.
TargetsFile read_targets(const std::string& name_or_path);

}  // namespace gputlm
