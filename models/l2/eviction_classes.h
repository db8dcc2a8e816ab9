// SPDX-License-Identifier: Apache-2.0
//
// Eviction classes (PAT-C: evict first, normal, last): which lines of a set may be given up at all, ahead of what the
// replacement policy says about them. A line's class is the hint of the last access that had one; an access without a
// hint says nothing about it. All lines are `normal` as long as classes are ignored.
#pragma once

#include <algorithm>

#include "gputlm/l2/line_array.h"
#include "gputlm/tlm/sideband.h"

namespace gputlm {

namespace eviction_class_bits {
inline constexpr unsigned kShift = 4, kMask = 3U << kShift, kFirst = 1U << kShift, kLast = 2U << kShift;
}

/// Class kept in a slot's flags; none kept: normal.
inline EvictionClass eviction_class(std::uint8_t flags) {
  const unsigned kept = flags & eviction_class_bits::kMask;
  if (kept == eviction_class_bits::kFirst) return EvictionClass::first;
  return kept == eviction_class_bits::kLast ? EvictionClass::last : EvictionClass::normal;
}

inline void set_eviction_class(std::uint8_t& flags, EvictionClass c) {
  using namespace eviction_class_bits;
  const unsigned bits = c == EvictionClass::first ? kFirst : c == EvictionClass::last ? kLast : 0U;
  flags = static_cast<std::uint8_t>((flags & ~kMask) | bits);
}

/// Of the candidates (not empty), those of the class that goes first; `flags`: the set's, by way. Tells the class, too.
inline WayMask first_class_to_go(WayMask candidates, const std::uint8_t* flags, EvictionClass& found) {
  WayMask of_class = 0;
  found = EvictionClass::last;
  for_each_way(candidates, [&](unsigned way) {
    const EvictionClass c = eviction_class(flags[way]);
    if (c < found) of_class = 0;
    found = std::min(found, c);
    if (c == found) of_class |= WayMask{1} << way;
  });
  return of_class;
}

}  // namespace gputlm
