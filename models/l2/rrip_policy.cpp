// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/rrip_policy.h"

namespace gputlm {

RripPolicy::RripPolicy(const ReplacementSpec& spec, const ReplacementPlace& /*place*/)
    : RrpvPolicy(spec),
      insert_(static_cast<std::uint8_t>(spec.insert_rrpv)),
      load_hit_(static_cast<std::uint8_t>(spec.load_hit_rrpv)),
      promote_stores_(spec.store_hit == "promote") {}

void RripPolicy::on_store_hit(const SetWays& set, unsigned way) {
  if (promote_stores_) set.rrpv[way] = load_hit_;
}

unsigned RripPolicy::next(const SetWays& set, WayMask candidates) const {
  return oldest_way(eligible(set, candidates), set.last_use);
}

}  // namespace gputlm
