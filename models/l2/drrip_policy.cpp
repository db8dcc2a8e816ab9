// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/drrip_policy.h"

#include <algorithm>

namespace gputlm {

DrripPolicy::DrripPolicy(const ReplacementSpec& spec, const ReplacementPlace& place)
    : BrripPolicy(spec, place), most_((1U << spec.duel_bits) - 1), selector_(most_ / 2) {
  const unsigned leaders = std::max(1U, spec.duel_sets);
  while (period_ * 2 * leaders <= place.sets) period_ *= 2;
}

void DrripPolicy::reset() {
  BrripPolicy::reset();
  selector_ = most_ / 2;
}

std::vector<std::uint64_t> DrripPolicy::state() const {
  std::vector<std::uint64_t> state = BrripPolicy::state();
  state.push_back(selector_);
  return state;
}

bool DrripPolicy::set_state(const std::vector<std::uint64_t>& state) {
  if (state.empty() || state.back() > most_ || !BrripPolicy::set_state({state.begin(), state.end() - 1})) return false;
  selector_ = static_cast<unsigned>(state.back());
  return true;
}

// One leader of each team in every group of `period_` sets, at places that move from group to group, so that no stride
// meets the leaders of one team alone.
DrripPolicy::Team DrripPolicy::team_of(unsigned set) const {
  const unsigned place = set % period_, group = set / period_ % period_;
  if (place == group) return Team::srrip;
  return place == period_ - 1 - group ? Team::brrip : Team::follower;
}

void DrripPolicy::on_insert(const SetWays& set, unsigned way) {
  const Team team = team_of(set.number);
  if (team == Team::srrip && selector_ < most_) ++selector_;
  if (team == Team::brrip && selector_ > 0) --selector_;
  if (team == Team::brrip || (team == Team::follower && bimodal_wins()))
    insert_bimodal(set, way);
  else
    insert_long(set, way);
}

}  // namespace gputlm
