// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/register_marks.h"

#include <algorithm>

namespace gputlm {
namespace {

/// Registers from `first` on, RZ left out.
template <class Visit>
void for_each_of(std::uint8_t first, unsigned count, Visit visit) {
  if (first == TracegInstruction::kNoRegister) return;
  const unsigned end = std::min<unsigned>(first + count, TracegInstruction::kNoRegister);
  for (unsigned r = first; r < end; ++r) visit(r);
}

}  // namespace

// What is read, and what is written: a result must not overtake the one before it.
template <class Visit>
void RegisterMarks::for_each_register(const TracegInstruction& i, Visit visit) {
  for (const std::uint8_t source : i.sources) for_each_of(source, i.opcode->source_registers, visit);
  for_each_of(i.destination, i.opcode->result_registers, visit);
}

std::uint8_t RegisterMarks::wait_for(const TracegInstruction& i) {
  unsigned waits = 0;
  for_each_register(i, [&](unsigned r) {
    if (pending(registers_[r])) waits |= 1U << registers_[r].scoreboard;
  });
  for (unsigned s = 0; s < last_use_.size(); ++s) {
    if ((waits >> s & 1U) == 0) continue;
    ++last_use_[s].round;
    last_use_[s].marked = 0;
  }
  return static_cast<std::uint8_t>(waits);
}

double RegisterMarks::ready(const TracegInstruction& i) const {
  double when = 0;
  for_each_register(i, [&](unsigned r) { when = std::max(when, registers_[r].ready); });
  return when;
}

void RegisterMarks::set_ready(const TracegInstruction& i, double when) {
  for_each_of(i.destination, i.opcode->result_registers, [&](unsigned r) {
    registers_[r].ready = when;
    registers_[r].scoreboard = kNone;
  });
}

std::uint8_t RegisterMarks::mark(const TracegInstruction& i) {
  const auto longest = std::min_element(last_use_.begin(), last_use_.end(),
                                        [](const Use& a, const Use& b) { return a.marked < b.marked; });
  const auto scoreboard = static_cast<std::uint8_t>(longest - last_use_.begin());
  longest->marked = ++marks_;
  for_each_of(i.destination, i.opcode->result_registers, [&](unsigned r) {
    registers_[r] = {0, longest->round, scoreboard};
  });
  return scoreboard;
}

}  // namespace gputlm
