// SPDX-License-Identifier: Apache-2.0
//
// The space in which a fit moves: every parameter from 0 (its lower bound) to 1 (its upper one).
#pragma once

#include <functional>
#include <vector>

namespace gputlm {

/// One parameter of a fit, whatever it means.
struct Axis {
  /// False: alternatives with no order among them, which are tried one by one.
  bool ordered = true;
  /// Distance between neighbouring values; 0: as fine as `nearest` has it.
  double quantum = 0;
  /// The value nearest to a share from 0 to 1.
  std::function<double(double)> nearest = [](double share) { return share; };
};

/// A share for each axis.
using Point = std::vector<double>;

/// What the model gives at a point.
struct Outcome {
  enum class Kind {
    measured,
    refused,  ///< The model cannot be, or gives no measurement, there.
    unpaid    ///< Nobody looked: the budget is spent.
  };
  Kind kind = Kind::unpaid;
  std::vector<double> errors;  ///< Of the targets, in tolerances; when measured.

  bool measured() const { return kind == Kind::measured; }
};

/// What is to be brought to zero.
class Objective {
 public:
  virtual ~Objective() = default;
  /// In the order of the points. A point that was looked at before costs nothing.
  virtual std::vector<Outcome> at(const std::vector<Point>& points) = 0;
};

}  // namespace gputlm
