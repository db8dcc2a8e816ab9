// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/convergence.h"

#include "gputlm/sass/listing.h"

namespace gputlm {

Convergence::Convergence(LaneMask present, std::uint32_t patience)
    : live_(present), runnable_(present), active_(present), patience_(patience) {}

void Convergence::advance() {
  pc_ += kInstructionBytes;
  if (active_ != runnable_) join();
}

void Convergence::branch(LaneMask taken, std::uint32_t target) {
  taken &= active_;
  if (taken == 0) return advance();
  if (taken != active_) {
    for_each_lane_of(taken, [&](unsigned l) { threads_[l].pc = target; });
    active_ &= ~taken;
    return advance();
  }
  const bool back = target <= pc_;
  pc_ = target;
  if (active_ == live_) return;
  join();
  if (!back) return;
  if (++jumps_back_ >= patience_)
    yield();
  else
    rotate();
}

void Convergence::scatter(LaneMask lanes, const std::array<std::uint32_t, kWarpLanes>& targets) {
  if (lanes == 0) return advance();
  pc_ += kInstructionBytes;
  park();
  for_each_lane_of(lanes, [&](unsigned l) { threads_[l].pc = targets[l]; });
  choose_from(lowest_lane(lanes));
}

void Convergence::exit(LaneMask lanes) {
  live_ &= ~lanes;
  runnable_ &= ~lanes;
  active_ &= ~lanes;
  pc_ += kInstructionBytes;
  if (active_ != live_) release();
  if (active_ == 0)
    choose();
  else if (active_ != runnable_)
    join();
}

void Convergence::open(LaneMask lanes, unsigned b) {
  for_each_lane_of(lanes, [&](unsigned l) { barriers_[l][b] = lanes; });
  advance();
}

void Convergence::meet(LaneMask lanes, unsigned b) {
  if (lanes == live_) return advance();  // all are here
  for_each_lane_of(lanes, [&](unsigned l) { threads_[l].barrier = static_cast<std::uint8_t>(b); });
  hold(lanes, Wait::meet);
}

void Convergence::leave(LaneMask lanes, unsigned b) {
  for_each_lane_of(lanes, [&](unsigned l) {
    const LaneMask mask = barriers_[l][b];
    for_each_lane_of(mask, [&](unsigned other) {
      if (barriers_[other][b] == mask) barriers_[other][b] &= ~lanes;
    });
  });
  release();
  advance();
}

void Convergence::meet_mask(LaneMask lanes, const std::array<LaneMask, kWarpLanes>& masks) {
  if (lanes == live_) return advance();
  for_each_lane_of(lanes, [&](unsigned l) { threads_[l].mask = masks[l]; });
  hold(lanes, Wait::mask);
}

void Convergence::wait_for_cta(LaneMask lanes) {
  hold(lanes, Wait::cta);
}

void Convergence::cta_released() {
  for_each_lane_of(live_, [&](unsigned l) { threads_[l].wait = Wait::none; });
  runnable_ = live_;
  choose();
}

void Convergence::yield() {
  if (active_ == live_) return;
  jumps_back_ = 0;
  yielded_ |= active_;
  park();
  release();
  rotate();
}

void Convergence::rotate() {
  if (active_ == runnable_) return;
  park();
  choose();
}

/// Notes where the active threads are, so that others can have their turn.
void Convergence::park() {
  for_each_lane_of(active_, [&](unsigned l) { threads_[l].pc = pc_; });
}

/// The threads stand behind the instruction and wait.
void Convergence::hold(LaneMask lanes, Wait wait) {
  pc_ += kInstructionBytes;
  park();
  for_each_lane_of(lanes, [&](unsigned l) { threads_[l].wait = wait; });
  runnable_ &= ~lanes;
  active_ &= ~lanes;
  yielded_ &= ~lanes;
  release();
  choose();
}

LaneMask Convergence::awaited(unsigned lane) const {
  const Thread& t = threads_[lane];
  return (t.wait == Wait::mask ? t.mask : barriers_[lane][t.barrier]) & live_;
}

/// Lets go all threads whose partners have come.
void Convergence::release() {
  const LaneMask waiting = live_ & ~runnable_;
  LaneMask freed = 0;
  for_each_lane_of(waiting, [&](unsigned l) {
    const Thread& t = threads_[l];
    if (t.wait == Wait::cta) return;
    const LaneMask partners = awaited(l);
    bool all = true;
    for_each_lane_of(partners & ~yielded_, [&](unsigned other) {
      const Thread& o = threads_[other];
      const bool same = (waiting >> other & 1U) != 0 && o.wait == t.wait && awaited(other) == partners;
      all = all && same && (t.wait == Wait::mask || o.barrier == t.barrier);
    });
    if (all) freed |= LaneMask{1} << l;
  });
  if (freed == 0) return;
  abandon(freed);
  for_each_lane_of(freed, [&](unsigned l) { threads_[l].wait = Wait::none; });
  runnable_ |= freed;
  jumps_back_ = 0;
}

/// Threads that go on without some of their barrier's others: those will not wait for them.
void Convergence::abandon(LaneMask freed) {
  for_each_lane_of(freed, [&](unsigned l) {
    const Thread& t = threads_[l];
    if (t.wait != Wait::meet) return;
    const LaneMask mask = barriers_[l][t.barrier];
    for_each_lane_of(mask & live_ & yielded_, [&](unsigned other) {
      if ((barriers_[other][t.barrier] & ~freed) == (mask & ~freed)) barriers_[other][t.barrier] &= ~freed;
    });
  });
}

/// The next group in the order of lanes.
void Convergence::choose() {
  active_ = 0;
  if (runnable_ == 0) {
    LaneMask behind = 0;
    std::uint32_t lowest = ~0U;
    for_each_lane_of(live_, [&](unsigned l) {
      const Thread& t = threads_[l];
      if (t.wait == Wait::cta || t.pc > lowest) return;
      if (t.pc < lowest) behind = 0;
      lowest = t.pc;
      behind |= LaneMask{1} << l;
    });
    abandon(behind);
    for_each_lane_of(behind, [&](unsigned l) { threads_[l].wait = Wait::none; });
    runnable_ = behind;
  }
  if (runnable_ == 0) return;
  const LaneMask later = turn_ == kWarpLanes - 1 ? 0 : runnable_ & (kAllLaneBits << (turn_ + 1));
  choose_from(lowest_lane(later != 0 ? later : runnable_));
}

void Convergence::choose_from(unsigned lane) {
  turn_ = lane;
  pc_ = threads_[lane].pc;
  active_ = LaneMask{1} << lane;
  join();
}

void Convergence::join() {
  for_each_lane_of(runnable_ & ~active_, [&](unsigned l) {
    if (threads_[l].pc == pc_) active_ |= LaneMask{1} << l;
  });
}

}  // namespace gputlm
