// SPDX-License-Identifier: Apache-2.0
//
// A litmus test on paper: every final state that the card can reach, found by going through all orders of an abstract
// machine that knows no time. It shares nothing with the units, so it judges what they do, and it tells the allowed
// outcomes that this design never shows from those that a run was merely not lucky enough to meet.
//
// The machine is what docs/memory-model.md says of the road: an SM's requests reach L2 one after the other, in the
// order in which they left; a store shows in its SM's L1 from the moment it leaves and in memory from the moment L2
// serves it; a weak load takes the line of its L1, however old, or goes to memory; strong loads and atomics go to
// memory and leave no line behind; fences of gpu and sys scope wait for the SM's stores and then drop its L1, acquires
// drop it when their data are there. A line may leave L1 at any time. Warps of one CTA share an SM, CTAs may.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "gputlm/litmus/litmus_test.h"

namespace gputlm {

/// A final state: the values of the condition's variables, in their order.
using FinalState = std::vector<std::uint32_t>;

/// Every final state that the machine reaches on a card of `sms` SMs, wherever the CTAs are; nothing when there are
/// more ways than it follows.
std::optional<std::set<FinalState>> reachable_states(const LitmusTest& test, unsigned sms);

}  // namespace gputlm
