// SPDX-License-Identifier: Apache-2.0
//
// The one place that says which instructions there are and what each does: rows of opcode, modifiers, operands and a
// function that makes the instruction ready to run. docs/sass.md lists the rows; a test compares.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/sass/bound_instruction.h"

namespace gputlm {

/// An instruction the table does not cover; what() says which part of it.
class Unsupported : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Operands sorted by what they are for.
struct Operands {
  std::vector<Destination> d;      ///< Registers written.
  std::vector<unsigned> p;         ///< Predicates written.
  std::vector<Source> s;           ///< Values read.
  std::vector<PredicateSource> q;  ///< Predicates read.
  std::vector<std::int64_t> i;     ///< Numbers that are part of the instruction.
  const SassOperand* address = nullptr;
  unsigned barrier = 0;  ///< Convergence barrier or scoreboard.
  std::string special;
};

/// One instruction, or one form of it.
struct InstructionRow {
  const char* opcode;
  const char* modifiers;  ///< Those that may stand after the opcode.
  /// Operands in order: d register written, p predicate written, s value read, q predicate read, i number, a address,
  /// b convergence barrier, x special register, k scoreboard; `?`: may be left out.
  const char* operands;
  const char* does;  ///< For people.
  Latency latency;
  void (*bind)(const SassInstruction&, const Operands&, BoundInstruction&);
};

/// Rows of one family.
struct InstructionFamily {
  const char* name;
  const std::vector<InstructionRow>* rows;
};

const std::vector<InstructionFamily>& instruction_families();

/// Makes an instruction ready to run. Throws Unsupported.
BoundInstruction bind_instruction(const SassInstruction& instruction);

// The families.
const std::vector<InstructionRow>& integer_rows();
const std::vector<InstructionRow>& logic_rows();
const std::vector<InstructionRow>& float_rows();
const std::vector<InstructionRow>& half_rows();
const std::vector<InstructionRow>& double_rows();
const std::vector<InstructionRow>& conversion_rows();
const std::vector<InstructionRow>& lane_rows();
const std::vector<InstructionRow>& special_rows();
const std::vector<InstructionRow>& near_memory_rows();
const std::vector<InstructionRow>& memory_rows();
const std::vector<InstructionRow>& flow_rows();

}  // namespace gputlm
