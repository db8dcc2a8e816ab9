// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/calibrate/axis.h"
#include "gputlm/calibrate/sensitivities.h"

namespace gputlm {

/// A model that answers in stairs (clock edges) holds a parameter no closer than one of them, whatever its mean slope
/// says. Looks from `point`, where the errors are `errors`, as far as each parameter is said to be known, further until
/// a target that should tell does, and has it known no closer than that change is wide at the slope; at most `reach`,
/// the share of an axis over which `slopes` were taken. False: the budget was spent before.
bool widen_to_stairs(const std::vector<Axis>& axes, const Point& point, const std::vector<double>& errors,
                     const Columns& slopes, double reach, Objective& objective, Sensitivities& sensitivities);

}  // namespace gputlm
