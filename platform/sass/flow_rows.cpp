// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/binding.h"

namespace gputlm {
namespace {

using Flow = FlowForm::Kind;

FlowForm& flow(BoundInstruction& b, Flow kind) {
  b.kind = BoundInstruction::Kind::flow;
  b.flow.kind = kind;
  return b.flow;
}

// Two predicates must hold: the guard and the operand.
void bind_bra(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  FlowForm& f = flow(b, Flow::branch);
  const bool by_mask = i.has("DIV") || i.has("CONV");
  if (o.s.size() != (by_mask ? 2U : 1U)) throw Unsupported("these operands are not supported for BRA");
  if (by_mask) {
    f.kind = i.has("DIV") ? Flow::branch_diverged : Flow::branch_converged;
    f.source = o.s[0];
  }
  f.target = static_cast<std::uint32_t>(o.s.back().value());
  if (!o.q.empty()) f.condition = o.q[0];
}

// The program keeps return addresses itself. With a register, the target counts from what it holds.
void bind_call(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (!i.has("REL")) throw Unsupported("only relative calls and returns are supported");
  FlowForm& f = flow(b, o.s.size() == 2 ? Flow::indirect : Flow::branch);
  f.source = o.s[0];
  f.target = static_cast<std::uint32_t>(o.s.back().value());
  if (f.kind == Flow::branch && i.opcode == "RET") throw Unsupported("a return without a register is not supported");
}

void bind_exit(const SassInstruction&, const Operands&, BoundInstruction& b) {
  flow(b, Flow::exit);
}

void bind_bssy(const SassInstruction&, const Operands& o, BoundInstruction& b) {
  flow(b, Flow::open).barrier = o.barrier;
}

void bind_bsync(const SassInstruction&, const Operands& o, BoundInstruction& b) {
  flow(b, Flow::meet).barrier = o.barrier;
}

void bind_break(const SassInstruction&, const Operands& o, BoundInstruction& b) {
  FlowForm& f = flow(b, Flow::leave);
  f.barrier = o.barrier;
  if (!o.q.empty()) f.condition = o.q[0];
}

// Without a mask: all lanes.
void bind_warpsync(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  SassOperand all;
  all.value = -1;
  if (o.s.empty() && !i.has("ALL")) throw Unsupported("WARPSYNC without a mask");
  flow(b, Flow::meet_mask).source = o.s.empty() ? Source(all) : o.s[0];
}

void bind_bmov(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  FlowForm& f = flow(b, o.d.empty() ? Flow::restore : Flow::save);
  f.barrier = o.barrier;
  f.clear = i.has("CLEAR");
  if (o.d.empty())
    f.source = o.s.at(0);
  else
    f.destination = o.d[0];
}

void bind_yield(const SassInstruction&, const Operands&, BoundInstruction& b) {
  flow(b, Flow::yield);
}

void bind_nanosleep(const SassInstruction&, const Operands& o, BoundInstruction& b) {
  flow(b, Flow::sleep).source = o.s[0];
}

void bind_bar(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  using Reduction = BarrierForm::Reduction;
  b.kind = BoundInstruction::Kind::barrier;
  BarrierForm& f = b.barrier;
  f.number = o.s[0];
  if (o.s.size() > 1) f.threads = o.s[1];
  f.waits = !i.has("ARV");
  if (!i.has("RED")) return;
  f.reduction = i.has("POPC") ? Reduction::popc : i.has("AND") ? Reduction::all : Reduction::any;
  if (o.q.empty()) throw Unsupported("BAR.RED without a predicate");
  f.value = o.q[0];
}

}  // namespace

const std::vector<InstructionRow>& flow_rows() {
  static const std::vector<InstructionRow> rows{
      {"BRA", "DIV CONV U", "q? s s?", "branch; .DIV: when a lane of the mask is not here, .CONV: when all are",
       Latency::fixed, bind_bra},
      {"CALL", "REL NOINC", "s s?", "branch to a function; the return address is in a register", Latency::fixed,
       bind_call},
      {"RET", "REL NODEC", "s s?", "branch to the address in a pair", Latency::fixed, bind_call},
      {"EXIT", "", "", "ends the threads", Latency::fixed, bind_exit},
      {"BSSY", "", "b s", "opens a convergence barrier for the lanes here", Latency::fixed, bind_bssy},
      {"BSYNC", "", "b", "waits for the barrier's lanes", Latency::fixed, bind_bsync},
      {"BREAK", "", "q? b", "leaves a barrier", Latency::fixed, bind_break},
      {"WARPSYNC", "ALL", "s?", "waits for the mask's lanes", Latency::fixed, bind_warpsync},
      {"BMOV", "32 CLEAR", "d b", "a convergence barrier to a register", Latency::fixed, bind_bmov},
      {"BMOV", "32", "b s", "a register to a convergence barrier", Latency::fixed, bind_bmov},
      {"YIELD", "", "", "lets the warp's other lanes run", Latency::fixed, bind_yield},
      {"NANOSLEEP", "", "s", "waits", Latency::fixed, bind_nanosleep},
      {"BAR", "SYNC ARV RED POPC AND OR DEFER_BLOCKING", "s s? q?", "barrier of the CTA, .RED: with a reduction",
       Latency::fixed, bind_bar},
  };
  return rows;
}

}  // namespace gputlm
