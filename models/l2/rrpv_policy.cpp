// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/rrpv_policy.h"

#include <algorithm>

namespace gputlm {

void RrpvPolicy::prepare(const SetWays& set, WayMask candidates) {
  std::uint8_t highest = 0;
  for_each_way(candidates, [&](unsigned way) { highest = std::max(highest, set.rrpv[way]); });
  if (highest >= last_) return;
  const unsigned raise = last_ - highest;
  for (unsigned way = 0; way < set.ways; ++way)
    set.rrpv[way] = static_cast<std::uint8_t>(std::min<unsigned>(set.rrpv[way] + raise, last_));
}

WayMask RrpvPolicy::eligible(const SetWays& set, WayMask candidates) const {
  WayMask eligible = 0;
  for (unsigned way = 0; way < set.ways; ++way) eligible |= WayMask{set.rrpv[way] >= last_ ? 1U : 0U} << way;
  return eligible & candidates;
}

}  // namespace gputlm
