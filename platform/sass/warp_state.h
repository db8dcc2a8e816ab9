// SPDX-License-Identifier: Apache-2.0
//
// What a warp's instructions work on: registers, predicates, the uniform datapath's, local memory, and what is shared
// with its CTA and its launch.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/sass/sass_launch.h"

namespace gputlm {

/// Bit i: lane i.
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLaneBits = ~LaneMask{0};
inline constexpr unsigned kWarpLanes = 32;

template <class Visit>
void for_each_lane_of(LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(static_cast<unsigned>(__builtin_ctz(lanes)));
}

inline unsigned lowest_lane(LaneMask lanes) {
  return lanes == 0 ? 0 : static_cast<unsigned>(__builtin_ctz(lanes));
}

/// Predicates 0 to 7 are P0 to PT, 8 to 15 are UP0 to UPT.
inline constexpr unsigned kUniformPredicates = 8;

struct WarpState {
  /// `registers`: how many the code uses. `launch` and `cta` outlive the state.
  WarpState(const SassLaunch& launch, CtaState& cta, unsigned warp, unsigned registers);

  std::uint32_t& reg(unsigned index, unsigned lane) { return registers_[index * kWarpLanes + lane]; }
  std::uint32_t reg(unsigned index, unsigned lane) const { return registers_[index * kWarpLanes + lane]; }
  /// Lanes whose predicate is true; a uniform one is true in all lanes or none.
  LaneMask predicate(unsigned index) const { return predicates_[index]; }
  /// Sets the predicate of `lanes` to their bits of `values`. PT and UPT stay true.
  void set_predicate(unsigned index, LaneMask lanes, LaneMask values);

  /// The `size` bytes of local memory at `address` of a lane; null and a fault when they are not there.
  unsigned char* local(unsigned lane, std::uint64_t address, unsigned size);
  /// The `size` bytes of shared memory at `address`; null and a fault when they are not there or not aligned.
  unsigned char* shared(std::uint64_t address, unsigned size);
  /// Ends the warp with this reason once the instruction is done; the first one counts.
  void raise(std::string reason);

  const SassLaunch& launch;
  CtaState& cta;
  const unsigned warp;                               ///< Within the CTA.
  LaneMask live = 0;                                 ///< Lanes that have a thread which has not exited.
  LaneMask present = 0;                              ///< Lanes that have a thread.
  std::array<std::uint32_t, 64> uniform{};           ///< UR0 to URZ.
  std::array<std::uint32_t, 16> barriers_arrived{};  ///< Per CTA barrier: how often this warp has passed it.
  unsigned last_barrier = 0;                         ///< The CTA barrier whose reduction B2R reads.
  std::string fault;                                 ///< Empty: none.

 private:
  std::vector<std::uint32_t> registers_;
  std::array<LaneMask, 16> predicates_{};
  std::vector<unsigned char> local_;  // by lane; made at the first use
};

}  // namespace gputlm
