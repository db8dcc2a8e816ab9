// SPDX-License-Identifier: Apache-2.0
//
// A warp program written down as a list.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "gputlm/warp/warp_program.h"

namespace gputlm::warp_test {

/// One line of a script: the instruction and, for memory, the address of lane 0 (lanes lie side by side, 4 bytes each).
struct Step {
  WarpInstruction instruction;
  std::uint64_t address = 0;
  std::uint32_t active = 0xffffffffU;
};

inline Step memory(Operation operation, std::uint64_t address, std::uint8_t scoreboard = kNoScoreboard) {
  Step s;
  s.instruction.kind = WarpInstruction::Kind::memory;
  s.instruction.operation = operation;
  s.instruction.set_scoreboard = scoreboard;
  s.address = address;
  return s;
}
inline Step store(std::uint64_t address) {
  return memory(Operation::store, address);
}
inline Step load(std::uint64_t address, std::uint8_t scoreboard = 0) {
  return memory(Operation::load, address, scoreboard);
}
inline Step with(Step s, Semantics semantics, Scope scope) {
  s.instruction.semantics = semantics;
  s.instruction.scope = scope;
  return s;
}
/// Arithmetic that takes so many cycles and first waits for the scoreboards of the mask.
inline Step compute(double stall_cycles, std::uint8_t wait_scoreboards = 0) {
  Step s;
  s.instruction.kind = WarpInstruction::Kind::compute;
  s.instruction.stall_cycles = stall_cycles;
  s.instruction.wait_scoreboards = wait_scoreboards;
  return s;
}
inline Step fence(Scope scope) {
  Step s;
  s.instruction.kind = WarpInstruction::Kind::fence;
  s.instruction.scope = scope;
  s.instruction.semantics = Semantics::seq_cst;
  return s;
}
inline Step barrier() {
  Step s;
  s.instruction.kind = WarpInstruction::Kind::cta_barrier;
  return s;
}

/// Runs the steps, then exits.
class Script : public WarpProgram {
 public:
  using OnReturned = std::function<void(const Payload&)>;
  explicit Script(std::vector<Step> steps, OnReturned on_returned = nullptr)
      : steps_(std::move(steps)), on_returned_(std::move(on_returned)) {}

  WarpInstruction fetch() override {
    current_ = next_;
    return next_ < steps_.size() ? steps_[next_++].instruction : WarpInstruction{};
  }
  void operands(WarpLanes& lanes, unsigned char* data) override {
    const Step& step = steps_[current_];
    lanes.active = step.active;
    lanes.lane_bytes = 4;
    for (unsigned i = 0; i < kLanes; ++i) lanes.address[i] = step.address + 4ULL * i;
    std::memset(data, 0x5a, 512);
  }
  void returned(const Payload& access) override {
    if (on_returned_) on_returned_(access);
  }

 private:
  std::vector<Step> steps_;
  std::size_t next_ = 0, current_ = 0;
  OnReturned on_returned_;
};

}  // namespace gputlm::warp_test
