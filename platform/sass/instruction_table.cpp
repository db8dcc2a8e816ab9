// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/instruction_table.h"

#include <algorithm>
#include <sstream>

namespace gputlm {
namespace {

using Kind = SassOperand::Kind;

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  std::vector<std::string> list;
  for (std::string word; in >> word;) list.push_back(word);
  return list;
}

bool is_predicate(const SassOperand& o) {
  return o.kind == Kind::predicate || o.kind == Kind::uniform_predicate;
}

bool is_value(const SassOperand& o) {
  return o.kind == Kind::reg || o.kind == Kind::uniform || o.kind == Kind::constant || o.kind == Kind::integer ||
         o.kind == Kind::decimal;
}

/// Takes the operand for the purpose that `letter` names; false: it is something else.
bool take_operand(char letter, const SassOperand& o, Operands& taken) {
  switch (letter) {
    case 'd':
      if (o.kind != Kind::reg && o.kind != Kind::uniform) return false;
      taken.d.emplace_back(o);
      return true;
    case 'p':
      if (!is_predicate(o) || o.negated) return false;
      taken.p.push_back(predicate_index(o));
      return true;
    case 's':
      if (!is_value(o)) return false;
      taken.s.emplace_back(o);
      return true;
    case 'q':
      if (!is_predicate(o)) return false;
      taken.q.push_back({predicate_index(o), o.negated});
      return true;
    case 'i':
      if (o.kind != Kind::integer) return false;
      taken.i.push_back(o.value);
      return true;
    case 'a':
      if (o.kind != Kind::address) return false;
      taken.address = &o;
      return true;
    case 'b':
      if (o.kind != Kind::barrier) return false;
      taken.barrier = o.index;
      return true;
    case 'x':
      if (o.kind != Kind::special) return false;
      taken.special = o.text;
      return true;
    default:
      if (o.kind != Kind::scoreboard) return false;
      taken.barrier = o.index;
      return true;
  }
}

bool take_operands(const InstructionRow& row, const SassInstruction& i, Operands& taken) {
  std::size_t next = 0;
  for (const std::string& letter : words(row.operands)) {
    const bool there = next < i.operands.size() && take_operand(letter[0], i.operands[next], taken);
    if (there) ++next;
    if (!there && letter.size() == 1) return false;
  }
  return next == i.operands.size();
}

/// The first modifier that the row does not know; empty: none.
std::string unknown_modifier(const InstructionRow& row, const SassInstruction& i) {
  const std::vector<std::string> known = words(row.modifiers);
  for (const std::string& m : i.modifiers)
    if (std::find(known.begin(), known.end(), m) == known.end()) return m;
  return {};
}

}  // namespace

const std::vector<InstructionFamily>& instruction_families() {
  static const std::vector<InstructionFamily> families{
      {"Integer arithmetic", &integer_rows()},
      {"Logic, shifts, moves", &logic_rows()},
      {"Single precision", &float_rows()},
      {"Half precision", &half_rows()},
      {"Double precision", &double_rows()},
      {"Conversions", &conversion_rows()},
      {"Across lanes", &lane_rows()},
      {"Special registers and hints", &special_rows()},
      {"Shared, local and constant memory", &near_memory_rows()},
      {"Global and generic memory", &memory_rows()},
      {"Control flow", &flow_rows()},
  };
  return families;
}

BoundInstruction bind_instruction(const SassInstruction& instruction) {
  std::string reason = "this opcode is not supported";
  for (const InstructionFamily& family : instruction_families()) {
    for (const InstructionRow& row : *family.rows) {
      if (instruction.opcode != row.opcode) continue;
      Operands taken;
      if (const std::string modifier = unknown_modifier(row, instruction); !modifier.empty()) {
        reason = "." + modifier + " is not supported for " + row.opcode;
        continue;
      }
      if (!take_operands(row, instruction, taken)) {
        reason = std::string("these operands are not supported for ") + row.opcode;
        continue;
      }
      BoundInstruction bound;
      bound.latency = row.latency;
      row.bind(instruction, taken, bound);
      return bound;
    }
  }
  throw Unsupported(reason);
}

}  // namespace gputlm
