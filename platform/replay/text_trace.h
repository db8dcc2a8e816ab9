// SPDX-License-Identifier: Apache-2.0
//
// Traces of one access a line, for people who have no tracer or the plain one: `TIME OP ADDRESS SIZE [MASK] [warp=N]`,
// and what NVBit's mem_trace tool prints. docs/replay.md describes both.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "gputlm/replay/damage.h"
#include "gputlm/replay/traceg_instruction.h"

namespace gputlm {

/// One line.
struct TextAccess {
  std::uint64_t launch = 0;              ///< mem_trace: of which kernel.
  std::array<std::uint32_t, 3> block{};  ///< A warp of a plain trace is a block of its own.
  unsigned warp = 0;                     ///< Within the block.
  TracegInstruction instruction;         ///< Its immediate is the time in fs before which it does not issue.
};

class TextTraceReader {
 public:
  TextTraceReader(std::unique_ptr<TraceLines> lines, TracegOpcodes& opcodes, Damage& damage)
      : lines_(std::move(lines)), opcodes_(opcodes), damage_(damage) {}

  /// The next access; false at the end. Comments begin with #.
  bool next(TextAccess& access);
  const TraceLines& lines() const { return *lines_; }

 private:
  std::unique_ptr<TraceLines> lines_;
  TracegOpcodes& opcodes_;
  Damage& damage_;
};

}  // namespace gputlm
