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
constexpr double kLongestMove = 1.0 / 2, kMiddleMove = 1.0 / 4, kShortestMove = 1.0 / 16;  // along one axis
constexpr double kStraight = 0.1;  // of a change: what it may bend over twice the way

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
      moved = !spent_ && !exact() && (search() || (!met() && (search_aimed() || search_nearer())));
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

  /// One direction along one axis, in which tries come nearer until they show nothing new.
  struct Side {
    std::size_t axis;
    double sign;
    std::vector<double> last;  ///< Errors twice as far away; empty: none yet.
  };

  /// Moves to where, at the slope over the whole way of an earlier move, the targets that are missed should be met: a
  /// whole number of stairs away, which leaves other targets' stairs as they are. True when something helped.
  bool search_aimed() {
    std::vector<Point> far, aimed;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      for (const double distance : {kLongestMove, kMiddleMove, kShortestMove})
        for (const double sign : {1.0, -1.0})
          if (axes_[i].ordered) far.push_back(beside({i, sign, {}}, distance));
    const std::vector<Outcome> outcomes = objective_.at(far);
    for (std::size_t k = 0; k < far.size(); ++k)
      if (outcomes[k].measured()) add_aimed(far[k], outcomes[k].errors, aimed);
    return take_best(aimed);
  }

  /// Along the way to `far`, from which only one axis differs.
  void add_aimed(const Point& far, const std::vector<double>& there, std::vector<Point>& aimed) const {
    double along = 0, square = 0;
    for (std::size_t e = 0; e < errors_.size(); ++e) {
      if (std::abs(errors_[e]) <= 1) continue;
      along -= errors_[e] * (there[e] - errors_[e]);
      square += (there[e] - errors_[e]) * (there[e] - errors_[e]);
    }
    if (square == 0) return;
    Point p = far;
    for (std::size_t i = 0; i < p.size(); ++i)
      p[i] = axes_[i].nearest(std::clamp(point_[i] + (far[i] - point_[i]) * along / square, 0.0, 1.0));
    if (p != point_ && std::find(aimed.begin(), aimed.end(), p) == aimed.end()) aimed.push_back(std::move(p));
  }

  /// Halves the shortest of those moves, which may have jumped over the stair that helps. True when something helped.
  bool search_nearer() {
    std::vector<Side> open;
    for (std::size_t i = 0; i < axes_.size(); ++i)
      if (axes_[i].ordered) open.insert(open.end(), {{i, 1, {}}, {i, -1, {}}});
    for (double distance = kShortestMove; !open.empty() && !spent_; distance /= 2) {
      open.erase(std::remove_if(open.begin(), open.end(), [&](const Side& s) { return beside(s, distance) == point_; }),
                 open.end());
      std::vector<Point> points;
      for (const Side& side : open) points.push_back(beside(side, distance));
      const std::vector<Outcome> outcomes = objective_.at(points);
      if (take_best(points)) {
        reach_ = std::max(reach_, std::min(distance, kReach));  // over less, slopes are those of stairs
        return true;
      }
      const std::vector<double> none;  // what was tried at a bound was tried nearer than meant
      std::vector<Side> next;
      for (std::size_t k = 0; k < open.size(); ++k)
        if (shows_more(open[k], outcomes[k]))
          next.push_back({open[k].axis, open[k].sign, at_bound(points[k], open[k]) ? none : outcomes[k].errors});
      open = std::move(next);
    }
    return false;
  }

  static bool at_bound(const Point& p, const Side& side) { return p[side.axis] == (side.sign > 0 ? 1 : 0); }

  Point beside(const Side& side, double distance) const {
    const Axis& axis = axes_[side.axis];
    Point p = point_;
    if (distance >= axis.quantum)
      p[side.axis] = axis.nearest(std::clamp(p[side.axis] + side.sign * distance, 0.0, 1.0));
    return p;
  }

  /// Whether something better may lie between here and there: not on the stair on which one stands, not where the
  /// errors have stood still from twice as far away (the next stair), nor where they follow a slope that rises.
  bool shows_more(const Side& side, const Outcome& there) const {
    if (!there.measured()) return true;
    if (there.errors == errors_ || there.errors == side.last) return false;
    if (side.last.empty()) return true;
    std::vector<double> change = there.errors, bend = side.last;
    add_scaled(change, -1, errors_);
    add_scaled(bend, -1, errors_);
    add_scaled(bend, -2, change);
    const double size = norm(change), downwards = -dot(change, errors_) / size;
    const bool straight = norm(bend) < kStraight * size;
    return !straight || (downwards > 0 && downwards * downwards / 2 > kLeastGain * cost_);
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
      if (!met()) distances.insert(distances.end(), {kLongestMove, kMiddleMove, kShortestMove});
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
