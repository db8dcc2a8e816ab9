// SPDX-License-Identifier: Apache-2.0
#include "gputlm/replay/replay_program.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "gputlm/tlm/time.h"
#include "gputlm/workload/instructions.h"
#include "gputlm/workload/pattern_data.h"

namespace gputlm {
namespace {

using Kind = TracegOpcode::Kind;

/// Of NANOSLEEP, in ns (PTX ISA).
constexpr std::uint64_t kLongestSleep = 1'000'000;

/// A trace has no stall counts: what the compiler had scheduled takes the main pipes' time.
double cycles_of(Latency latency, const SassSpec& s) {
  return latency == Latency::fixed ? s.arithmetic_cycles : latency_cycles(latency, s);
}

bool is_strong(const WarpInstruction& w) {
  return w.semantics != Semantics::weak;
}

}  // namespace

ReplayProgram::ReplayProgram(const ReplayContext& context, WarpTape tape, std::uint64_t key)
    : context_(context), tape_(std::move(tape)), key_(key), registers_(context.scoreboards) {
  look_ahead();
}

void ReplayProgram::look_ahead() {
  has_ahead_ = tape_.read(ahead_);
}

WarpInstruction ReplayProgram::fetch() {
  if (!has_ahead_) return exit_instruction();
  if (const double wait = cycles_too_early(); wait > 0) {
    waited_ = true;
    return compute_instruction(wait, 0);
  }
  waited_ = false;
  current_ = ahead_;
  look_ahead();
  ++fetched_;
  ++context_.counters->instructions;
  lanes_ = global_lanes(current_, *context_.header);
  const std::uint8_t waits = registers_.wait_for(current_);  // first: what it writes may be what it reads
  WarpInstruction w = instruction();
  w.wait_scoreboards |= waits;
  const bool returns = w.kind == WarpInstruction::Kind::memory && current_.opcode->has_result();
  const bool grouped = current_.opcode->kind == Kind::async_copy && context_.group_scoreboards != 0;
  if (grouped)
    w.set_scoreboard = group_scoreboard(groups_);
  else if (returns || w.latency_cycles > 0)
    w.set_scoreboard = registers_.mark(current_);
  set_stall(w);
  return w;
}

// The instruction behind a wait is fetched when the wait begins.
double ReplayProgram::cycles_too_early() const {
  if (!context_.timed || waited_) return 0;
  const Fs wait = static_cast<Fs>(ahead_.immediate) - now();
  return to_ns(wait) * 1e-9 * context_.instructions->clock_hz;
}

// The next instruction issues when its registers are there; what comes later than that waits for scoreboards.
void ReplayProgram::set_stall(WarpInstruction& w) {
  const double next = has_ahead_ ? registers_.ready(ahead_) : 0;
  w.stall_cycles = std::max(w.stall_cycles, next - clock_);
  clock_ += w.stall_cycles;
}

WarpInstruction ReplayProgram::instruction() {
  const TracegOpcode& o = *current_.opcode;
  const bool fresh = std::exchange(invalidated_, invalidated_ && !o.leaves_sm());
  WarpInstruction w = compute_instruction(1, 0);
  if (current_.mask == 0) return w;
  switch (o.kind) {
    case Kind::global:
    case Kind::generic:
    case Kind::async_copy:
      return lanes_ != 0 ? access() : on_chip();
    case Kind::on_chip:
      return on_chip();
    case Kind::fence:
      return fence();
    case Kind::invalidate:
      return fresh ? w : invalidate();
    case Kind::barrier:
      return barrier();
    case Kind::close_group:
      ++groups_;
      return w;
    case Kind::await_groups:
      await_groups(w);
      return w;
    case Kind::sleep:
      w.stall_cycles +=
          static_cast<double>(std::min(current_.immediate, kLongestSleep)) * 1e-9 * context_.instructions->clock_hz;
      return w;
    case Kind::exit:
      return has_ahead_ ? w : exit_instruction();  // of some lanes only, the others go on
    case Kind::arithmetic:
      break;
  }
  const SassSpec& s = *context_.instructions;
  if (o.pipe == TracegOpcode::Pipe::timed)
    w.latency_cycles = cycles_of(o.latency, s);
  else
    registers_.set_ready(current_,
                         clock_ + (o.pipe == TracegOpcode::Pipe::tensor ? s.tensor_cycles : s.arithmetic_cycles));
  return w;
}

// CCTL.IVALL behind a fence or a strong load is the compiler's way to write what the model's fences and acquires do by
// themselves, as for listings.
WarpInstruction ReplayProgram::access() {
  WarpInstruction w = current_.opcode->access;
  const bool acquires = is_strong(w) && current_.opcode->has_result() && has_ahead_ &&
                        ahead_.opcode->kind == Kind::invalidate && ahead_.mask != 0;
  if (acquires) {
    w.semantics = Semantics::acquire;
    invalidated_ = true;
  }
  return w;
}

WarpInstruction ReplayProgram::on_chip() const {
  WarpInstruction w = compute_instruction(1, 0);
  ++context_.counters->shared;
  if (current_.opcode->has_result() && current_.destination != TracegInstruction::kNoRegister)
    w.latency_cycles =
        cycles_of(current_.opcode->leaves_sm() ? Latency::shared : current_.opcode->latency, *context_.instructions);
  return w;
}

WarpInstruction ReplayProgram::fence() {
  ++context_.accesses->fences;
  invalidated_ = true;
  return current_.opcode->access;
}

WarpInstruction ReplayProgram::invalidate() const {
  ++context_.accesses->fences;
  return current_.opcode->access;
}

// Traces do not say which of the block's barriers: all warps meet at each, or have ended.
WarpInstruction ReplayProgram::barrier() const {
  ++context_.counters->barriers;
  WarpInstruction w = compute_instruction(1, 0);
  w.kind = WarpInstruction::Kind::cta_barrier;
  return w;
}

std::uint8_t ReplayProgram::group_scoreboard(std::uint64_t group) const {
  return static_cast<std::uint8_t>(context_.scoreboards + group % context_.group_scoreboards);
}

// All groups but the last `immediate`; two that alternate can tell the last one from those before it.
void ReplayProgram::await_groups(WarpInstruction& w) {
  if (current_.immediate >= context_.group_scoreboards) return;
  const std::uint8_t open = scoreboard_bit(group_scoreboard(groups_)),
                     last = scoreboard_bit(group_scoreboard(groups_ + 1));
  w.wait_scoreboards |= current_.immediate == 0 ? open | last : open;
}

// Every store's data differ: a byte that another store should have overwritten is found by the scoreboard.
void ReplayProgram::fill(unsigned lane, std::uint64_t address, unsigned char* to) const {
  const std::uint64_t seed = mix64(fetched_, key_);
  const unsigned bytes = current_.opcode->bytes;
  if (current_.opcode->access.function != AtomicFunction::float_add) return fill_pattern(address, bytes, seed, to);
  const float number = pattern_float(address, seed + lane);  // sums of arbitrary bits would soon be no numbers
  const double wide = number;
  if (bytes == 8)
    std::memcpy(to, &wide, bytes);
  else
    std::memcpy(to, &number, bytes);
}

void ReplayProgram::operands(WarpLanes& lanes, unsigned char* data) {
  const TracegOpcode& o = *current_.opcode;
  lanes.active = lanes_;
  lanes.lane_bytes = o.bytes;
  lanes.address = current_.address;
  KernelCounters& c = *context_.accesses;
  const std::uint64_t bytes = static_cast<std::uint64_t>(__builtin_popcount(lanes_)) * o.bytes;
  switch (o.access.operation) {
    case Operation::load:
      ++c.loads, c.bytes_loaded += bytes;
      return;
    case Operation::store:
      ++c.stores, c.bytes_stored += bytes;
      break;
    default:
      ++c.atomics, c.bytes_atomic += bytes;
      break;
  }
  const bool swaps = o.access.function == AtomicFunction::compare_and_swap;
  for_each_lane_of(lanes_, [&](unsigned lane) {
    fill(lane, lanes.address[lane], data + std::size_t{lane} * o.bytes);
    if (swaps) fill(lane, lanes.address[lane], data + std::size_t{kLanes + lane} * o.bytes);
  });
}

}  // namespace gputlm
