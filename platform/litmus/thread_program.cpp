// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/thread_program.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "gputlm/workload/instructions.h"
#include "gputlm/workload/load_check.h"

namespace gputlm {
namespace {

// A thread that has run this many instructions waits for something that does not come.
constexpr std::size_t kBudget = 20000;

bool is_branch(const LitmusInstruction& i) {
  return i.kind == LitmusInstruction::Kind::branch_if_equal || i.kind == LitmusInstruction::Kind::branch_unless_equal;
}

}  // namespace

ThreadProgram::ThreadProgram(const LitmusContext& context, LitmusRun& run, unsigned thread)
    : context_(context),
      run_(run),
      thread_(thread),
      program_(context.test->threads[thread].instructions),
      plan_(run.plan.threads[thread]),
      registers_(run.registers[thread]) {}

WarpInstruction ThreadProgram::fetch() {
  if (run_.begin == kNever) run_.begin = now();
  WarpInstruction instruction;
  if (warmed_ < plan_.warmed.size())
    instruction = warm_up();
  else if (!started_)
    instruction = wait_for_start();
  else {
    finish_register_work();
    run_.unfinished = run_.unfinished || issued_.size() > kBudget;
    if (next_ == program_.size() || run_.unfinished) return exit_instruction();
    pending_ = &program_[next_];
    instruction = issue(*pending_);
    instruction.stall_cycles = plan_.delays[next_++];
  }
  issued_.push_back(pending_);
  return instruction;
}

WarpInstruction ThreadProgram::warm_up() {
  ++warmed_;
  return load_instruction({Semantics::weak, Scope::cta}, 0, 0);
}

// First waits for the prologue's loads, then for the time that is left until the start.
WarpInstruction ThreadProgram::wait_for_start() {
  if (!synchronised_) {
    synchronised_ = true;
    return compute_instruction(1, all_scoreboards());
  }
  started_ = true;
  const double left_ns = std::max(0.0, kLitmusLeadNs - to_ns(now() - run_.begin));
  return compute_instruction(1 + static_cast<double>(plan_.start_cycles) + left_ns / context_.cycle_ns, 0);
}

WarpInstruction ThreadProgram::issue(const LitmusInstruction& i) {
  using Kind = LitmusInstruction::Kind;
  const AccessOrder order{i.semantics, i.scope};
  WarpInstruction w;
  switch (i.kind) {
    case Kind::load:
      return load_instruction(order, scoreboard_of(i.destination), needs(i));
    case Kind::store:
      return store_instruction(order, needs(i));
    case Kind::fence:
      return fence_instruction(order);
    case Kind::atomic:
    case Kind::reduction:
      w = load_instruction(order, scoreboard_of(i.destination), needs(i));
      w.operation = i.kind == Kind::atomic ? Operation::atomic : Operation::reduction;
      if (i.kind == Kind::reduction) w.set_scoreboard = kNoScoreboard;
      w.function = i.function;
      return w;
    case Kind::add:
    case Kind::branch_if_equal:
    case Kind::branch_unless_equal:
      return compute_instruction(1, needs(i));
  }
  return w;
}

// Registers are there once the instruction after has been fetched.
void ThreadProgram::finish_register_work() {
  if (pending_ == nullptr) return;
  const LitmusInstruction& i = *pending_;
  pending_ = nullptr;
  if (i.kind == LitmusInstruction::Kind::add) registers_[i.destination] = value_of(i.a) + value_of(i.b);
  if (!is_branch(i)) return;
  const bool equal = value_of(i.a) == value_of(i.b);
  if (equal == (i.kind == LitmusInstruction::Kind::branch_if_equal)) next_ = i.target;
}

void ThreadProgram::operands(WarpLanes& lanes, unsigned char* data) {
  if (!started_) {
    fill_lanes(lanes, context_.address_of(run_.plan, plan_.warmed[warmed_ - 1]), 1, 4, 0);
    return;
  }
  const LitmusInstruction& i = *pending_;
  fill_lanes(lanes, context_.address_of(run_.plan, i.location), 1, 4, 0);
  std::uint32_t first = value_of(i.a);
  if (i.negated) first = ~first + 1;
  // Compare-and-swap: the new value, and after all lanes' the values to compare with.
  const std::uint32_t second = value_of(i.b);
  const bool swap = i.function == AtomicFunction::compare_and_swap;
  std::memcpy(data, swap ? &second : &first, 4);
  if (swap) std::memcpy(data + std::size_t{4} * kLanes, &first, 4);
  if (run_.traced) note(i.text + " issues");
}

void ThreadProgram::returned(const Payload& access) {
  const LitmusInstruction* i = issued_[origin_of(access).instruction];
  if (i == nullptr) return;
  std::uint32_t value = 0;
  std::memcpy(&value, access.get_data_ptr(), 4);
  registers_[i->destination] = value;
  if (run_.traced) note(fmt::format("{} has {}", i->text, value));
}

std::uint32_t ThreadProgram::value_of(const LitmusOperand& o) const {
  return o.is_register ? registers_[o.index] : o.value;
}

std::uint8_t ThreadProgram::needs(const LitmusOperand& o) const {
  return o.is_register ? scoreboard_bit(scoreboard_of(o.index)) : std::uint8_t{0};
}

// Operands, and the destination: a register is not written twice at once.
std::uint8_t ThreadProgram::needs(const LitmusInstruction& i) const {
  using Kind = LitmusInstruction::Kind;
  const bool writes = i.kind == Kind::load || i.kind == Kind::atomic || i.kind == Kind::add;
  const std::uint8_t destination = writes ? scoreboard_bit(scoreboard_of(i.destination)) : std::uint8_t{0};
  return static_cast<std::uint8_t>(needs(i.a) | needs(i.b) | destination);
}

void ThreadProgram::note(std::string what) {
  run_.events.push_back({now(), "P" + std::to_string(thread_), std::move(what)});
}

}  // namespace gputlm
