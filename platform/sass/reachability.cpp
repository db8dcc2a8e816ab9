// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/sass_code.h"

namespace gputlm {
namespace {

/// Where an instruction may lead.
struct Ways {
  bool next = true;
  bool everywhere = false;
  const SassOperand* target = nullptr;
};

Ways ways_of(const SassInstruction& i) {
  using Kind = SassOperand::Kind;
  const bool guarded = i.guard != kTruePredicate || i.guard_negated;
  const bool immediate = !i.operands.empty() && i.operands.back().kind == Kind::integer;
  const bool indirect = !i.operands.empty() && i.operands.front().kind == Kind::reg;
  Ways ways;
  if (i.opcode == "EXIT") ways.next = guarded;
  if (i.opcode == "RET") ways.next = guarded;
  if (i.opcode == "BRA") {
    ways.next = guarded || i.operands.size() > 1;
    if (immediate) ways.target = &i.operands.back();
  }
  if (i.opcode == "CALL") {
    ways.everywhere = indirect || !immediate;
    if (!ways.everywhere) ways.target = &i.operands.back();
  }
  if (i.opcode == "BRX" || i.opcode == "JMX" || i.opcode == "JMP") ways.everywhere = true;
  return ways;
}

}  // namespace

std::vector<bool> reachable_instructions(const SassKernel& kernel) {
  std::vector<bool> reached(kernel.instructions.size());
  std::vector<std::size_t> open{0};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if (at >= reached.size() || reached[at]) continue;
    reached[at] = true;
    const Ways ways = ways_of(kernel.instructions[at]);
    if (ways.everywhere) {
      reached.assign(reached.size(), true);
      return reached;
    }
    if (ways.next) open.push_back(at + 1);
    if (ways.target != nullptr) open.push_back(static_cast<std::size_t>(ways.target->value) / kInstructionBytes);
  }
  return reached;
}

}  // namespace gputlm
