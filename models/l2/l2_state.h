// SPDX-License-Identifier: Apache-2.0
//
// What a slice remembers besides the lines in its ways: with them, all that a warmed cache goes on from.
#pragma once

#include <cstdint>
#include <vector>

namespace gputlm {

/// Of one set.
struct L2SetState {
  std::vector<std::uint8_t> replacement;  ///< The policy's byte of every way, of those without a line too.
  unsigned fills = 0;                     ///< Of the write-back FIFO's account: since it became non-empty, or ...
  unsigned owed = 0;                      ///< ... the last of these pops fell due.
};

/// Of a slice.
struct L2SliceState {
  std::vector<std::uint64_t> replacement;  ///< ReplacementPolicy::state().
  unsigned cleaned_set = 0;                ///< The set that was cleaned last while memory was idle.
  std::vector<L2SetState> sets;
};

}  // namespace gputlm
