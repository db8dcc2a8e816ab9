// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gputlm/sass/binding.h"
#include "gputlm/sass/comparison.h"
#include "gputlm/sass/float_binding.h"
#include "gputlm/sass/special_function.h"

namespace gputlm {
namespace {

/// Operands flushed before and the result flushed and clamped after, as the modifiers say.
class FloatForm {
 public:
  explicit FloatForm(const SassInstruction& i)
      : rounding_(rounding_of(i)), flush_(i.has("FTZ")), saturate_(i.has("SAT")) {}

  std::uint32_t read(const Source& s, const WarpState& w, Lane l) const {
    const std::uint32_t v = s.single(w, l);
    return flush_ ? flush(v) : v;
  }
  std::uint32_t finish(std::uint32_t v) const {
    if (flush_) v = flush(v);
    return saturate_ ? saturate(v) : v;
  }
  Rounding rounding() const { return rounding_; }

 private:
  // A NaN saturates to zero.
  static std::uint32_t saturate(std::uint32_t v) {
    const float x = to_float(v);
    return float_bits(x > 0 ? std::fmin(x, 1.0F) : 0.0F);
  }

  Rounding rounding_;
  bool flush_, saturate_;
};

void bind_fadd(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, f = FloatForm(i)](const WarpState& w, Lane l) {
    return f.finish(float_add(f.read(o.s[0], w, l), f.read(o.s[1], w, l), f.rounding()));
  });
}

void bind_fmul(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, f = FloatForm(i)](const WarpState& w, Lane l) {
    return f.finish(float_mul(f.read(o.s[0], w, l), f.read(o.s[1], w, l), f.rounding()));
  });
}

void bind_ffma(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, f = FloatForm(i)](const WarpState& w, Lane l) {
    return f.finish(float_fma(f.read(o.s[0], w, l), f.read(o.s[1], w, l), f.read(o.s[2], w, l), f.rounding()));
  });
}

// A NaN loses against a number; -0 is less than +0.
std::uint32_t float_minimum(std::uint32_t a, std::uint32_t b, bool minimum) {
  const float x = to_float(a), y = to_float(b);
  if (std::isnan(x) && std::isnan(y)) return kFloatNan;
  if (std::isnan(x)) return b;
  if (std::isnan(y)) return a;
  const bool first = x < y || (x == y && std::signbit(x));
  return first == minimum ? a : b;
}

void bind_fmnmx(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, f = FloatForm(i)](const WarpState& w, Lane l) {
    return float_minimum(f.read(o.s[0], w, l), f.read(o.s[1], w, l), has_lane(o.q[0].lanes(w), l));
  });
}

void bind_fsetp(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o, f = FloatForm(i), compare = comparison_of(i), how = joined_of(i)](WarpState& w, LaneMask lanes) {
    const LaneMask held = lanes_where(lanes, [&](Lane l) {
      return holds_for(compare, to_float(f.read(o.s[0], w, l)), to_float(f.read(o.s[1], w, l)));
    });
    set_compared(w, o, how, lanes, held);
  });
}

void bind_fset(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const std::uint32_t yes = i.has("BF") ? float_bits(1.0F) : ~0U;
  write_word(i, o, b,
             [o, yes, f = FloatForm(i), compare = comparison_of(i), how = joined_of(i)](const WarpState& w, Lane l) {
               const bool held = holds_for(compare, to_float(f.read(o.s[0], w, l)), to_float(f.read(o.s[1], w, l)));
               return has_lane(join(how, held ? kAllLaneBits : 0, o.q[0].lanes(w)), l) ? yes : 0;
             });
}

void bind_fsel(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, f = FloatForm(i)](const WarpState& w, Lane l) {
    return f.read(has_lane(o.q[0].lanes(w), l) ? o.s[0] : o.s[1], w, l);
  });
}

/// Unbiased exponent of a normal number; far out for all others.
int exponent_of(std::uint32_t bits) {
  const int biased = static_cast<int>(bits >> 23U & 0xffU);
  return biased == 0 || biased == 0xff ? 1000 : biased - 127;
}

// Where the compiler's quick division a * rcp(b) with its corrections would leave the range of normal numbers. The
// hardware's own bounds are not published; a lane sent the slow way gets the same quotient.
bool needs_slow_division(std::uint32_t a, std::uint32_t b) {
  const int x = exponent_of(a), y = exponent_of(b);
  return x > 126 || x < -100 || y > 124 || y < -124 || x - y > 125 || x - y < -124;
}

void bind_fchk(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o](WarpState& w, LaneMask lanes) {
    w.set_predicate(o.p[0], lanes, lanes_where(lanes, [&](Lane l) {
                      return needs_slow_division(o.s[0].single(w, l), o.s[1].single(w, l));
                    }));
  });
}

void bind_mufu(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  for (const SpecialFunctionRow& row : special_functions()) {
    if (!i.has(row.name)) continue;
    return write_word(i, o, b, [s = o.s[0], function = row.function](const WarpState& w, Lane l) {
      return function(s.single(w, l));
    });
  }
  throw Unsupported("this function of MUFU is not supported");
}

constexpr const char* kFloatArithmetic = "FTZ RN RM RP RZ SAT";
constexpr const char* kFloatComparisons = "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T AND OR XOR FTZ BF";

}  // namespace

const std::vector<InstructionRow>& float_rows() {
  static const std::vector<InstructionRow> rows{
      {"FADD", kFloatArithmetic, "d s s", "a + b", Latency::fixed, bind_fadd},
      {"FMUL", kFloatArithmetic, "d s s", "a * b", Latency::fixed, bind_fmul},
      {"FFMA", kFloatArithmetic, "d s s s", "a * b + c in one rounding", Latency::fixed, bind_ffma},
      {"FMNMX", "FTZ", "d s s q", "minimum where the predicate holds, else maximum; a NaN loses", Latency::fixed,
       bind_fmnmx},
      {"FSETP", kFloatComparisons, "p p s s q", "comparison joined with a predicate; ..U: holds for a NaN",
       Latency::fixed, bind_fsetp},
      {"FSET", kFloatComparisons, "d s s q", "FSETP to a register: all ones, .BF 1.0", Latency::fixed, bind_fset},
      {"FSEL", "FTZ", "d s s q", "a where the predicate holds, else b", Latency::fixed, bind_fsel},
      {"FCHK", "DIVIDE", "p s s", "a / b needs the slow division", Latency::special_function, bind_fchk},
      {"MUFU", "RCP RSQ SQRT SIN COS EX2 LG2 TANH RCP64H RSQ64H", "d s",
       "reciprocal, roots, sine, cosine (of turns), 2^x, log2, tanh; upper halves of 1 / x and 1 / sqrt(x)",
       Latency::special_function, bind_mufu},
  };
  return rows;
}

}  // namespace gputlm
