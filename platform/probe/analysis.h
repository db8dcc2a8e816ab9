// SPDX-License-Identifier: Apache-2.0
//
// What experimenters do with the times they have taken.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include "gputlm/probe/measurement.h"

namespace gputlm {

/// Times from each access's issue to the next one's: what a dependent chase sees of each load. In ns.
inline std::vector<double> issue_intervals(const std::vector<AccessTimes>& accesses) {
  std::vector<double> intervals;
  for (std::size_t i = 1; i < accesses.size(); ++i)
    intervals.push_back(ns_between(accesses[i - 1].issued, accesses[i].issued));
  return intervals;
}

/// Everything from `share` of the way on: the steady state of a sequence.
template <class T>
std::vector<T> from_share(const std::vector<T>& all, double share) {
  const auto skipped = static_cast<std::ptrdiff_t>(share * static_cast<double>(all.size()));
  return {all.begin() + skipped, all.end()};
}

/// Values of a non-empty list.
inline double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
inline double median_of(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Accesses per ns between the first and last quarter of the answers, where start and end play no part.
inline double answer_rate(const std::vector<AccessTimes>& accesses) {
  std::vector<Fs> answers;
  for (const AccessTimes& a : accesses) answers.push_back(a.answered);
  std::sort(answers.begin(), answers.end());
  const std::size_t first = answers.size() / 4, last = answers.size() * 3 / 4;
  return static_cast<double>(last - first) / ns_between(answers[first], answers[last]);
}

}  // namespace gputlm
