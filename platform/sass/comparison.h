// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "gputlm/sass/instruction_table.h"

namespace gputlm {

/// What a ...SETP asks of two operands. The `or_unordered` ones hold for a NaN, too.
enum class Comparison : std::uint8_t {
  never,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  ordered,
  unordered,
  less_or_unordered,
  equal_or_unordered,
  less_equal_or_unordered,
  greater_or_unordered,
  not_equal_or_unordered,
  greater_equal_or_unordered,
  always
};

/// The comparison among an instruction's modifiers. Throws Unsupported when there is none.
inline Comparison comparison_of(const SassInstruction& i) {
  static constexpr std::array<const char*, 16> kNames{"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE",  "NUM",
                                                      "NAN", "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T"};
  for (std::size_t n = 0; n < kNames.size(); ++n)
    if (i.has(kNames[n])) return static_cast<Comparison>(n);
  throw Unsupported("no comparison among the modifiers of " + i.opcode);
}

/// Whether the comparison holds for ordered operands.
inline bool holds(Comparison c, bool less, bool equal) {
  switch (c) {
    case Comparison::never:
    case Comparison::unordered:
      return false;
    case Comparison::less:
    case Comparison::less_or_unordered:
      return less;
    case Comparison::equal:
    case Comparison::equal_or_unordered:
      return equal;
    case Comparison::less_equal:
    case Comparison::less_equal_or_unordered:
      return less || equal;
    case Comparison::greater:
    case Comparison::greater_or_unordered:
      return !less && !equal;
    case Comparison::not_equal:
    case Comparison::not_equal_or_unordered:
      return !equal;
    case Comparison::greater_equal:
    case Comparison::greater_equal_or_unordered:
      return !less;
    case Comparison::ordered:
    case Comparison::always:
      return true;
  }
  return false;
}

/// Whether it holds for floating-point operands.
template <class T>
bool holds_for(Comparison c, T a, T b) {
  if (std::isunordered(a, b)) return c >= Comparison::unordered;
  return holds(c, a < b, a == b);
}

}  // namespace gputlm
