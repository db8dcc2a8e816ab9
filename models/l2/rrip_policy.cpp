// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/rrip_policy.h"

#include <algorithm>

namespace gputlm {

RripPolicy::RripPolicy(const ReplacementSpec& spec)
    : last_(static_cast<std::uint8_t>(spec.levels - 1)),
      insert_(static_cast<std::uint8_t>(spec.insert_rrpv)),
      load_hit_(static_cast<std::uint8_t>(spec.load_hit_rrpv)),
      promote_stores_(spec.store_hit == "promote") {}

void RripPolicy::on_store_hit(const SetWays& set, unsigned way) const {
  if (promote_stores_) set.rrpv[way] = load_hit_;
}

void RripPolicy::prepare(const SetWays& set, WayMask candidates) const {
  std::uint8_t highest = 0;
  for_each_way(candidates, [&](unsigned way) { highest = std::max(highest, set.rrpv[way]); });
  if (highest >= last_) return;
  const unsigned raise = last_ - highest;
  for (unsigned way = 0; way < set.ways; ++way)
    set.rrpv[way] = static_cast<std::uint8_t>(std::min<unsigned>(set.rrpv[way] + raise, last_));
}

unsigned RripPolicy::next(const SetWays& set, WayMask candidates) const {
  WayMask eligible = 0;
  for_each_way(candidates, [&](unsigned way) { eligible |= set.rrpv[way] >= last_ ? WayMask{1} << way : 0; });
  return oldest_way(eligible, set.last_use);
}

}  // namespace gputlm
