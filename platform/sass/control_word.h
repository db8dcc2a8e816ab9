// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gputlm {

/// What the compiler tells the scheduler: bits 105 to 125 of an instruction's 128-bit encoding (Volta and later).
struct ControlWord {
  static constexpr std::uint8_t kNoBarrier = 7;

  std::uint8_t stall = 0;                   ///< Bits 105-108: cycles until the warp's next instruction may issue.
  bool yield = false;                       ///< Bit 109, as encoded: clear asks for a switch to another warp.
  std::uint8_t write_barrier = kNoBarrier;  ///< Bits 110-112: scoreboard held until the result is written.
  std::uint8_t read_barrier = kNoBarrier;   ///< Bits 113-115: scoreboard held until the operands are read.
  std::uint8_t wait_mask = 0;               ///< Bits 116-121: scoreboards that must be clear before issue.
  std::uint8_t reuse = 0;                   ///< Bits 122-125: operands kept in the register reuse cache.
};

/// The control word of an encoding whose upper 64 bits are `high`.
ControlWord decode_control_word(std::uint64_t high);

/// The bits of `word`, in place in an encoding's upper half; the inverse of decode_control_word().
std::uint64_t encode_control_word(const ControlWord& word);

}  // namespace gputlm
