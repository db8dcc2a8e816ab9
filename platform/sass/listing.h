// SPDX-License-Identifier: Apache-2.0
//
// A `cuobjdump -sass` listing as data: kernels, their instructions, operands in typed form, control words. What an
// instruction does is not known here (instruction_table.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/sass/control_word.h"

namespace gputlm {

inline constexpr unsigned kZeroRegister = 255;        ///< RZ
inline constexpr unsigned kUniformZeroRegister = 63;  ///< URZ
inline constexpr unsigned kTruePredicate = 7;         ///< PT and UPT
inline constexpr std::uint32_t kInstructionBytes = 16;

/// One operand as written.
struct SassOperand {
  enum class Kind : std::uint8_t {
    reg,                ///< R0..R254, RZ
    uniform,            ///< UR0..UR62, URZ
    predicate,          ///< P0..P6, PT
    uniform_predicate,  ///< UP0..UP6, UPT
    constant,           ///< c[bank][base + offset]
    integer,            ///< 0x10, -0x1
    decimal,            ///< 1, 0.5, +INF, -QNAN: a floating-point number of the instruction's format
    address,            ///< [base.64 + uniform + offset]
    barrier,            ///< B0..B15
    special,            ///< SR_TID.X, SRZ, PR
    scoreboard,         ///< SB0..SB5
    other               ///< A word of an instruction that nothing is known of
  };
  /// Which halves of a register an operand of a packed-half instruction names.
  enum class Halves : std::uint8_t { both, low, high };

  Kind kind = Kind::integer;
  std::uint16_t index = 0;  ///< Register, predicate, barrier, scoreboard or constant bank.
  bool negated = false;     ///< -x; a predicate's !p.
  bool absolute = false;    ///< |x|
  bool inverted = false;    ///< ~x
  Halves halves = Halves::both;
  std::uint8_t byte = 0;   ///< .B1 to .B3, .H1: first byte of a narrow operand within its register.
  std::int64_t value = 0;  ///< Integer; offset of an address or a constant.
  double number = 0;       ///< Decimal.
  // address, and a constant with a register in its offset
  std::uint16_t base = kZeroRegister;
  std::uint16_t uniform_base = kUniformZeroRegister;
  bool wide = false;       ///< .64: the base is a register pair.
  std::uint8_t scale = 1;  ///< .X4, .X8, .X16
  std::string text;        ///< As written, for messages and special registers.
};

/// One instruction.
struct SassInstruction {
  std::uint32_t address = 0;  ///< Byte offset in the kernel.
  unsigned line = 0;          ///< In the listing, from 1.
  std::string text;           ///< As written, without guard and semicolon.
  std::uint8_t guard = kTruePredicate;
  bool guard_negated = false;
  bool guard_uniform = false;
  std::string opcode;  ///< IMAD
  std::vector<std::string> modifiers;
  std::vector<SassOperand> operands;
  ControlWord control;
  std::uint64_t low = 0, high = 0;  ///< The encoding.

  bool has(std::string_view modifier) const;
};

/// One function of a listing.
struct SassKernel {
  std::string name;
  unsigned line = 0;
  std::vector<SassInstruction> instructions;  ///< By address, 16 bytes apart, from 0.
};

/// A listing.
struct SassListing {
  std::string file;
  std::vector<SassKernel> kernels;

  /// Throws ConfigError that names the nearest kernel and lists those there are.
  const SassKernel& kernel(std::string_view name) const;
};

/// Reads a listing; `file` is its name in messages. Throws ConfigError with every mistake: a line that is no
/// instruction, an unknown form of operand, a damaged encoding, a missing second half, an address out of order, a
/// branch to where no instruction stands, a kernel defined twice, no kernel at all.
SassListing parse_listing(std::string_view text, const std::string& file);

/// parse_listing() of a file. Throws ConfigError, too, when it cannot be read.
SassListing read_listing(const std::string& path);

}  // namespace gputlm
