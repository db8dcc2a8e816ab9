// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/jacobian.h"

#include <algorithm>

namespace gputlm {

namespace {

/// A point beside the one in question, along one axis.
struct Beside {
  std::size_t axis;
  Point point;
};

bool within(double share) {
  constexpr double kRounding = 1e-12;
  return share >= -kRounding && share <= 1 + kRounding;
}

/// Those of the wanted axes that have room on that side.
std::vector<Beside> points_beside(const std::vector<Axis>& axes, const Point& point, double reach,
                                  const std::vector<std::size_t>& wanted, double side) {
  std::vector<Beside> list;
  for (const std::size_t i : wanted) {
    const double target = point[i] + side * std::max(reach, axes[i].quantum);
    if (!within(target)) continue;
    Point beside = point;
    beside[i] = axes[i].nearest(std::clamp(target, 0.0, 1.0));
    if (beside[i] != point[i]) list.push_back({i, std::move(beside)});
  }
  return list;
}

}  // namespace

Jacobian jacobian(const std::vector<Axis>& axes, const Point& point, const std::vector<double>& errors, double reach,
                  Objective& objective) {
  Jacobian result;
  result.columns.assign(axes.size(), std::vector<double>(errors.size(), 0.0));
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (axes[i].ordered) open.push_back(i);
  for (const double side : {1.0, -1.0}) {
    const std::vector<Beside> list = points_beside(axes, point, reach, open, side);
    std::vector<Point> points;
    for (const Beside& p : list) points.push_back(p.point);
    const std::vector<Outcome> outcomes = objective.at(points);
    for (std::size_t k = 0; k < list.size(); ++k) {
      if (outcomes[k].kind == Outcome::Kind::unpaid) result.complete = false;
      if (!outcomes[k].measured()) continue;
      const std::size_t i = list[k].axis;
      const double distance = list[k].point[i] - point[i];
      for (std::size_t e = 0; e < errors.size(); ++e)
        result.columns[i][e] = (outcomes[k].errors[e] - errors[e]) / distance;
      open.erase(std::find(open.begin(), open.end(), i));
    }
    if (!result.complete) return result;
  }
  return result;
}

}  // namespace gputlm
