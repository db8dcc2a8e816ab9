// SPDX-License-Identifier: Apache-2.0
//
// Short ways to say what the patterns' programs are made of.
#pragma once

#include <cstdint>

#include "gputlm/warp/warp_program.h"

namespace gputlm {

/// Qualifiers of an access: its memory order and its cache hint.
struct AccessOrder {
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;
  EvictionClass eviction = EvictionClass::normal;
};

inline constexpr std::uint8_t scoreboard_bit(unsigned scoreboard) {
  return static_cast<std::uint8_t>(1U << scoreboard);
}

/// A load that marks `scoreboard` and waits for the scoreboards in `wait` (its own too, where it is used again).
inline WarpInstruction load_instruction(AccessOrder order, unsigned scoreboard, std::uint8_t wait) {
  WarpInstruction i;
  i.kind = WarpInstruction::Kind::memory;
  i.operation = Operation::load;
  i.wait_scoreboards = wait;
  i.set_scoreboard = static_cast<std::uint8_t>(scoreboard);
  i.semantics = order.semantics;
  i.scope = order.scope;
  i.eviction = order.eviction;
  return i;
}

inline WarpInstruction store_instruction(AccessOrder order, std::uint8_t wait = 0) {
  WarpInstruction i;
  i.kind = WarpInstruction::Kind::memory;
  i.operation = Operation::store;
  i.wait_scoreboards = wait;
  i.semantics = order.semantics;
  i.scope = order.scope;
  i.eviction = order.eviction;
  return i;
}

inline WarpInstruction fence_instruction(AccessOrder order) {
  WarpInstruction i;
  i.kind = WarpInstruction::Kind::fence;
  i.operation = Operation::fence;
  i.semantics = order.semantics;
  i.scope = order.scope;
  return i;
}

inline WarpInstruction compute_instruction(double stall_cycles, std::uint8_t wait) {
  WarpInstruction i;
  i.kind = WarpInstruction::Kind::compute;
  i.wait_scoreboards = wait;
  i.stall_cycles = stall_cycles;
  return i;
}

inline WarpInstruction exit_instruction() {
  return {};
}

/// Loads that go round the first `unroll` scoreboards: each waits for the one `unroll` loads before.
class UnrolledLoads {
 public:
  WarpInstruction next(AccessOrder order, unsigned unroll) {
    const unsigned scoreboard = next_;
    next_ = scoreboard + 1 == unroll ? 0 : scoreboard + 1;
    return load_instruction(order, scoreboard, scoreboard_bit(scoreboard));
  }

 private:
  unsigned next_ = 0;
};

/// The lowest `lanes` lanes (0 to 32).
inline std::uint32_t lane_mask(unsigned lanes) {
  return lanes == 0 ? 0 : ~std::uint32_t{0} >> (kLanes - lanes);
}

/// The lowest `count` lanes access `lane_bytes` each, `stride` bytes apart from `address` on.
inline void fill_lanes(WarpLanes& lanes, std::uint64_t address, unsigned count, unsigned lane_bytes,
                       std::uint64_t stride) {
  lanes.active = lane_mask(count);
  lanes.lane_bytes = static_cast<std::uint8_t>(lane_bytes);
  lanes.space_evenly(address, stride);
}

}  // namespace gputlm
