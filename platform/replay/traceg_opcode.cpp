// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/traceg_opcode.h"

#include <algorithm>
#include <optional>

#include "gputlm/replay/trace_words.h"
#include "gputlm/sass/instruction_table.h"
#include "gputlm/sass/lane_bytes.h"
#include "gputlm/sass/memory_order.h"

namespace gputlm {
namespace {

using Kind = TracegOpcode::Kind;

bool is_one_of(const std::string& opcode, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), opcode) != names.end();
}

/// Opcode and modifiers, as a listing's instruction has them.
std::optional<SassInstruction> split(std::string_view text) {
  constexpr std::size_t kLongest = 64;
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.";
  if (text.size() > kLongest || text.find_first_not_of(kLetters) != std::string_view::npos) return std::nullopt;
  SassInstruction i;
  std::size_t dot = text.find('.');
  i.opcode = std::string(text.substr(0, dot));
  while (dot != std::string_view::npos) {
    text.remove_prefix(dot + 1);
    dot = text.find('.');
    i.modifiers.emplace_back(text.substr(0, dot));
  }
  if (i.opcode.empty() || i.opcode[0] < 'A' || i.opcode[0] > 'Z') return std::nullopt;
  return i;
}

Kind kind_of(const SassInstruction& i) {
  const std::string& o = i.opcode;
  if (is_one_of(o, {"LDG", "STG", "ATOMG", "RED"})) return Kind::global;
  if (is_one_of(o, {"LD", "ST", "ATOM"})) return Kind::generic;
  if (o == "LDGSTS") return Kind::async_copy;
  if (is_one_of(o, {"LDS", "STS", "ATOMS", "LDSM", "STSM", "LDL", "STL"})) return Kind::on_chip;
  if (o == "LDGDEPBAR") return Kind::close_group;
  if (o == "DEPBAR") return Kind::await_groups;
  if (o == "MEMBAR") return Kind::fence;
  if (o == "CCTL" && i.has("IVALL")) return Kind::invalidate;
  if (o == "BAR" && !i.has("ARV")) return Kind::barrier;
  if (o == "NANOSLEEP") return Kind::sleep;
  return o == "EXIT" ? Kind::exit : Kind::arithmetic;
}

/// The latency that the table for listings has for this opcode.
Latency latency_of(const SassInstruction& i) {
  if (is_one_of(i.opcode, {"LDSM", "STSM"})) return Latency::shared;
  for (const InstructionFamily& family : instruction_families())
    for (const InstructionRow& row : *family.rows)
      if (i.opcode == row.opcode) return row.latency;
  return Latency::fixed;
}

void set_pipe(const SassInstruction& i, TracegOpcode& t) {
  t.latency = latency_of(i);
  if (i.opcode.size() > 3 && i.opcode.compare(i.opcode.size() - 3, 3, "MMA") == 0)
    t.pipe = TracegOpcode::Pipe::tensor;
  else if (t.latency != Latency::fixed)
    t.pipe = TracegOpcode::Pipe::timed;
}

/// Pairs and quads: a trace names the first register only.
void set_registers(const SassInstruction& i, TracegOpcode& t) {
  const auto words = [](unsigned bytes) { return static_cast<std::uint8_t>(std::max(1U, bytes / 4)); };
  if (t.bytes != 0) {
    t.result_registers = words(t.bytes);
    t.source_registers = std::max<std::uint8_t>(t.kind == Kind::on_chip ? 1 : 2, t.result_registers);
  } else if (t.pipe == TracegOpcode::Pipe::tensor) {
    t.result_registers = t.source_registers = 4;
  } else if (i.has("WIDE") || i.has("64") || i.has("F64") || t.latency == Latency::fp64) {
    t.result_registers = t.source_registers = 2;
  }
}

/// None: it is not known.
std::optional<AtomicFunction> function_of(const SassInstruction& i) {
  try {
    const AtomicFunction function = atomic_function(i);
    // L2 has no packed halves; what they cost is that of any function on four bytes.
    return i.has("F16x2") || i.has("BF16x2") ? AtomicFunction::add : function;
  } catch (const Unsupported&) {
    return std::nullopt;
  }
}

/// What is wrong with it; empty: nothing.
std::string set_access(const SassInstruction& i, TracegOpcode& t) {
  const bool atomic = begins(i.opcode, "ATOM"), reduction = i.opcode == "RED";
  const bool store = begins(i.opcode, "ST");
  const Operation operation = atomic      ? Operation::atomic
                              : reduction ? Operation::reduction
                              : store     ? Operation::store
                                          : Operation::load;
  t.access = access_instruction(i, operation);
  t.bytes = atomic || reduction ? atomic_width(i).bytes : access_width(i).bytes;
  if (!atomic && !reduction) return {};
  // Volta and Turing write .SYS behind accesses that are ordered at no scope; an atomic is never weaker than relaxed.
  t.access.semantics = Semantics::relaxed;
  if (!i.has("SYS") && !i.has("STRONG")) t.access.scope = Scope::gpu;
  if (!t.leaves_sm()) return {};
  const auto function = function_of(i);
  if (!function) return "the atomic's function is none of ADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH, CAS, CAST";
  t.access.function = *function;
  return t.bytes == 4 || t.bytes == 8 ? "" : "an atomic is of 4 or 8 bytes";
}

std::string fill(const SassInstruction& i, TracegOpcode& t) {
  t.kind = kind_of(i);
  set_pipe(i, t);
  std::string problem;
  if (t.leaves_sm() || t.kind == Kind::on_chip) problem = set_access(i, t);
  if (t.kind == Kind::fence) t.access = membar_instruction(i);
  if (t.kind == Kind::invalidate) t.access = invalidate_instruction();
  set_registers(i, t);
  return problem;
}

}  // namespace

const TracegOpcode* TracegOpcodes::find(std::string_view text, std::string& problem) {
  if (const auto known = numbers_.find(text); known != numbers_.end()) return &opcodes_[known->second];
  const auto instruction = split(text);
  if (!instruction) {
    problem = "not an opcode";
    return nullptr;
  }
  // Bulk copies have address lists of their own.
  if (begins(instruction->opcode, "UTMA") || begins(instruction->opcode, "UBLK")) {
    problem = "Hopper's bulk copies are not modelled";
    return nullptr;
  }
  if (opcodes_.size() == kMost) {
    problem = "more than 4096 different opcodes";
    return nullptr;
  }
  TracegOpcode opcode;
  opcode.text = std::string(text);
  problem = fill(*instruction, opcode);
  if (!problem.empty()) return nullptr;
  numbers_.emplace(opcode.text, static_cast<std::uint16_t>(opcodes_.size()));
  opcodes_.push_back(std::move(opcode));
  return &opcodes_.back();
}

}  // namespace gputlm
