// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/tree_plru_policy.h"

namespace gputlm {

void TreePlruPolicy::point_away(const SetWays& set, unsigned way) {
  unsigned node = 1;
  for (unsigned half = set.ways / 2; half > 0; half /= 2) {
    const unsigned side = (way & half) != 0 ? 1 : 0;
    set.rrpv[node] = static_cast<std::uint8_t>(1 - side);
    node = 2 * node + side;
  }
}

unsigned TreePlruPolicy::next(const SetWays& set, WayMask candidates) const {
  if (candidates == 0) return kNoWay;
  unsigned node = 1, first = 0;
  for (unsigned half = set.ways / 2; half > 0; half /= 2) {
    const WayMask low = ((WayMask{1} << half) - 1) << first, high = low << half;
    unsigned side = set.rrpv[node] & 1U;
    if ((candidates & (side != 0 ? high : low)) == 0) side = 1 - side;
    node = 2 * node + side;
    first += side * half;
  }
  return first;
}

}  // namespace gputlm
