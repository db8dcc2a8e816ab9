// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/rrpv_policy.h"

namespace gputlm {

/// Static RRIP with hit priority as published (Jaleel et al., ISCA 2010): a line comes in one below the last level, a
/// hit of either kind makes it 0, and of several victims the lowest way goes. A scan of lines used once leaves before
/// lines that were used again. Not the hardware's; for comparison.
class SrripPolicy : public RrpvPolicy {
 public:
  SrripPolicy(const ReplacementSpec& spec, const ReplacementPlace& /*place*/) : RrpvPolicy(spec) {}
  void on_insert(const SetWays& set, unsigned way) override { insert_long(set, way); }
  void on_load_hit(const SetWays& set, unsigned way) final { set.rrpv[way] = 0; }
  void on_store_hit(const SetWays& set, unsigned way) final { set.rrpv[way] = 0; }
  unsigned next(const SetWays& set, WayMask candidates) const final {
    const WayMask ways = eligible(set, candidates);
    return ways == 0 ? kNoWay : static_cast<unsigned>(__builtin_ctzll(ways));
  }

 protected:
  /// Long re-reference interval: one level before a victim.
  void insert_long(const SetWays& set, unsigned way) const {
    set.rrpv[way] = static_cast<std::uint8_t>(last_level() - 1);
  }
};

}  // namespace gputlm
