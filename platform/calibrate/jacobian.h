// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/calibrate/axis.h"
#include "gputlm/calibrate/singular_values.h"

namespace gputlm {

/// How the errors change along each axis.
struct Jacobian {
  Columns columns;       ///< Per axis: change of each error over the whole axis. Zero for alternatives without order.
  bool complete = true;  ///< False: the budget was spent before.
};

/// By finite differences, `reach` (a share of the axis) away from `point`, at least one quantum: upwards, or downwards
/// where the axis ends or the model refuses. A direction that is refused both ways counts as one that changes nothing.
Jacobian jacobian(const std::vector<Axis>& axes, const Point& point, const std::vector<double>& errors, double reach,
                  Objective& objective);

}  // namespace gputlm
