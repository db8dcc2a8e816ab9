// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/cleaning_policy.h"

namespace gputlm {

/// Nothing is cleaned ahead of need: dirty lines leave as victims only. For comparison.
class NoCleaning : public CleaningPolicy {
 public:
  explicit NoCleaning(const JanitorSpec& /*spec*/) {}
  bool wants_cleaning(unsigned /*dirty_lines*/, bool /*new_dirty_line*/) const override { return false; }
  unsigned choose(WayMask /*cleanable*/, const std::uint64_t* /*last_store*/) const override { return kNoWay; }
};

}  // namespace gputlm
