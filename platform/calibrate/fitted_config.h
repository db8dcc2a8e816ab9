// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/calibrate/calibration.h"

namespace gputlm {

/// The configuration with the fitted values, as a whole file: each of them says what it was fitted to and what it was
/// before; the head lists the targets, which are inputs from now on and no predictions.
std::string fitted_config(const TargetsFile& targets, const EvaluationOptions& options, const Calibration& result);

}  // namespace gputlm
