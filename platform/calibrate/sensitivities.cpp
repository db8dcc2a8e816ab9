// SPDX-License-Identifier: Apache-2.0
#include "gputlm/calibrate/sensitivities.h"

#include <algorithm>
#include <cmath>

namespace gputlm {

namespace {

constexpr double kSilent = 1;           // tolerance
constexpr double kAlike = 0.99;         // correlation
constexpr double kFree = 0.1;           // singular value of unit columns; of two of them, a correlation of 0.99
constexpr double kNoPart = 0.1;         // of the largest in a combination: finite differences are no more exact
constexpr double kLeadingChange = 0.1;  // of the way between the bounds

/// The parameters that change something, each effect scaled to length 1.
struct Heard {
  std::vector<std::size_t> parameters;
  Columns effects;
};

Heard hear(const Columns& effects, Sensitivities& result) {
  Heard heard;
  for (std::size_t i = 0; i < effects.size(); ++i) {
    const double strength = norm(effects[i]);
    result.strength.push_back(strength);
    if (strength < kSilent) {
      result.silent.push_back(i);
      continue;
    }
    heard.parameters.push_back(i);
    heard.effects.push_back(effects[i]);
    for (double& item : heard.effects.back()) item /= strength;
  }
  return heard;
}

void find_alike(const Heard& heard, Sensitivities& result) {
  for (std::size_t a = 0; a < heard.effects.size(); ++a)
    for (std::size_t b = a + 1; b < heard.effects.size(); ++b)
      if (const double correlation = dot(heard.effects[a], heard.effects[b]); std::abs(correlation) > kAlike)
        result.alike.push_back({heard.parameters[a], heard.parameters[b], correlation});
}

/// Gauss-Jordan: as many of the first coordinates as can be are left to one direction each, which makes combinations of
/// few parameters out of a basis that mixes all of them.
void make_sparse(Columns& directions) {
  std::size_t done = 0;
  const std::size_t size = directions.empty() ? 0 : directions.front().size();
  for (std::size_t i = 0; i < size && done < directions.size(); ++i) {
    const auto pivot = std::max_element(directions.begin() + static_cast<std::ptrdiff_t>(done), directions.end(),
                                        [i](const auto& a, const auto& b) { return std::abs(a[i]) < std::abs(b[i]); });
    if (std::abs((*pivot)[i]) < kNoPart) continue;
    std::swap(directions[done], *pivot);
    const double lead = directions[done][i];
    for (double& item : directions[done]) item /= lead;
    for (std::size_t d = 0; d < directions.size(); ++d)
      if (d != done) add_scaled(directions[d], -directions[d][i], directions[done]);
    ++done;
  }
}

/// From unit effects back to shares of the way; parts that are none left out.
FreeCombination combination_of(const std::vector<double>& direction, const Heard& heard,
                               const std::vector<double>& strength) {
  double largest = 0;
  for (const double part : direction) largest = std::max(largest, std::abs(part));
  FreeCombination combination;
  for (std::size_t k = 0; k < direction.size(); ++k)
    if (std::abs(direction[k]) >= kNoPart * largest)
      combination.changes.push_back({heard.parameters[k], direction[k] / strength[heard.parameters[k]]});
  const double scale = kLeadingChange / combination.changes.front().share;
  for (FreeCombination::Change& change : combination.changes) change.share *= scale;
  return combination;
}

void find_free(const SingularValues& s, const Heard& heard, Sensitivities& result) {
  Columns directions;
  for (std::size_t k = 0; k < s.values.size(); ++k)
    if (s.values[k] < kFree) directions.push_back(s.right[k]);
  make_sparse(directions);
  for (const std::vector<double>& d : directions) result.free.push_back(combination_of(d, heard, result.strength));
}

bool is_free(const Sensitivities& result, std::size_t parameter) {
  return std::any_of(result.free.begin(), result.free.end(), [&](const FreeCombination& c) {
    return std::any_of(c.changes.begin(), c.changes.end(),
                       [&](const auto& change) { return change.parameter == parameter; });
  });
}

/// The diagonal of the covariance that targets with a standard deviation of one tolerance leave to the parameters.
void find_known(const SingularValues& s, const Heard& heard, Sensitivities& result) {
  result.known_to.assign(result.strength.size(), std::nullopt);
  for (std::size_t place = 0; place < heard.parameters.size(); ++place) {
    const std::size_t parameter = heard.parameters[place];
    if (is_free(result, parameter)) continue;
    double variance = 0;
    for (std::size_t k = 0; k < s.values.size(); ++k)
      if (s.values[k] >= kFree) variance += std::pow(s.right[k][place] / s.values[k], 2);
    result.known_to[parameter] = std::sqrt(variance) / result.strength[parameter];
  }
}

}  // namespace

Sensitivities analyse(const Columns& effects) {
  Sensitivities result;
  const Heard heard = hear(effects, result);
  const SingularValues s = singular_values(heard.effects);
  result.singular_values = s.values;
  find_alike(heard, result);
  find_free(s, heard, result);
  find_known(s, heard, result);
  return result;
}

}  // namespace gputlm
