// SPDX-License-Identifier: Apache-2.0
//
// One warp instruction of a trace, and how its line is read.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "gputlm/replay/traceg_header.h"
#include "gputlm/replay/traceg_opcode.h"

namespace gputlm {

struct TracegInstruction {
  static constexpr std::uint8_t kNoRegister = 255;  ///< RZ as well.

  const TracegOpcode* opcode = nullptr;
  std::uint64_t pc = 0;
  std::uint32_t mask = 0;  ///< Lanes that are active and whose predicate holds.
  std::uint8_t destination = kNoRegister;
  std::array<std::uint8_t, 4> sources{kNoRegister, kNoRegister, kNoRegister, kNoRegister};
  std::uint64_t immediate = 0;  ///< Version 5: the last one.
  bool addressed = false;       ///< `address` of the lanes in the mask is known.
  std::array<std::uint64_t, 32> address{};

  bool operator==(const TracegInstruction& o) const;
};

/// Which lanes of an instruction reach global memory; the others stay in the SM.
std::uint32_t global_lanes(const TracegInstruction& i, const TracegHeader& header);

/// What keeps a line from being read.
struct LineProblem {
  std::string message, found, allowed;
};

/// Reads instruction lines of one kernel.
class TracegLineReader {
 public:
  /// Both outlive the reader.
  TracegLineReader(const TracegHeader& header, TracegOpcodes& opcodes) : header_(header), opcodes_(opcodes) {}

  /// Where a line must belong in a trace whose lines say it.
  Dimensions block{0, 0, 0};
  unsigned warp = 0;

  /// False, and why, when the line is none.
  bool read(std::string_view line, TracegInstruction& i, LineProblem& problem) const;

 private:
  const TracegHeader& header_;
  TracegOpcodes& opcodes_;
};

}  // namespace gputlm
