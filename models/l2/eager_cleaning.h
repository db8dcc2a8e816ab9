// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/cleaning_policy.h"

namespace gputlm {

/// Eager write-back (Lee, Tyson, Farrens, MICRO 2000), by idle bandwidth: every idle_time the slice looks whether its
/// controller has nothing to do and it has nothing under way itself; then it hands over dirty lines, least recently
/// stored of a set first, as many as its write-back list holds. No store waits for it. What is stored again afterwards
/// is written twice. Not the hardware's (an H200 cleans nothing while idle); for comparison.
class EagerCleaning : public CleaningPolicy {
 public:
  explicit EagerCleaning(const JanitorSpec& /*spec*/) {}
  bool wants_cleaning(unsigned /*dirty_lines*/, bool /*new_dirty_line*/) const override { return false; }
  unsigned choose(WayMask cleanable, const std::uint64_t* last_store) const override {
    return oldest_way(cleanable, last_store);
  }
  bool uses_idle_memory() const override { return true; }
};

}  // namespace gputlm
