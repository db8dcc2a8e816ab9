// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/calibrate/axis.h"
#include "gputlm/calibrate/singular_values.h"

namespace gputlm {

/// The point to which a damped Gauss-Newton (Levenberg-Marquardt) step leads from `point`, with every axis within 0 to
/// 1 and on one of its values. Where the step would cross a bound it ends there, and where it would end between two
/// values it ends on the nearer one; the remaining axes then make up for it. Along what changes no error it does not
/// move. `damping` is relative to the square of the largest singular value.
Point bounded_step(const std::vector<Axis>& axes, const Point& point, const Columns& jacobian,
                   const std::vector<double>& errors, double damping);

}  // namespace gputlm
