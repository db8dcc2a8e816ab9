// SPDX-License-Identifier: Apache-2.0
#include "gputlm/stress/stress_case.h"

#include <algorithm>
#include <array>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/workload/draw.h"

namespace gputlm {
namespace {

using Kind = StressInstruction::Kind;

/// A value of the configuration and what it may become.
struct Knob {
  const char* path;
  std::array<const char*, 4> values;
};

// Sizes down to one and every policy: where queues are short and sets small, everything meets everything.
constexpr Knob kKnobs[] = {
    {"l1.ways", {"1", "2", "4", "4"}},
    {"l1.fill_sectors", {"4", "8", "32", "256"}},
    {"l2.ways", {"1", "2", "4", "16"}},
    {"l2.fetch_entries", {"1", "2", "8", "192"}},
    {"l2.write_back_entries", {"1", "2", "4", "8"}},
    {"l2.fifo_drain_interval", {"1", "2", "16", "100"}},
    {"l2.partial_sector_load", {"fetch", "serve_valid", "fetch", "serve_valid"}},
    {"l2.replacement.policy", {"rrip", "lru", "rrip", "lru"}},
    {"l2.janitor.policy", {"threshold", "none", "threshold", "none"}},
    {"l2.janitor.dirty_threshold", {"1", "2", "4", "8"}},
    {"crossbar.sm_request_depth", {"1", "2", "16", "256"}},
    {"crossbar.slice_request_depth", {"1", "2", "16", "128"}},
    {"sm.queue_entries", {"1", "2", "8", "24"}},
    {"mmu.entries", {"1", "2", "16", "16"}},
    {"dram.read_queue_entries", {"1", "2", "8", "64"}},
    {"dram.scheduler", {"fr_fcfs", "fcfs", "fr_fcfs", "fcfs"}},
    {"dram.page_policy", {"open", "closed", "idle_timer", "idle_timer"}},
    {"dram.ecc", {"none", "codeword", "none", "none"}},
};

void draw_overrides(Draw& draw, StressCase& c) {
  for (const Knob& knob : kKnobs)
    if (draw.once_in(3)) c.overrides.push_back(std::string(knob.path) + "=" + knob.values[draw.below(4)]);
  if (!draw.once_in(3)) return;
  constexpr std::array<std::array<const char*, 3>, 4> kMarks{
      {{"1", "1", "0"}, {"2", "2", "1"}, {"8", "6", "2"}, {"128", "112", "32"}}};
  const auto& marks = kMarks[draw.below(kMarks.size())];
  c.overrides.push_back(std::string("dram.write_queue_entries=") + marks[0]);
  c.overrides.push_back(std::string("dram.write_high_mark=") + marks[1]);
  c.overrides.push_back(std::string("dram.write_low_mark=") + marks[2]);
}

/// What the instructions of a case are like.
struct Style {
  std::uint64_t hot_lines;      ///< Lines most accesses fall on.
  std::uint64_t atomics;        ///< One in so many accesses.
  std::uint64_t fences;         ///< One in so many instructions.
  std::uint64_t strong;         ///< One in so many accesses.
  std::uint64_t masked;         ///< One in so many accesses has a random lane mask.
  std::uint64_t longest_stall;  ///< Core cycles.
  bool scattered;               ///< Lanes lines apart.
};

Style draw_style(Draw& draw) {
  constexpr std::uint64_t kHot[] = {1, 2, 8, 64, 1024};
  constexpr std::uint64_t kRare[] = {2, 5, 20, 1000};
  const auto rare = [&] { return kRare[draw.below(4)]; };
  const std::uint64_t hot = kHot[draw.below(5)];
  const std::uint64_t atomics = rare(), fences = rare() * 3, strong = rare(), masked = rare();
  const std::uint64_t stall = draw.once_in(3) ? 300 : 1;
  return {hot, atomics, fences, strong, masked, stall, draw.once_in(3)};
}

constexpr Scope kScopes[] = {Scope::cta, Scope::gpu, Scope::sys};

void draw_order(Draw& draw, const Style& style, StressInstruction& i) {
  const bool atomic = i.kind == Kind::atomic || i.kind == Kind::reduction;
  if (!atomic && !draw.once_in(style.strong)) return;
  i.scope = kScopes[draw.below(3)];
  i.semantics = Semantics::relaxed;
  if (!draw.once_in(3)) return;
  if (i.kind == Kind::load)
    i.semantics = Semantics::acquire;
  else if (i.kind == Kind::store || i.kind == Kind::reduction)
    i.semantics = Semantics::release;
  else
    i.semantics = draw.once_in(2) ? Semantics::acquire : Semantics::acq_rel;
}

void draw_place(Draw& draw, const Style& style, std::uint64_t memory, StressInstruction& i) {
  const std::uint64_t lines = memory / kLineBytes;
  // Hot lines lie far apart, so that some share a set and a row with others.
  const std::uint64_t stride = std::max<std::uint64_t>(1, lines / style.hot_lines);
  const std::uint64_t line =
      draw.once_in(10) ? draw.below(lines) : draw.below(std::min(lines, style.hot_lines)) * stride % lines;
  i.at = line * kLineBytes + (draw.once_in(2) ? 0 : draw.below(kLineBytes));
  i.step = style.scattered && draw.once_in(2) ? kLineBytes * (1 + draw.below(5)) : i.lane_bytes * draw.below(4);
  i.alias = draw.once_in(8);
}

StressInstruction draw_instruction(Draw& draw, const Style& style, std::uint64_t memory) {
  StressInstruction i;
  i.stall = 1 + static_cast<unsigned>(draw.once_in(4) ? draw.below(style.longest_stall) : 0);
  i.wait = draw.once_in(6);
  if (draw.once_in(style.fences)) {
    i.kind = draw.once_in(3) ? Kind::barrier : Kind::fence;
    i.semantics = draw.once_in(2) ? Semantics::acq_rel : Semantics::seq_cst;
    i.scope = kScopes[draw.below(3)];
    return i;
  }
  if (draw.once_in(style.atomics)) {
    constexpr unsigned kFunctions = 13;
    i.kind = draw.once_in(2) ? Kind::atomic : Kind::reduction;
    i.function = static_cast<AtomicFunction>(draw.below(kFunctions));
    const bool only_words = i.function == AtomicFunction::float_add || i.function == AtomicFunction::increment ||
                            i.function == AtomicFunction::decrement;
    i.lane_bytes = only_words || draw.once_in(2) ? 4 : 8;
  } else {
    i.kind = draw.once_in(2) ? Kind::load : Kind::store;
    i.lane_bytes = 1U << draw.below(5);
  }
  if (draw.once_in(style.masked)) i.active = static_cast<std::uint32_t>(draw.next());
  draw_order(draw, style, i);
  draw_place(draw, style, memory, i);
  return i;
}

}  // namespace

std::size_t StressCase::instructions() const {
  std::size_t sum = 0;
  for (const StressWarp& w : warps) sum += w.instructions.size();
  return sum;
}

StressCase draw_stress_case(std::uint64_t seed, unsigned sms) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 20, kInstructions = 1200;
  Draw draw(mix64(seed, 0x73747265737321ULL));
  StressCase c;
  draw_overrides(draw, c);
  c.memory = kLargest >> draw.below(8);
  const Style style = draw_style(draw);
  const std::uint64_t warps = 1 + draw.below(24), used = 1 + draw.below(std::min(sms, 6U));
  for (std::uint64_t w = 0; w < warps; ++w) {
    StressWarp warp;
    warp.sm = static_cast<unsigned>(draw.below(used) * sms / used);
    warp.cta = static_cast<unsigned>(draw.below(2));
    for (std::uint64_t n = draw.below(kInstructions / warps) + 1; n > 0; --n)
      warp.instructions.push_back(draw_instruction(draw, style, c.memory));
    c.warps.push_back(std::move(warp));
  }
  return c;
}

}  // namespace gputlm
