// SPDX-License-Identifier: Apache-2.0
//
// Traces of one access a line, the plain ones and mem_trace's. What is accepted can be run: its lanes lie in memory,
// aligned. The lenient reading comes to an end whatever stands in the file, and finds what the strict one finds.
#include <memory>
#include <stdexcept>

#include "fuzz_target.h"
#include "gputlm/config/virtual_space.h"
#include "gputlm/replay/text_trace.h"

namespace gputlm {
namespace {

void check(const TextAccess& access) {
  const TracegInstruction& i = access.instruction;
  if (i.opcode == nullptr) throw std::logic_error("an access without an opcode");
  if (!i.addressed || !i.opcode->leaves_sm()) return;
  for (unsigned lane = 0; lane < i.address.size(); ++lane) {
    if ((i.mask >> lane & 1U) == 0) continue;
    const std::uint64_t end = std::uint64_t{1} << kVirtualAddressBits;
    if (i.address[lane] >= end || end - i.address[lane] < i.opcode->bytes)
      throw std::logic_error("a lane outside of memory");
    if (i.opcode->bytes != 0 && i.address[lane] % i.opcode->bytes != 0)
      throw std::logic_error("a lane that is not aligned");
  }
}

/// Accesses that were accepted.
std::uint64_t read(const std::string& text, bool lenient) {
  TracegOpcodes opcodes;
  Damage damage(lenient);
  TextTraceReader reader(std::make_unique<TraceLines>("fuzz.txt", trace_text(text)), opcodes, damage);
  TextAccess access;
  std::uint64_t accepted = 0;
  for (; reader.next(access); ++accepted) check(access);
  damage.throw_if_strict();
  return accepted;
}

}  // namespace
}  // namespace gputlm

void gputlm::fuzz(const std::string& text) {
  const std::uint64_t accepted = read(text, true);
  if (read(text, false) != accepted) throw std::logic_error("the lenient reading skipped what is right");
}
