// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/bounded_step.h"

#include <algorithm>
#include <cmath>

namespace gputlm {

namespace {

class Step {
 public:
  Step(const std::vector<Axis>& axes, const Point& point, const Columns& jacobian, const std::vector<double>& errors,
       double damping)
      : axes_(axes), jacobian_(jacobian), damping_(damping), rest_(errors), end_(point) {
    for (std::size_t i = 0; i < axes.size(); ++i)
      if (axes[i].ordered) free_.push_back(i);
  }

  Point take() {
    while (!free_.empty()) {
      const std::vector<double> shift = solve();
      std::size_t chosen = worst_crossing(shift);
      if (chosen == free_.size()) chosen = nearest_to_a_value(shift);
      if (chosen == free_.size()) {
        for (std::size_t k = free_.size(); k-- > 0;) settle(k, shift[k]);
        break;
      }
      settle(chosen, shift[chosen]);
    }
    return end_;
  }

 private:
  /// Shifts of the free axes that bring what is left of the errors nearest to zero.
  std::vector<double> solve() const {
    Columns columns;
    for (const std::size_t i : free_) columns.push_back(jacobian_[i]);
    const SingularValues s = singular_values(columns);
    constexpr double kNothing = 1e-9;
    const double largest = s.values.front(), damping = damping_ * largest * largest;
    std::vector<double> shift(free_.size(), 0.0);
    for (std::size_t k = 0; k < s.values.size() && s.values[k] > kNothing * largest; ++k)
      add_scaled(shift, -s.values[k] * dot(s.left[k], rest_) / (s.values[k] * s.values[k] + damping), s.right[k]);
    return shift;
  }

  /// Place in `free_` of the axis whose shift leads furthest out of bounds; the size of `free_`: none does.
  std::size_t worst_crossing(const std::vector<double>& shift) const {
    std::size_t worst = free_.size();
    double furthest = 0;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const double end = end_[free_[k]] + shift[k], outside = std::max(-end, end - 1);
      if (outside <= furthest) continue;
      furthest = outside;
      worst = k;
    }
    return worst;
  }

  /// The same for the axis with spaced values whose shift ends nearest to one of them.
  std::size_t nearest_to_a_value(const std::vector<double>& shift) const {
    std::size_t chosen = free_.size();
    double nearest = 2;
    for (std::size_t k = 0; k < free_.size(); ++k) {
      const Axis& axis = axes_[free_[k]];
      if (axis.quantum == 0) continue;
      const double end = end_[free_[k]] + shift[k], off = std::abs(axis.nearest(end) - end);
      if (off >= nearest) continue;
      nearest = off;
      chosen = k;
    }
    return chosen;
  }

  void settle(std::size_t place, double shift) {
    const std::size_t i = free_[place];
    const double end = axes_[i].nearest(std::clamp(end_[i] + shift, 0.0, 1.0));
    add_scaled(rest_, end - end_[i], jacobian_[i]);
    end_[i] = end;
    free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(place));
  }

  const std::vector<Axis>& axes_;
  const Columns& jacobian_;
  const double damping_;
  std::vector<double> rest_;  ///< Errors that the axes settled so far leave, to first order.
  Point end_;
  std::vector<std::size_t> free_;
};

}  // namespace

Point bounded_step(const std::vector<Axis>& axes, const Point& point, const Columns& jacobian,
                   const std::vector<double>& errors, double damping) {
  return Step(axes, point, jacobian, errors, damping).take();
}

}  // namespace gputlm
