// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {

/// Any candidate is as likely as another. Each slice draws from a generator of its own (SplitMix64, seeded by
/// random_seed and the slice's number), one number a search, so that a run repeats. Not the hardware's; for comparison.
class RandomPolicy : public ReplacementPolicy {
 public:
  RandomPolicy(const ReplacementSpec& spec, const ReplacementPlace& place)
      : seed_(spec.random_seed * kStep + place.slice), state_(seed_) {}
  void reset() override { state_ = seed_; }
  std::vector<std::uint64_t> state() const override { return {state_}; }
  bool set_state(const std::vector<std::uint64_t>& state) override {
    if (state.size() != 1) return false;
    state_ = state[0];
    return true;
  }
  void on_insert(const SetWays& /*set*/, unsigned /*way*/) override {}
  void on_load_hit(const SetWays& /*set*/, unsigned /*way*/) override {}
  void on_store_hit(const SetWays& /*set*/, unsigned /*way*/) override {}
  void prepare(const SetWays& /*set*/, WayMask /*candidates*/) override { draw(); }
  unsigned next(const SetWays& /*set*/, WayMask candidates) const override {
    if (candidates == 0) return kNoWay;
    for (auto skip = drawn_ % static_cast<unsigned>(__builtin_popcountll(candidates)); skip > 0; --skip)
      candidates &= candidates - 1;
    return static_cast<unsigned>(__builtin_ctzll(candidates));
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;

  void draw() {
    std::uint64_t z = state_ += kStep;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
    drawn_ = z ^ z >> 31;
  }

  std::uint64_t seed_, state_, drawn_ = 0;
};

}  // namespace gputlm
