// SPDX-License-Identifier: Apache-2.0
//
// Smallest and largest value allowed, and how a message says it.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

namespace gputlm {

template <class T>
struct Range {
  T min;
  T max;

  bool holds(T value) const { return min <= value && value <= max; }
};

/// `1 to 64`, `at least 1`, `a whole number`; with the units, if any. `format` turns a bound into text.
template <class T, class Format>
std::string describe_range(Range<T> range, std::string_view units, Format format) {
  const bool open = range.max == std::numeric_limits<T>::max();
  std::string bounds;
  if (!open) {
    bounds = fmt::format("{} to {}", format(range.min), format(range.max));
  } else if (range.min != T{}) {
    bounds = fmt::format("at least {}", format(range.min));
  }
  if (!units.empty())
    return bounds.empty() ? fmt::format("a number in {}", units) : fmt::format("{}, in {}", bounds, units);
  if (!bounds.empty()) return bounds;
  return std::is_floating_point_v<T> ? "a number" : "a whole number";
}

}  // namespace gputlm
