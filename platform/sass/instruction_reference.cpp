// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/instruction_reference.h"

#include <sstream>

#include "gputlm/sass/instruction_table.h"

namespace gputlm {
namespace {

/// A cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  return escaped;
}

const char* name_of(Latency latency) {
  constexpr const char* kNames[] = {
      "stall count",   "shared_cycles",           "shuffle_cycles",  "special_function_cycles",
      "double_cycles", "special_register_cycles", "constant_cycles", "local_cycles"};
  return kNames[static_cast<std::size_t>(latency)];
}

}  // namespace

std::string instruction_reference() {
  std::ostringstream out;
  for (const InstructionFamily& family : instruction_families()) {
    out << (out.tellp() > 0 ? "\n" : "") << "### " << family.name
        << "\n\n| opcode | modifiers | operands | what it does | latency |\n|---|---|---|---|---|\n";
    for (const InstructionRow& row : *family.rows)
      out << "| " << row.opcode << " | " << row.modifiers << " | " << row.operands << " | " << cell(row.does) << " | "
          << name_of(row.latency) << " |\n";
  }
  return out.str();
}

}  // namespace gputlm
