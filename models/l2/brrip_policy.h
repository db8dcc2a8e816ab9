// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/srrip_policy.h"

namespace gputlm {

/// Bimodal RRIP (Jaleel et al., ISCA 2010): a line comes in as the next victim, but for every bimodal_interval-th of
/// the slice, which comes in as SRRIP's do. Of a working set larger than the cache a part stays. The paper draws with a
/// probability of 1/32; a counter makes the same share and repeats. Not the hardware's; for comparison.
class BrripPolicy : public SrripPolicy {
 public:
  BrripPolicy(const ReplacementSpec& spec, const ReplacementPlace& place)
      : SrripPolicy(spec, place), interval_(spec.bimodal_interval) {}
  void reset() override { inserted_ = 0; }
  std::vector<std::uint64_t> state() const override { return {inserted_}; }
  bool set_state(const std::vector<std::uint64_t>& state) override {
    if (state.size() != 1 || state[0] >= interval_) return false;
    inserted_ = static_cast<unsigned>(state[0]);
    return true;
  }
  void on_insert(const SetWays& set, unsigned way) override { insert_bimodal(set, way); }

 protected:
  void insert_bimodal(const SetWays& set, unsigned way) {
    set.rrpv[way] = last_level();
    if (++inserted_ < interval_) return;
    inserted_ = 0;
    insert_long(set, way);
  }

 private:
  unsigned interval_, inserted_ = 0;
};

}  // namespace gputlm
