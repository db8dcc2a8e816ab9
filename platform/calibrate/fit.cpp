// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/fit.h"

#include <algorithm>
#include <cmath>

#include "gputlm/calibrate/bounded_step.h"
#include "gputlm/calibrate/jacobian.h"

namespace gputlm {

namespace {

constexpr double kExact = 1e-3;               // tolerances
constexpr double kLeastGain = 1e-4;           // of the cost, or a step was none
constexpr double kFirstDamping = 1e-4;        // of the largest singular value's square
constexpr double kFactor = 10;                // by which damping changes
constexpr int kAttempts = 6;                  // from almost no damping to a hundredth of a steepest descent
constexpr double kReach = 1.0 / 32;           // of finite differences to begin with: wider than a clock's steps
constexpr double kShortestReach = 1.0 / 512;  // and near the end, where the answers differ little

double largest_of(const std::vector<double>& errors) {
  double largest = 0;
  for (const double e : errors) largest = std::max(largest, std::abs(e));
  return largest;
}

class Fitter {
 public:
  Fitter(const std::vector<Axis>& axes, const Point& start, const std::vector<double>& errors, Objective& objective)
      : axes_(axes), objective_(objective), point_(start), errors_(errors), cost_(cost_of(errors)) {}

  FitResult run() {
    bool moved = true;
    while (moved && !spent_ && !exact()) {
      descend();
      moved = !spent_ && !exact() && search();
    }
    return {point_, errors_, exact() ? FitEnd::exact : spent_ ? FitEnd::spent : FitEnd::converged};
  }

 private:
  bool exact() const { return largest_of(errors_) < kExact; }
  bool met() const { return largest_of(errors_) <= 1; }

  /// Steps down along the slope until there is none.
  void descend() {
    damping_ = kFirstDamping;
    for (double before = HUGE_VAL; !exact() && before - cost_ > kLeastGain * cost_;) {
      const Jacobian slope = jacobian(axes_, point_, errors_, reach_, objective_);
      spent_ = !slope.complete;
      before = cost_;
      if (spent_ || !step(slope.columns)) return;
      reach_ = std::max(kShortestReach, reach_ / 4);
    }
  }

  /// Shortens the step until it helps. False: none does.
  bool step(const Columns& slope) {
    for (int attempt = 0; attempt < kAttempts; ++attempt) {
      const Point trial = bounded_step(axes_, point_, slope, errors_, damping_);
      if (trial == point_) return false;
      if (take_best({trial})) {
        damping_ /= kFactor;
        return true;
      }
      if (spent_) return false;
      damping_ *= kFactor;
    }
    return false;
  }

  /// Moves along one axis at a time, over the alternatives first. True when something helped.
  bool search() {
    bool helped = false;
    for (const bool ordered : {false, true}) {
      for (std::size_t i = 0; i < axes_.size() && !spent_; ++i)
        if (axes_[i].ordered == ordered) helped = take_best(neighbours(i)) || helped;
      if (helped) break;  // another alternative has slopes of its own
    }
    return helped;
  }

  std::vector<Point> neighbours(std::size_t axis) const {
    const Axis& a = axes_[axis];
    std::vector<double> shares;
    if (!a.ordered) {
      for (unsigned step = 0; step * a.quantum < 1 + a.quantum / 2; ++step) shares.push_back(step * a.quantum);
    } else {
      std::vector<double> distances;
      if (a.quantum > 0) distances.push_back(a.quantum);
      // Where targets are missed the way out may lie behind a flat stretch, on which no slope shows it.
      if (!met()) distances.insert(distances.end(), {1.0 / 2, 1.0 / 4, 1.0 / 16});
      for (const double d : distances) shares.insert(shares.end(), {point_[axis] + d, point_[axis] - d});
    }
    std::vector<Point> points;
    for (const double share : shares) {
      Point p = point_;
      p[axis] = a.nearest(std::clamp(share, 0.0, 1.0));
      if (p != point_ && std::find(points.begin(), points.end(), p) == points.end()) points.push_back(p);
    }
    return points;
  }

  /// Goes to the best of them if it is better by more than nothing.
  bool take_best(const std::vector<Point>& points) {
    const std::vector<Outcome> outcomes = objective_.at(points);
    const double bar = cost_ * (1 - kLeastGain);
    bool better = false;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (outcomes[i].kind == Outcome::Kind::unpaid) spent_ = true;
      if (!outcomes[i].measured() || cost_of(outcomes[i].errors) >= (better ? cost_ : bar)) continue;
      better = true;
      point_ = points[i];
      errors_ = outcomes[i].errors;
      cost_ = cost_of(errors_);
    }
    return better;
  }

  const std::vector<Axis>& axes_;
  Objective& objective_;
  Point point_;
  std::vector<double> errors_;
  double cost_, damping_ = kFirstDamping, reach_ = kReach;
  bool spent_ = false;
};

}  // namespace

double cost_of(const std::vector<double>& errors) {
  double sum = 0;
  for (const double e : errors) sum += e * e;
  return sum / 2;
}

FitResult fit(const std::vector<Axis>& axes, const Point& start, const std::vector<double>& errors,
              Objective& objective) {
  return Fitter(axes, start, errors, objective).run();
}

}  // namespace gputlm
