// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/sass_program.h"

#include <algorithm>
#include <utility>

namespace gputlm {

std::string SassFault::text() const {
  return file + ":" + std::to_string(line) + ": kernel " + kernel + ", CTA " + std::to_string(cta) + ", warp " +
         std::to_string(warp) + ": " + reason + " (at " + instruction + ")";
}

SassProgram::SassProgram(const SassContext& context, std::shared_ptr<CtaState> cta, std::uint32_t linear_cta,
                         unsigned warp)
    : context_(context),
      cta_(std::move(cta)),
      linear_cta_(linear_cta),
      state_(context.launch, *cta_, warp, context.code->register_space()),
      convergence_(state_.present, context.launch.spec.spin_patience) {}

WarpInstruction SassProgram::fetch() {
  finish();
  if (!state_.fault.empty()) return end(state_.fault);
  if (fetched_ >= context_.launch.spec.instruction_budget)
    return end("the warp has issued " + std::to_string(fetched_) +
               " instructions, its budget: an endless loop, or a wait for what never comes");
  const WarpInstruction instruction = next_instruction();
  ++fetched_;
  return instruction;
}

// Scoreboards and stall of the control word.
WarpInstruction SassProgram::timed(const BoundInstruction& b) const {
  const ControlWord& control = listed().control;
  WarpInstruction w;
  w.kind = WarpInstruction::Kind::compute;
  w.wait_scoreboards = control.wait_mask | b.waits;
  w.stall_cycles = std::max<double>(1, control.stall);
  return w;
}

WarpInstruction SassProgram::next_instruction() {
  if (convergence_.live() == 0) return {};
  if (convergence_.at_cta_barrier()) {
    if (!barrier_issued_) return pass_barrier();  // the threads that were missing have ended
    barrier_issued_ = false;
    convergence_.cta_released();
  }
  index_ = convergence_.pc() / kInstructionBytes;
  const SassCode& code = *context_.code;
  if (index_ >= code.code().size()) return end("the threads run past the end of the kernel");
  if (!code.supported(index_)) return end("the instruction is not supported");
  const BoundInstruction& b = code.code()[index_];
  lanes_ = convergence_.active() & guarded(index_);
  near_ = 0;
  pending_ = &b;
  WarpInstruction w = timed(b);
  if (lanes_ == 0) return w;
  switch (b.kind) {
    case BoundInstruction::Kind::memory:
      return fetch_memory(b);
    case BoundInstruction::Kind::barrier:
      return fetch_barrier(b);
    case BoundInstruction::Kind::fence:
      w.kind = WarpInstruction::Kind::fence;
      w.operation = Operation::fence;
      w.semantics = b.fence.semantics;
      w.scope = b.fence.scope;
      return w;
    case BoundInstruction::Kind::flow:
      if (b.flow.kind == FlowForm::Kind::exit && lanes_ == convergence_.live()) w.kind = WarpInstruction::Kind::exit;
      if (b.flow.kind == FlowForm::Kind::sleep)
        w.stall_cycles += b.flow.source.word(state_, lowest_lane(lanes_)) * 1e-9 * context_.launch.spec.clock_hz;
      return w;
    case BoundInstruction::Kind::compute:
      break;
  }
  if (listed().control.write_barrier != ControlWord::kNoBarrier) {
    w.set_scoreboard = listed().control.write_barrier;
    w.latency_cycles = latency_cycles(b.latency, context_.launch.spec);
  }
  return w;
}

WarpInstruction SassProgram::fetch_memory(const BoundInstruction& b) {
  WarpInstruction w = timed(b);
  const MemoryForm& form = b.memory;
  if (form.generic) {
    // Which memory is meant shows in the addresses, and they may still be on their way.
    if (w.wait_scoreboards != 0 && !addresses_known_) {
      addresses_known_ = true;
      pending_ = nullptr;
      w.stall_cycles = 1;
      return w;
    }
    addresses_known_ = false;
    for_each_lane_of(lanes_, [&](unsigned l) {
      if (space_of(context_.launch.spec, form.address.address(state_, l)) != Space::global) near_ |= LaneMask{1} << l;
    });
    if (near_ != 0 && form.access.operation != Operation::load && form.access.operation != Operation::store)
      return end("an atomic at a generic address that is not global");
  }
  const std::uint8_t scoreboard =
      listed().control.write_barrier == ControlWord::kNoBarrier ? kNoScoreboard : listed().control.write_barrier;
  if (near_ == lanes_) {
    w.set_scoreboard = scoreboard;
    w.latency_cycles = latency_cycles(Latency::shared, context_.launch.spec);
    return w;
  }
  WarpInstruction access = form.access;
  access.wait_scoreboards = w.wait_scoreboards;
  access.stall_cycles = w.stall_cycles;
  const bool returns = access.operation == Operation::load || access.operation == Operation::atomic;
  access.set_scoreboard = returns ? scoreboard : kNoScoreboard;
  return access;
}

// Threads of a warp that has parted wait for each other ahead of the CTA's barrier.
WarpInstruction SassProgram::fetch_barrier(const BoundInstruction& b) {
  const WarpInstruction w = timed(b);
  const BarrierForm& form = b.barrier;
  const unsigned lane = lowest_lane(lanes_);
  const std::uint32_t number = form.number.word(state_, lane), threads = form.threads.word(state_, lane);
  if (number >= cta_->reductions.size()) return end("barrier " + std::to_string(number) + " of a CTA's 16");
  contribute(form, number);
  convergence_.wait_for_cta(lanes_);
  pending_ = nullptr;
  barrier_ = w;
  barrier_.kind = WarpInstruction::Kind::cta_barrier;
  barrier_.barrier = static_cast<std::uint8_t>(number);
  barrier_.barrier_warps = static_cast<std::uint8_t>((threads + kWarpLanes - 1) / kWarpLanes);
  barrier_.barrier_waits = form.waits;
  return convergence_.at_cta_barrier() ? pass_barrier() : w;
}

WarpInstruction SassProgram::pass_barrier() {
  ++state_.barriers_arrived[barrier_.barrier];
  state_.last_barrier = barrier_.barrier;
  barrier_issued_ = true;
  return barrier_;
}

void SassProgram::contribute(const BarrierForm& form, std::uint32_t number) {
  using Reduction = BarrierForm::Reduction;
  if (form.reduction == Reduction::none) return;
  const std::uint32_t generation = state_.barriers_arrived[number] + 1;
  CtaState::Reduction& r = cta_->reductions[number][generation % 2];
  if (r.generation != generation) r = {generation, 0, form.reduction == Reduction::all};
  const LaneMask held = form.value.lanes(state_) & lanes_;
  r.count += static_cast<std::uint32_t>(__builtin_popcount(held));
  r.holds = form.reduction == Reduction::all ? r.holds && held == lanes_ : r.holds || held != 0;
}

WarpInstruction SassProgram::end(std::string reason) {
  const SassCode& code = *context_.code;
  const SassInstruction& at = code.listing()[std::min(index_, code.listing().size() - 1)];
  pending_ = nullptr;
  if (context_.on_fault)
    context_.on_fault({linear_cta_, state_.warp, code.file(), at.line, code.kernel(), at.text, std::move(reason)});
  return {};
}

LaneMask SassProgram::guarded(std::size_t index) const {
  const SassInstruction& i = context_.code->listing()[index];
  const LaneMask held = state_.predicate(i.guard + (i.guard_uniform ? kUniformPredicates : 0));
  return i.guard_negated ? ~held : held;
}

}  // namespace gputlm
