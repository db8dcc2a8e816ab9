// SPDX-License-Identifier: Apache-2.0
//
// Least squares within bounds for a model that can only be run: Levenberg-Marquardt steps with finite differences along
// what has an order, and a search along one axis at a time for alternatives, for whole numbers and where the model
// answers in stairs. Nothing in it is random, and it asks for the same points whoever evaluates them how fast.
#pragma once

#include "gputlm/calibrate/axis.h"

namespace gputlm {

enum class FitEnd {
  exact,      ///< Every error is below a thousandth of its tolerance.
  converged,  ///< No step that it knows makes the errors smaller.
  spent       ///< The budget is.
};

struct FitResult {
  Point point;
  std::vector<double> errors;  ///< There, in tolerances.
  FitEnd end = FitEnd::spent;
};

/// Half the sum of the squares.
double cost_of(const std::vector<double>& errors);

/// Starts at `start`, where the errors are `errors`.
FitResult fit(const std::vector<Axis>& axes, const Point& start, const std::vector<double>& errors,
              Objective& objective);

}  // namespace gputlm
