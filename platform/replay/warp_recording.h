// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>

#include "gputlm/replay/warp_tape.h"
#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// The instructions of a running warp as a trace has them. The model's scoreboards become registers: what marks one
/// writes to its register, what waits for it reads that. An access is complete when its addresses have come; what is
/// complete from the first instruction on goes to the tape.
class WarpRecording {
 public:
  WarpRecording(ChunkStore& store, TracegOpcodes& opcodes, std::uint32_t lanes, double clock_hz)
      : opcodes_(opcodes), tape_(store, opcodes), lanes_(lanes), clock_hz_(clock_hz) {}

  /// Of its program, from 0 on, in order.
  void issue(std::uint32_t index, const WarpInstruction& w);
  /// The access with this index has its answer.
  void answer(std::uint32_t index, const Payload& access);

  bool ended() const { return ended_; }
  /// Every instruction is on the tape.
  bool complete() const { return ended_ && open_.empty(); }
  std::uint64_t instructions() const { return written_; }
  WarpTape& tape() { return tape_; }

 private:
  struct Open {
    TracegInstruction instruction;
    WarpInstruction access;
    std::uint32_t index = 0;
    bool complete = true;
  };

  void issue_access(std::uint32_t index, const WarpInstruction& w);
  Open& add(const std::string& opcode, std::uint8_t waits);
  void flush();

  TracegOpcodes& opcodes_;
  WarpTape tape_;
  const std::uint32_t lanes_;
  const double clock_hz_;
  std::deque<Open> open_;
  std::uint64_t added_ = 0, written_ = 0;
  bool ended_ = false;
};

}  // namespace gputlm
