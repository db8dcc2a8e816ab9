// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {

/// Strict least recently used over loads and stores. Every candidate is eligible. Not the hardware's; for comparison.
class LruPolicy : public ReplacementPolicy {
 public:
  LruPolicy(const ReplacementSpec& /*spec*/, const ReplacementPlace& /*place*/) {}
  void on_insert(const SetWays& /*set*/, unsigned /*way*/) override {}
  void on_load_hit(const SetWays& /*set*/, unsigned /*way*/) override {}
  void on_store_hit(const SetWays& /*set*/, unsigned /*way*/) override {}
  void prepare(const SetWays& /*set*/, WayMask /*candidates*/) override {}
  unsigned next(const SetWays& set, WayMask candidates) const override { return oldest_way(candidates, set.last_use); }
};

}  // namespace gputlm
