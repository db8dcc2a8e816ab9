// SPDX-License-Identifier: Apache-2.0
//
// Instructions whose lanes look at each other.
#include <algorithm>
#include <array>

#include "gputlm/sass/binding.h"

namespace gputlm {
namespace {

// A register takes the lanes whose predicate holds, a predicate whether any (.ALL: all) of the active ones do.
void bind_vote(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o, all = i.has("ALL"), equal = i.has("EQ")](WarpState& w, LaneMask lanes) {
    const LaneMask held = o.q[0].lanes(w) & lanes;
    for_each_lane_of(lanes, [&](Lane l) {
      for (const Destination& d : o.d) d.write(w, l, held);
    });
    const bool same = held == lanes || held == 0;
    const bool result = equal ? same : all ? held == lanes : held != 0;
    w.set_predicate(o.p[0], lanes, result ? kAllLaneBits : 0);
  });
}

/// The lane that another one reads, and whether it lies within the segment (PTX ISA, shfl).
struct Partner {
  Lane lane;
  bool inside;
};

enum class Shuffle : std::uint8_t { index, up, down, butterfly };

Partner partner_of(Shuffle mode, Lane l, std::uint32_t operand, std::uint32_t control) {
  const std::uint32_t by = operand & 31U, clamp = control & 31U, segment = control >> 8U & 31U;
  const std::uint32_t first = l & segment, last = first | (clamp & ~segment);
  const auto lane = static_cast<int>(l), limit = static_cast<int>(last);
  int j = 0;
  switch (mode) {
    case Shuffle::up:
      j = lane - static_cast<int>(by);
      return j >= limit ? Partner{static_cast<Lane>(j), true} : Partner{l, false};
    case Shuffle::down:
      j = lane + static_cast<int>(by);
      break;
    case Shuffle::butterfly:
      j = static_cast<int>(l ^ by);
      break;
    case Shuffle::index:
      j = static_cast<int>(first | (by & ~segment));
      break;
  }
  return j <= limit ? Partner{static_cast<Lane>(j), true} : Partner{l, false};
}

void bind_shfl(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const Shuffle mode = i.has("UP")     ? Shuffle::up
                       : i.has("DOWN") ? Shuffle::down
                       : i.has("BFLY") ? Shuffle::butterfly
                                       : Shuffle::index;
  run_warp(i, b, [o, mode](WarpState& w, LaneMask lanes) {
    std::array<std::uint32_t, kWarpLanes> values{};
    LaneMask inside = 0;
    for_each_lane_of(lanes, [&](Lane l) {
      const Partner p = partner_of(mode, l, o.s[1].word(w, l), o.s[2].word(w, l));
      values[l] = o.s[0].word(w, p.lane);
      inside |= LaneMask{p.inside} << l;
    });
    for_each_lane_of(lanes, [&](Lane l) { o.d[0].write(w, l, values[l]); });
    w.set_predicate(o.p[0], lanes, inside);
  });
}

// .ANY: the lanes that hold the same value; .ALL: all active lanes if they do, and a predicate that says so.
void bind_match(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const bool all = i.has("ALL");
  if (all && o.p.empty()) throw Unsupported("MATCH.ALL without a predicate");
  run_warp(i, b, [o, all, wide = i.has("U64")](WarpState& w, LaneMask lanes) {
    auto value = [&](Lane l) { return wide ? o.s[0].pair(w, l) : o.s[0].word(w, l); };
    std::array<LaneMask, kWarpLanes> same{};
    for_each_lane_of(
        lanes, [&](Lane l) { same[l] = lanes_where(lanes, [&](Lane other) { return value(other) == value(l); }); });
    const bool uniform = same[lowest_lane(lanes)] == lanes;
    for_each_lane_of(lanes, [&](Lane l) { o.d[0].write(w, l, !all ? same[l] : uniform ? lanes : 0); });
    if (all) w.set_predicate(o.p[0], lanes, uniform ? kAllLaneBits : 0);
  });
}

enum class Folding : std::uint8_t { bit_and, bit_or, bit_xor, sum, minimum, maximum, signed_minimum, signed_maximum };

std::uint32_t fold(Folding f, std::uint32_t a, std::uint32_t b) {
  switch (f) {
    case Folding::bit_and:
      return a & b;
    case Folding::bit_or:
      return a | b;
    case Folding::bit_xor:
      return a ^ b;
    case Folding::sum:
      return a + b;
    case Folding::minimum:
      return std::min(a, b);
    case Folding::maximum:
      return std::max(a, b);
    case Folding::signed_minimum:
      return as_signed(a) < as_signed(b) ? a : b;
    case Folding::signed_maximum:
      return as_signed(a) > as_signed(b) ? a : b;
  }
  return a;
}

Folding folding_of(const SassInstruction& i) {
  if (i.has("OR")) return Folding::bit_or;
  if (i.has("XOR")) return Folding::bit_xor;
  if (i.has("SUM")) return Folding::sum;
  if (i.has("MIN")) return i.has("S32") ? Folding::signed_minimum : Folding::minimum;
  if (i.has("MAX")) return i.has("S32") ? Folding::signed_maximum : Folding::maximum;
  return Folding::bit_and;
}

void bind_redux(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o, folding = folding_of(i)](WarpState& w, LaneMask lanes) {
    const Lane first = lowest_lane(lanes);
    std::uint32_t result = o.s[0].word(w, first);
    for_each_lane_of(lanes & (lanes - 1), [&](Lane l) { result = fold(folding, result, o.s[0].word(w, l)); });
    o.d[0].write(w, first, result);
  });
}

}  // namespace

const std::vector<InstructionRow>& lane_rows() {
  static const std::vector<InstructionRow> rows{
      {"VOTE", "ANY ALL EQ", "d? p q", "lanes whose predicate holds", Latency::fixed, bind_vote},
      {"VOTEU", "ANY ALL EQ", "d? p q", "VOTE to a uniform register", Latency::fixed, bind_vote},
      {"SHFL", "IDX UP DOWN BFLY", "p d s s s", "another lane's register", Latency::shuffle, bind_shfl},
      {"MATCH", "ANY ALL U32 U64", "p? d s", "lanes that hold the same value", Latency::shuffle, bind_match},
      {"REDUX", "AND OR XOR SUM MIN MAX S32 U32", "d s", "all lanes' values to a uniform register; AND when not said",
       Latency::shuffle, bind_redux},
  };
  return rows;
}

}  // namespace gputlm
