// SPDX-License-Identifier: Apache-2.0
//
// What an opcode of a trace means to the model: where its access goes and in which order, how long a result takes.
// Order, widths, functions and latencies are those of the instruction table for listings (platform/sass); what that
// table lacks counts as arithmetic.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "gputlm/sass/bound_instruction.h"

namespace gputlm {

struct TracegOpcode {
  enum class Kind : std::uint8_t {
    arithmetic,    ///< Anything that stays in the SM and has no memory operand that counts.
    on_chip,       ///< Shared and local memory.
    global,        ///< LDG, STG, ATOMG, RED
    generic,       ///< LD, ST, ATOM: the address says which memory.
    async_copy,    ///< LDGSTS: a load that ends in shared memory.
    close_group,   ///< LDGDEPBAR: the copies before it are a group.
    await_groups,  ///< DEPBAR: all but the last N groups have arrived.
    fence,         ///< MEMBAR
    invalidate,    ///< CCTL.IVALL
    barrier,       ///< BAR.SYNC, BAR.RED
    sleep,         ///< NANOSLEEP
    exit
  };
  enum class Pipe : std::uint8_t { main, tensor, timed };

  std::string text;
  Kind kind = Kind::arithmetic;
  WarpInstruction access;             ///< global, generic, async_copy, fence, invalidate
  std::uint8_t bytes = 0;             ///< Per lane; 0: no access.
  Pipe pipe = Pipe::main;             ///< Of what stays in the SM.
  Latency latency = Latency::fixed;   ///< pipe == timed
  std::uint8_t result_registers = 1;  ///< From the destination on.
  std::uint8_t source_registers = 1;  ///< From each source on.

  bool leaves_sm() const { return kind == Kind::global || kind == Kind::generic || kind == Kind::async_copy; }
  bool has_result() const { return access.operation == Operation::load || access.operation == Operation::atomic; }
};

/// The opcodes met so far, each once.
class TracegOpcodes {
 public:
  /// A trace of real code has some hundred.
  static constexpr std::size_t kMost = 4096;

  /// Null, and why, when the text is no opcode or one that the model cannot take. Valid as long as the table.
  const TracegOpcode* find(std::string_view text, std::string& problem);
  /// By the order in which they were met.
  std::uint16_t index_of(const TracegOpcode& opcode) const { return numbers_.find(opcode.text)->second; }
  const TracegOpcode& operator[](std::uint16_t index) const { return opcodes_[index]; }

 private:
  std::deque<TracegOpcode> opcodes_;
  std::map<std::string, std::uint16_t, std::less<>> numbers_;
};

}  // namespace gputlm
