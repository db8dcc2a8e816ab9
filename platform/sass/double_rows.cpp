// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gputlm/sass/comparison.h"
#include "gputlm/sass/float_binding.h"

namespace gputlm {
namespace {

void bind_dadd(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_pair(i, o, b, [o, r = rounding_of(i)](const WarpState& w, Lane l) {
    return double_add(o.s[0].real(w, l), o.s[1].real(w, l), r);
  });
}

void bind_dmul(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_pair(i, o, b, [o, r = rounding_of(i)](const WarpState& w, Lane l) {
    return double_mul(o.s[0].real(w, l), o.s[1].real(w, l), r);
  });
}

void bind_dfma(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_pair(i, o, b, [o, r = rounding_of(i)](const WarpState& w, Lane l) {
    return double_fma(o.s[0].real(w, l), o.s[1].real(w, l), o.s[2].real(w, l), r);
  });
}

// .MIN and .MAX: the first predicate says that a is the answer, the second that it is a NaN (both operands are).
void bind_extremum(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o, minimum = i.has("MIN")](WarpState& w, LaneMask lanes) {
    LaneMask first = 0, neither = 0;
    for_each_lane_of(lanes, [&](Lane l) {
      const double x = to_double(o.s[0].real(w, l)), y = to_double(o.s[1].real(w, l));
      const bool less = x < y || (x == y && std::signbit(x));
      const bool is_first = std::isnan(y) ? !std::isnan(x) : !std::isnan(x) && less == minimum;
      first |= LaneMask{is_first} << l;
      neither |= LaneMask{std::isnan(x) && std::isnan(y)} << l;
    });
    w.set_predicate(o.p[0], lanes, first & o.q[0].lanes(w));
    w.set_predicate(o.p[1], lanes, neither & o.q[0].lanes(w));
  });
}

void bind_dsetp(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (i.has("MIN") || i.has("MAX")) return bind_extremum(i, o, b);
  run_warp(i, b, [o, compare = comparison_of(i), how = joined_of(i)](WarpState& w, LaneMask lanes) {
    const LaneMask held = lanes_where(
        lanes, [&](Lane l) { return holds_for(compare, to_double(o.s[0].real(w, l)), to_double(o.s[1].real(w, l))); });
    set_compared(w, o, how, lanes, held);
  });
}

constexpr const char* kDoubleRounding = "RN RM RP RZ";
constexpr const char* kDoubleComparisons = "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T MIN MAX AND OR XOR";

}  // namespace

const std::vector<InstructionRow>& double_rows() {
  static const std::vector<InstructionRow> rows{
      {"DADD", kDoubleRounding, "d s s", "a + b", Latency::fp64, bind_dadd},
      {"DMUL", kDoubleRounding, "d s s", "a * b", Latency::fp64, bind_dmul},
      {"DFMA", kDoubleRounding, "d s s s", "a * b + c in one rounding", Latency::fp64, bind_dfma},
      {"DSETP", kDoubleComparisons, "p p s s q", "comparison joined with a predicate; .MIN, .MAX: which operand it is",
       Latency::fp64, bind_dsetp},
  };
  return rows;
}

}  // namespace gputlm
