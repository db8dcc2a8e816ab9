// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/warp_recording.h"

#include <algorithm>
#include <cmath>

#include "gputlm/replay/opcode_text.h"
#include "gputlm/tlm/sideband.h"

namespace gputlm {
namespace {

constexpr std::uint8_t kAddressRegister = 2, kDataRegister = 4, kFirstResult = 8, kResultRegisters = 4;
/// A control word can hold an instruction back for so many cycles; what is longer is a sleep.
constexpr double kLongestStall = 15;

std::uint8_t result_register(unsigned scoreboard) {
  return static_cast<std::uint8_t>(kFirstResult + kResultRegisters * scoreboard);
}

bool releases(Semantics s) {
  return s == Semantics::release || s == Semantics::acq_rel || s == Semantics::seq_cst;
}

bool acquires(Semantics s) {
  return s == Semantics::acquire || s == Semantics::acq_rel || s == Semantics::seq_cst;
}

}  // namespace

// Registers that are waited for stand behind the instruction's own; what finds no room is waited for ahead of it.
WarpRecording::Open& WarpRecording::add(const std::string& opcode, std::uint8_t waits) {
  std::string problem;
  Open o;
  o.instruction.opcode = opcodes_.find(opcode, problem);
  const TracegOpcode& text = *o.instruction.opcode;
  auto* next = o.instruction.sources.begin();
  if (text.leaves_sm()) *next++ = kAddressRegister;
  if (text.leaves_sm() && text.access.operation != Operation::load) *next++ = kDataRegister;
  for (unsigned s = 0; waits >> s != 0 && next != o.instruction.sources.end(); ++s) {
    if ((waits >> s & 1U) == 0) continue;
    *next++ = result_register(s);
    waits &= static_cast<std::uint8_t>(~(1U << s));
  }
  if (waits != 0) add("IADD3", waits);
  o.instruction.pc = kInstructionBytes * added_++;
  o.instruction.mask = lanes_;
  open_.push_back(o);
  return open_.back();
}

void WarpRecording::issue(std::uint32_t index, const WarpInstruction& w) {
  using Kind = WarpInstruction::Kind;
  switch (w.kind) {
    case Kind::memory:
      issue_access(index, w);
      break;
    case Kind::fence:
      add(fence_opcode(w.semantics, w.scope), w.wait_scoreboards);
      break;
    case Kind::cta_barrier:
      add(w.barrier_waits ? "BAR.SYNC.DEFER_BLOCKING" : "BAR.ARV", w.wait_scoreboards);
      break;
    case Kind::compute:
      if (w.set_scoreboard != kNoScoreboard) {
        add("MUFU.RCP", w.wait_scoreboards).instruction.destination = result_register(w.set_scoreboard);
      } else if (w.stall_cycles > kLongestStall) {
        add("NANOSLEEP", w.wait_scoreboards).instruction.immediate =
            static_cast<std::uint64_t>(std::llround(w.stall_cycles / clock_hz_ * 1e9));
      } else {
        add("IADD3", w.wait_scoreboards);
      }
      break;
    case Kind::exit:
      add("EXIT", w.wait_scoreboards);
      ended_ = true;
      break;
  }
  flush();
}

// As compilers write them: a release is a fence ahead of the access, an acquire an invalidate behind it.
void WarpRecording::issue_access(std::uint32_t index, const WarpInstruction& w) {
  const bool returns = w.operation == Operation::load || w.operation == Operation::atomic;
  if (w.operation != Operation::load && releases(w.semantics))
    add(fence_opcode(w.semantics == Semantics::seq_cst ? w.semantics : Semantics::acq_rel, w.scope),
        w.wait_scoreboards);
  // Who writes a register waits for it anyway. Its width is known when its addresses are.
  const bool marks = returns && w.set_scoreboard != kNoScoreboard;
  const unsigned own = marks ? 1U << w.set_scoreboard : 0;
  Open& o = add(access_opcode(w, 4), static_cast<std::uint8_t>(w.wait_scoreboards & ~own));
  o.access = w;
  o.index = index;
  o.complete = false;
  if (marks) o.instruction.destination = result_register(w.set_scoreboard);
  if (returns && acquires(w.semantics)) add(fence_opcode(Semantics::acquire, w.scope), 0);
}

void WarpRecording::answer(std::uint32_t index, const Payload& access) {
  const auto found =
      std::find_if(open_.begin(), open_.end(), [&](const Open& o) { return !o.complete && o.index == index; });
  if (found == open_.end()) return;
  const WarpLanes& lanes = *find_sideband(access)->lanes;
  std::string problem;
  TracegInstruction& i = found->instruction;
  i.opcode = opcodes_.find(access_opcode(found->access, lanes.lane_bytes), problem);
  i.mask = lanes.active;
  for (unsigned lane = 0; lane < kLanes; ++lane) i.address[lane] = lanes.at(lane);
  i.addressed = true;
  found->complete = true;
  flush();
}

void WarpRecording::flush() {
  for (; !open_.empty() && open_.front().complete; open_.pop_front()) {
    tape_.write(open_.front().instruction);
    ++written_;
  }
}

}  // namespace gputlm
