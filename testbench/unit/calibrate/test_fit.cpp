// SPDX-License-Identifier: Apache-2.0
//
// The fit on formulas whose answer is known: what it finds, what it asks for, and when it stops.
#include "gputlm/test_support/sc_test.h"
//
#include <cmath>
#include <functional>
#include <set>

#include "gputlm/calibrate/bounded_step.h"
#include "gputlm/calibrate/fit.h"
#include "gputlm/calibrate/jacobian.h"
#include "gputlm/calibrate/stairs.h"

using namespace gputlm;

namespace {

using Formula = std::function<std::vector<double>(const Point&)>;

/// Counts the points asked for; refuses where `allowed` says no; pays for `budget` of them.
struct Model : Objective {
  explicit Model(Formula formula) : formula(std::move(formula)) {}

  std::vector<Outcome> at(const std::vector<Point>& points) override {
    std::vector<Outcome> outcomes;
    for (const Point& p : points) {
      if (seen.count(p) == 0 && seen.size() >= budget) {
        outcomes.push_back({Outcome::Kind::unpaid, {}});
      } else {
        seen.insert(p);
        outcomes.push_back(allowed(p) ? Outcome{Outcome::Kind::measured, formula(p)}
                                      : Outcome{Outcome::Kind::refused, {}});
      }
    }
    return outcomes;
  }

  FitResult fitted(const std::vector<Axis>& axes, const Point& start) {
    return fit(axes, start, formula(start), *this);
  }

