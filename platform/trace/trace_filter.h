// SPDX-License-Identifier: Apache-2.0
//
// Which transactions a recording keeps: `sm==3 && op==store && address>=0x7f4000000000`.
//
//     expression  all { "||" all }          all   not { "&&" not }
//     not         "!" not | "(" expression ")" | FIELD COMPARISON VALUE
//
// Comparisons are == != < <= > >=; `unit`, `op` and `kind` take names and know == and != only. A transaction that lacks
// a field (a write-back comes from no SM) fails every comparison of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/trace/trace_record.h"

namespace gputlm {

class TraceFilter {
 public:
  /// Keeps everything.
  TraceFilter() = default;
  /// Throws ConfigError with the column, what was found and what is allowed there.
  static TraceFilter parse(const std::string& text, const std::string& option);

  /// Of a transaction's hop at this unit.
  bool keeps(const TraceTransaction& transaction, TraceUnit unit) const;

 private:
  friend class TraceFilterReader;
  enum class Field : std::uint8_t { unit, sm, warp, kernel, cta, instruction, address, line, bytes, op, kind };
  enum class Comparison : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
  enum class Step : std::uint8_t { compare, negate, both, either };
  /// In postfix order, for a stack of truth values.
  struct Instruction {
    Step step = Step::compare;
    Field field = Field::unit;
    Comparison comparison = Comparison::equal;
    std::uint64_t number = 0;
    std::string name;
  };

  static bool holds(const Instruction& i, const TraceTransaction& t, TraceUnit unit);

  std::vector<Instruction> program_;
};

}  // namespace gputlm
