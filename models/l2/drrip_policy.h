// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/brrip_policy.h"

namespace gputlm {

/// Dynamic RRIP (Jaleel et al., ISCA 2010): SRRIP and BRRIP duel. duel_sets sets of the slice always insert by the one,
/// as many by the other; a saturating counter of duel_bits bits goes up with each line brought into the former and down
/// with each into the latter, and all other sets insert by whoever has brought in fewer. Not the hardware's; for
/// comparison.
class DrripPolicy : public BrripPolicy {
 public:
  DrripPolicy(const ReplacementSpec& spec, const ReplacementPlace& place);
  void reset() override;
  std::vector<std::uint64_t> state() const override;
  bool set_state(const std::vector<std::uint64_t>& state) override;
  void on_insert(const SetWays& set, unsigned way) override;

  /// Which policy a set inserts by.
  enum class Team : std::uint8_t { follower, srrip, brrip };
  Team team_of(unsigned set) const;
  /// Followers insert bimodally.
  bool bimodal_wins() const { return selector_ > most_ / 2; }

 private:
  unsigned period_ = 2;  ///< Sets that share one leader of either team; a power of two, at least 2.
  unsigned most_;        ///< Largest value of the selector.
  unsigned selector_;
};

}  // namespace gputlm
