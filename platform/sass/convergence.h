// SPDX-License-Identifier: Apache-2.0
//
// Where a warp's threads are, and which of them run. Threads at one address that are free to go run together; when they
// part, one group runs until it waits, ends, yields or jumps back, and then the next group has its turn, so a thread
// that spins for another's store lets that one get there. Groups that come to the same address run on together.
//
// Convergence barriers (BSSY, BSYNC) are kept per thread: a call saves and restores them in registers, and threads of
// different depth must not see each other's. Threads that yield or sleep are not waited for, and neither are those that
// have jumped back very often while others wait: meeting is a matter of speed, going on is not. Should all threads wait
// for some that wait elsewhere, those furthest behind are let go.
#pragma once

#include <array>
#include <cstdint>

#include "gputlm/sass/warp_state.h"

namespace gputlm {

class Convergence {
 public:
  static constexpr unsigned kBarriers = 16;

  /// All threads of `present` start at address 0. `patience`: jumps back after which the others no longer wait.
  Convergence(LaneMask present, std::uint32_t patience);

  /// Threads that have not exited.
  LaneMask live() const { return live_; }
  /// Threads that run next, at pc(). Empty: all have ended, or wait at a CTA barrier.
  LaneMask active() const { return active_; }
  std::uint32_t pc() const { return pc_; }
  /// All live threads wait at a CTA barrier.
  bool at_cta_barrier() const { return active_ == 0 && live_ != 0; }

  /// The active threads go on behind the instruction.
  void advance();
  /// Those in `taken` go to `target`, the other active ones on.
  void branch(LaneMask taken, std::uint32_t target);
  /// Each thread of `lanes` goes to its own target, the other active ones on.
  void scatter(LaneMask lanes, const std::array<std::uint32_t, kWarpLanes>& targets);
  /// `lanes` end.
  void exit(LaneMask lanes);
  /// The active threads will meet at barrier b.
  void open(LaneMask lanes, unsigned b);
  /// `lanes` wait for the threads of barrier b.
  void meet(LaneMask lanes, unsigned b);
  /// `lanes` are no longer waited for at barrier b.
  void leave(LaneMask lanes, unsigned b);
  /// `lanes` wait until all live threads of their masks wait at one with the same mask.
  void meet_mask(LaneMask lanes, const std::array<LaneMask, kWarpLanes>& masks);
  /// `lanes` wait until the warp has been through the CTA's barrier.
  void wait_for_cta(LaneMask lanes);
  /// All threads have been through it.
  void cta_released();
  /// The active threads are not waited for any more, and another group has its turn, when there is one.
  void yield();

  /// A thread's convergence barrier: its mask.
  LaneMask barrier(unsigned lane, unsigned b) const { return barriers_[lane][b]; }
  void set_barrier(unsigned lane, unsigned b, LaneMask mask) { barriers_[lane][b] = mask; }

 private:
  enum class Wait : std::uint8_t { none, meet, mask, cta };

  struct Thread {
    std::uint32_t pc = 0;
    Wait wait = Wait::none;
    std::uint8_t barrier = 0;
    LaneMask mask = 0;  // waited for, as asked at a WARPSYNC
  };

  void rotate();
  void park();
  void abandon(LaneMask freed);
  void hold(LaneMask lanes, Wait wait);
  LaneMask awaited(unsigned lane) const;
  void release();
  void choose();
  void choose_from(unsigned lane);
  void join();

  std::array<Thread, kWarpLanes> threads_{};
  std::array<std::array<LaneMask, kBarriers>, kWarpLanes> barriers_{};
  LaneMask live_ = 0, runnable_ = 0, active_ = 0;
  LaneMask yielded_ = 0;  // not waited for until they wait themselves
  const std::uint32_t patience_;
  std::uint32_t jumps_back_ = 0;  // while others waited, since the last release
  std::uint32_t pc_ = 0;
  unsigned turn_ = 0;  // lane whose group ran last
};

}  // namespace gputlm
