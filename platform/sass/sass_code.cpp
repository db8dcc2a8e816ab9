// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/sass_code.h"

#include <algorithm>

#include "gputlm/config/diagnostics.h"
#include "gputlm/sass/instruction_table.h"

namespace gputlm {
namespace {

using Kind = SassOperand::Kind;

/// The bank that an operand reads and nobody has given; none: all are there.
const SassOperand* missing_bank(const SassInstruction& i, const std::vector<unsigned>& banks) {
  for (const SassOperand& o : i.operands)
    if (o.kind == Kind::constant && o.index != 0 && std::find(banks.begin(), banks.end(), o.index) == banks.end())
      return &o;
  return nullptr;
}

/// Registers that an operand takes by the instruction's modifiers.
unsigned words_of(const SassInstruction& i, std::size_t operand) {
  constexpr std::size_t kAddend = 3;  // IMAD.WIDE: the product's pair, two words, and a pair
  if (i.has("128")) return 4;
  if (i.has("64")) return 2;
  return i.has("WIDE") && (operand == 0 || operand == kAddend) ? 2 : 1;
}

/// An operand, or an address, of several registers that reach past the last one.
bool has_torn_operand(const SassInstruction& i) {
  for (std::size_t n = 0; n < i.operands.size(); ++n) {
    const SassOperand& o = i.operands[n];
    const unsigned zero = o.kind == Kind::uniform ? kUniformZeroRegister : kZeroRegister;
    const bool is_register = o.kind == Kind::reg || o.kind == Kind::uniform;
    if (is_register && o.index != zero && o.index + words_of(i, n) > zero) return true;
    if (o.wide && o.base != kZeroRegister && o.base + 2U > kZeroRegister) return true;
  }
  return false;
}

BoundInstruction nothing() {
  BoundInstruction b;
  b.run = [](WarpState&, LaneMask) {};
  return b;
}

bool moves_control(const BoundInstruction& b) {
  return b.kind == BoundInstruction::Kind::flow || b.kind == BoundInstruction::Kind::barrier;
}

}  // namespace

SassCode::SassCode(const SassListing& listing, const SassKernel& kernel, const std::vector<unsigned>& banks)
    : file_(listing.file), kernel_(kernel.name), listing_(kernel.instructions) {
  const std::vector<bool> reached = reachable_instructions(kernel);
  Diagnostics diagnostics;
  for (std::size_t n = 0; n < listing_.size(); ++n) {
    const SassInstruction& i = listing_[n];
    code_.emplace_back();
    supported_.push_back(true);
    auto report = [&](const std::string& message, std::string allowed) {
      supported_[n] = false;
      if (reached[n]) diagnostics.add(Place{file_, i.line, 1}, kernel_, message, i.text, std::move(allowed));
    };
    try {
      code_.back() = bind_instruction(i);
    } catch (const Unsupported& e) {
      report(i.opcode + ": " + e.what(), "the instructions of docs/sass.md");
    }
    if (has_torn_operand(i))
      report(i.opcode + ": registers that reach past the last one", "up to R254 and UR62, all words of an operand");
    if (missing_bank(i, banks) != nullptr)
      report(i.opcode + ": a constant bank that the listing does not contain",
             "bank 0, or banks given with the launch");
  }
  diagnostics.throw_if_any();
  merge_invalidates();
  measure();
}

// The compiler writes a fence or an acquire as two or three instructions: a fence or a strong load, and CCTL.IVALL,
// which drops this SM's L1 lines. In the model the fence invalidates by itself, and so does an acquire load or atomic:
// what stands ahead of CCTL.IVALL takes its task over, so that nothing can come between the two.
void SassCode::merge_invalidates() {
  for (std::size_t n = 0; n < code_.size(); ++n) {
    if (listing_[n].opcode != "CCTL" || !listing_[n].has("IVALL")) continue;
    for (std::size_t before = n; before-- > 0 && !moves_control(code_[before]);) {
      BoundInstruction& b = code_[before];
      const bool fence = b.kind == BoundInstruction::Kind::fence && listing_[before].opcode == "MEMBAR";
      const bool memory = b.kind == BoundInstruction::Kind::memory;
      if (!fence && !memory) continue;
      WarpInstruction& access = b.memory.access;
      const bool acquires = memory && access.operation != Operation::store &&
                            access.operation != Operation::reduction && access.semantics != Semantics::weak;
      if (acquires) access.semantics = Semantics::acquire;
      if (fence || acquires) code_[n] = nothing();
      break;
    }
  }
}

void SassCode::measure() {
  unsigned highest = 0;
  for (const SassInstruction& i : listing_) {
    for (const SassOperand& o : i.operands) {
      if (o.kind == Kind::reg && o.index != kZeroRegister) highest = std::max<unsigned>(highest, o.index + 1U);
      if (o.base != kZeroRegister) highest = std::max<unsigned>(highest, o.base + (o.wide ? 2U : 1U));
      if (o.kind != Kind::constant || o.index != 0 || o.value < kParameterOffset) continue;
      const unsigned bytes = i.has("64") || i.has("WIDE") || i.opcode[0] == 'D' ? 8 : 4;
      parameter_bytes_ = std::max(parameter_bytes_, static_cast<std::uint32_t>(o.value) + bytes - kParameterOffset);
    }
  }
  registers_ = highest;
}

}  // namespace gputlm