  Formula formula;
  std::function<bool(const Point&)> allowed = [](const Point&) { return true; };
  std::size_t budget = 1000;
  std::set<Point> seen;
};

Axis spaced(double count, bool ordered = true) {
  return {ordered, 1 / (count - 1), [count](double share) { return std::round(share * (count - 1)) / (count - 1); }};
}

void check_near(const Point& found, const Point& wanted, double tolerance) {
  BOOST_REQUIRE(found.size() == wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) BOOST_TEST(std::abs(found[i] - wanted[i]) <= tolerance, found[i]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(singular_values_give_the_matrix_back) {
  const Columns matrix{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}, {2, 4, 6}};  // wider than high
  const SingularValues s = singular_values(matrix);
  for (std::size_t c = 0; c < matrix.size(); ++c)
    for (std::size_t r = 0; r < 3; ++r) {
      double sum = 0;
      for (std::size_t k = 0; k < s.values.size(); ++k) sum += s.left[k][r] * s.values[k] * s.right[k][c];
      BOOST_TEST(std::abs(sum - matrix[c][r]) < 1e-12);
    }
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) BOOST_TEST(std::abs(dot(s.right[a], s.right[b]) - (a == b ? 1 : 0)) < 1e-12);
  BOOST_TEST(s.values[2] > 1e-3);
  BOOST_TEST(s.values[3] < 1e-12);
  const SingularValues diagonal = singular_values({{3, 0}, {0, -4}});
  BOOST_TEST(diagonal.values[0] == 4);
  BOOST_TEST(diagonal.values[1] == 3);
}

BOOST_AUTO_TEST_CASE(parameters_of_a_straight_model_are_recovered) {
  Model model([](const Point& p) -> std::vector<double> {
    return {100 * (p[0] - 0.3), 40 * (p[1] - 0.6) + 20 * (p[0] - 0.3), 7 * (p[2] - 0.2)};
  });
  const FitResult r = model.fitted({{}, {}, {}}, {0.9, 0.1, 1});
  BOOST_TEST((r.end == FitEnd::exact));
  check_near(r.point, {0.3, 0.6, 0.2}, 2e-4);
  BOOST_TEST(model.seen.size() < 25U);
}

BOOST_AUTO_TEST_CASE(a_curved_model_takes_more_steps_and_ends_there_too) {
  Model model([](const Point& p) -> std::vector<double> {
    return {50 / (0.1 + p[0]) - 50 / 0.5, 30 * std::exp(p[1]) * p[0] - 12 * std::exp(0.7)};
  });
  const FitResult r = model.fitted({{}, {}}, {0.05, 0.05});
  BOOST_TEST((r.end == FitEnd::exact));
  check_near(r.point, {0.4, 0.7}, 1e-3);
}

BOOST_AUTO_TEST_CASE(a_bound_holds_and_the_other_parameter_makes_up_for_it) {
  Model model([](const Point& p) -> std::vector<double> { return {10 * (p[0] + p[1] - 1.4), 1 * (p[0] - 2)}; });
  const FitResult r = model.fitted({{}, {}}, {0.2, 0.2});
  BOOST_TEST((r.end == FitEnd::converged));
  check_near(r.point, {1, 0.4}, 0.02);
  for (const Point& p : model.seen)
    for (const double share : p) BOOST_TEST((share >= 0 && share <= 1), share);
}

BOOST_AUTO_TEST_CASE(whole_numbers_stay_whole_and_the_rest_is_fitted_around_them) {
  const std::vector<Axis> axes{spaced(11), {}};
  Model model([](const Point& p) -> std::vector<double> {
    return {50 * (p[0] - 0.7), 30 * (p[1] - 0.25) + 10 * (p[0] - 0.7)};
  });
  const FitResult r = model.fitted(axes, {0.1, 0.9});
  check_near(r.point, {0.7, 0.25}, 1e-3);
  for (const Point& p : model.seen) BOOST_TEST(std::abs(10 * p[0] - std::round(10 * p[0])) < 1e-9);
}

BOOST_AUTO_TEST_CASE(an_alternative_is_found_with_the_numbers_that_go_with_it) {
  const std::vector<Axis> axes{spaced(4, false), {}};
  Model model([](const Point& p) -> std::vector<double> {
    const double right = std::abs(p[0] - 2.0 / 3) < 1e-9 ? 0 : 20;
    return {right, 60 * (p[1] - 0.35) + right / 4};
  });
  const FitResult r = model.fitted(axes, {0, 0.8});
  BOOST_TEST((r.end == FitEnd::exact));
  check_near(r.point, {2.0 / 3, 0.35}, 1e-3);
}

BOOST_AUTO_TEST_CASE(a_flat_stretch_is_crossed) {
  Model model([](const Point& p) -> std::vector<double> { return {p[0] < 0.4 ? 8.0 : 20 * (p[0] - 0.5)}; });
  const FitResult r = model.fitted({{}}, {0.1});
  BOOST_TEST((r.end == FitEnd::exact));
  check_near(r.point, {0.5}, 1e-3);
}

/// A figure that is known at clock edges alone.
double edges(double ns) {
  return std::floor(ns + 1e-9);
}

BOOST_AUTO_TEST_CASE(a_stair_narrower_than_the_shortest_move_is_found) {
  // 20 ns to 21 ns is the stair wanted; a sixteenth of the way is 3.7 ns.
  Model model([](const Point& p) -> std::vector<double> { return {(edges(1 + 59 * p[0]) - 20) / 0.1}; });
  for (const double start : {0.0, 0.05, 0.305, 0.3559, 0.36, 0.97}) {
    model.seen.clear();
    const FitResult r = model.fitted({{}}, {start});
    BOOST_TEST((r.end == FitEnd::exact), start);
    BOOST_TEST(model.seen.size() < 60U, start);
  }
}

BOOST_AUTO_TEST_CASE(converged_is_said_after_nearer_tries_that_end) {
  Model on_stairs([](const Point& p) -> std::vector<double> { return {(edges(59 * p[0]) - 20.5) / 0.1}; });
  BOOST_TEST((on_stairs.fitted({{}}, {0.7}).end == FitEnd::converged));
  BOOST_TEST(on_stairs.seen.size() < 60U);
  Model smooth([](const Point& p) -> std::vector<double> { return {10 * p[0] + 5, 20 * (p[0] - 0.4)}; });
  BOOST_TEST((smooth.fitted({{}}, {0.9}).end == FitEnd::converged));
  BOOST_TEST(smooth.seen.size() < 25U);
}

BOOST_AUTO_TEST_CASE(a_parameter_is_known_no_closer_than_a_stair) {
  const auto known = [](const Formula& formula, double at) {
    Model model(formula);
    const std::vector<double> here = formula({at});
    const Jacobian slope = jacobian({{}}, {at}, here, 1.0 / 16, model);
    Sensitivities s = analyse(slope.columns);
    BOOST_TEST(widen_to_stairs({{}}, {at}, here, slope.columns, 1.0 / 16, model, s));
    BOOST_TEST(model.seen.size() < 12U);
    return s.known_to.at(0).value_or(0);
  };
  for (const double at : {0.1, 0.205, 0.209, 0.5, 0.999})
    BOOST_TEST(known([](const Point& p) -> std::vector<double> { return {edges(100 * p[0]) / 0.2}; }, at) >= 0.01);
  BOOST_TEST(known([](const Point& p) -> std::vector<double> { return {100 * p[0] / 0.2}; }, 0.5) == 0.002,
             boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(where_the_model_refuses_the_fit_goes_round) {
  Model model([](const Point& p) -> std::vector<double> { return {30 * (p[0] - 0.5), 30 * (p[1] - 0.5)}; });
  model.allowed = [](const Point& p) { return p[0] + p[1] < 1.005; };
  const FitResult r = model.fitted({{}, {}}, {0.97, 0.01});
  check_near(r.point, {0.5, 0.5}, 2e-3);
}

BOOST_AUTO_TEST_CASE(what_changes_nothing_stays_where_it_was) {
  Model model([](const Point& p) -> std::vector<double> { return {30 * (p[0] + p[1] - 0.8)}; });
  const FitResult r = model.fitted({{}, {}, {}}, {0.2, 0.2, 0.77});
  check_near(r.point, {0.4, 0.4, 0.77}, 1e-3);
}

BOOST_AUTO_TEST_CASE(the_budget_is_the_end_and_the_best_so_far_the_result) {
  Model model([](const Point& p) -> std::vector<double> { return {100 * (p[0] - 0.3), 40 * (p[1] - 0.6)}; });
  model.budget = 4;  // two for the slope, one for a step, one of the next slope
  const FitResult r = model.fitted({{}, {}}, {0.9, 0.1});
  BOOST_TEST((r.end == FitEnd::spent));
  BOOST_TEST(model.seen.size() == 4U);
  BOOST_TEST(cost_of(r.errors) < 1);
}

BOOST_AUTO_TEST_CASE(a_slope_is_taken_on_the_side_that_there_is) {
  Model model([](const Point& p) -> std::vector<double> { return {4 * p[0], 6 * p[1]}; });
  model.allowed = [](const Point& p) { return p[1] <= 0.5; };
  const Jacobian j = jacobian({{}, {}, spaced(3, false)}, {1, 0.5, 0}, {4, 3}, 0.125, model);
  BOOST_TEST(j.complete);
  BOOST_TEST(j.columns[0] == (std::vector<double>{4, 0}), boost::test_tools::per_element());
  BOOST_TEST(j.columns[1] == (std::vector<double>{0, 6}), boost::test_tools::per_element());
  BOOST_TEST(j.columns[2] == (std::vector<double>{0, 0}), boost::test_tools::per_element());
}
