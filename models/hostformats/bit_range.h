// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gputlm {

/// Bits [high:low] of a 32-bit word.
struct BitRange {
  unsigned high, low;

  constexpr std::uint32_t most() const { return 0xffffffffU >> (31 - (high - low)); }
  constexpr std::uint32_t mask() const { return most() << low; }
  constexpr std::uint32_t get(std::uint32_t word) const { return word >> low & most(); }
  /// The value in its place; bits of it beyond the range are cut off.
  constexpr std::uint32_t put(std::uint32_t value) const { return (value & most()) << low; }
};

}  // namespace gputlm
