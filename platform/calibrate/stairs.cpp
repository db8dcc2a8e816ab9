// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/stairs.h"

#include <algorithm>
#include <cmath>

namespace gputlm {

namespace {

/// A parameter, and how far from the point it is looked at next.
struct Look {
  std::size_t axis;
  double distance;
};

Point point_at(const Look& look, const std::vector<Axis>& axes, const Point& point) {
  Point p = point;
  const double above = point[look.axis] + look.distance;
  p[look.axis] = axes[look.axis].nearest(above <= 1 ? above : std::max(0.0, point[look.axis] - look.distance));
  return p;
}

/// How far one would have to go along a target's slope for what it changes over a distance: the least of those targets
/// that should change by half a tolerance, and do change by half of what they should. 0: there is none.
double width_of(const std::vector<double>& there, const std::vector<double>& here, const std::vector<double>& slope,
                double distance) {
  double least = 0;
  for (std::size_t e = 0; e < here.size(); ++e) {
    const double expected = std::abs(slope[e]) * distance, change = std::abs(there[e] - here[e]);
    if (expected < 0.5 || change < expected / 2) continue;
    const double width = change / std::abs(slope[e]);
    least = least == 0 ? width : std::min(least, width);
  }
  return least;
}

/// The slope itself is that of whole stairs: over `reach` it may be of one too many. Where a distance does what the
/// slope says there is none.
double at_least(double width, double distance, double reach) {
  constexpr double kStraight = 0.01;
  if (std::abs(width - distance) < kStraight * distance) return width;
  return width < reach / 2 ? width / (1 - width / reach) : reach;
}

}  // namespace

bool widen_to_stairs(const std::vector<Axis>& axes, const Point& point, const std::vector<double>& errors,
                     const Columns& slopes, double reach, Objective& objective, Sensitivities& sensitivities) {
  constexpr double kStep = 1.5;  // of what the slope says
  std::vector<Look> open;
  for (std::size_t i = 0; i < axes.size(); ++i)
    if (const auto& known = sensitivities.known_to[i]) open.push_back({i, std::max(*known, axes[i].quantum)});
  for (;;) {
    open.erase(std::remove_if(open.begin(), open.end(), [&](const Look& l) { return l.distance >= reach; }),
               open.end());
    if (open.empty()) return true;
    std::vector<Point> points;
    for (const Look& look : open) points.push_back(point_at(look, axes, point));
    const std::vector<Outcome> outcomes = objective.at(points);
    std::vector<Look> next;
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (outcomes[k].kind == Outcome::Kind::unpaid) return false;
      if (!outcomes[k].measured()) continue;
      const auto [axis, distance] = open[k];
      double& known = *sensitivities.known_to[axis];
      const double width = width_of(outcomes[k].errors, errors, slopes[axis], distance);
      if (width == 0) {
        known = std::min(2 * distance, reach);
        next.push_back({axis, 2 * distance});
      } else if (axes[axis].quantum == 0 || width > kStep * distance) {  // a whole number's own step is no stair
        known = std::max(known, at_least(width, distance, reach));
      }
    }
    open = std::move(next);
  }
}

}  // namespace gputlm
