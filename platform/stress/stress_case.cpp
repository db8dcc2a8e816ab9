// SPDX-License-Identifier: Apache-2.0
#include "gputlm/stress/stress_case.h"

#include <algorithm>
#include <array>

#include "gputlm/stress/stress_draw.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

using Kind = StressInstruction::Kind;

/// What the instructions of a case are like.
struct Style {
  std::uint64_t hot_lines;      ///< Lines most accesses fall on, if so many are found.
  HotPlaces places;             ///< How they lie.
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
  const auto places = draw.once_in(2) ? HotPlaces::spread : static_cast<HotPlaces>(draw.below(kHotPlaces));
  return {hot, places, atomics, fences, strong, masked, stall, draw.once_in(3)};
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

/// The lines of a case's memory.
struct Lines {
  std::uint64_t all;
  std::vector<std::uint64_t> hot;
};

void draw_place(Draw& draw, const Style& style, const Lines& lines, StressInstruction& i) {
  const std::uint64_t line = draw.once_in(10) ? draw.below(lines.all) : lines.hot[draw.below(lines.hot.size())];
  i.at = line * kLineBytes + (draw.once_in(2) ? 0 : draw.below(kLineBytes));
  i.step = style.scattered && draw.once_in(2) ? kLineBytes * (1 + draw.below(5)) : i.lane_bytes * draw.below(4);
  i.alias = draw.once_in(8);
}

StressInstruction draw_instruction(Draw& draw, const Style& style, const Lines& lines) {
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
  draw_place(draw, style, lines, i);
  return i;
}

/// The card that a case runs on; the one that it was drawn for when its overrides do not go together there.
Config changed_card(const Config& base, const std::string& config, const std::vector<std::string>& overrides) {
  try {
    return Config::load(config, overrides);
  } catch (const ConfigError&) {
    return base;
  }
}

}  // namespace

std::size_t StressCase::instructions() const {
  std::size_t sum = 0;
  for (const StressWarp& w : warps) sum += w.instructions.size();
  return sum;
}

StressCase draw_stress_case(std::uint64_t seed, const std::string& config) {
  constexpr std::uint64_t kLargest = std::uint64_t{1} << 20, kAimed = std::uint64_t{64} << 20, kInstructions = 1200;
  const Config base = Config::load(config, {});
  Draw draw(mix64(seed, 0x73747265737321ULL));
  StressCase c;
  c.overrides = draw_overrides(draw, base);
  const Style style = draw_style(draw);
  // A set or a row of a large card has few lines in a small memory.
  c.memory = style.places == HotPlaces::spread ? kLargest >> draw.below(8) : std::min(kAimed, base.memory_bytes() / 8);
  const std::uint64_t lines = c.memory / kLineBytes;
  const Lines places{
      lines, draw_hot_lines(draw, changed_card(base, config, c.overrides), style.places, lines, style.hot_lines)};
  const std::uint64_t warps = 1 + draw.below(24), used = 1 + draw.below(std::min(base.sms, 6U));
  for (std::uint64_t w = 0; w < warps; ++w) {
    StressWarp warp;
    warp.sm = static_cast<unsigned>(draw.below(used) * base.sms / used);
    warp.cta = static_cast<unsigned>(draw.below(2));
    for (std::uint64_t n = draw.below(kInstructions / warps) + 1; n > 0; --n)
      warp.instructions.push_back(draw_instruction(draw, style, places));
    c.warps.push_back(std::move(warp));
  }
  return c;
}

}  // namespace gputlm
