// SPDX-License-Identifier: Apache-2.0
//
// Two halves per register; every instruction works on both.
#include <cmath>

#include "gputlm/sass/comparison.h"
#include "gputlm/sass/float_binding.h"

namespace gputlm {
namespace {

std::uint16_t low_half(std::uint32_t v) {
  return static_cast<std::uint16_t>(v);
}
std::uint16_t high_half(std::uint32_t v) {
  return static_cast<std::uint16_t>(v >> 16U);
}

/// Two numbers written one after the other are the high and the low half of one operand.
std::vector<Source> packed(const Operands& o) {
  std::vector<Source> sources;
  for (std::size_t n = 0; n < o.s.size(); ++n) {
    if (n + 1 < o.s.size() && o.s[n].is_number() && o.s[n + 1].is_number()) {
      SassOperand both;
      both.value = std::int64_t{o.s[n].half_bits()} << 16U | o.s[n + 1].half_bits();
      sources.emplace_back(both);
      ++n;
    } else {
      sources.push_back(o.s[n]);
    }
  }
  return sources;
}

/// What a result becomes: .SAT clamps to 0..1, .RELU to 0 and above (a NaN stays one).
class HalfForm {
 public:
  HalfForm(const SassInstruction& i, std::size_t operands, const Operands& o)
      : sources_(packed(o)), saturate_(i.has("SAT")), relu_(i.has("RELU")), flush_(i.has("FTZ")) {
    if (sources_.size() != operands) throw Unsupported("these operands are not supported for " + i.opcode);
  }
  std::uint32_t read(std::size_t n, const WarpState& w, Lane l) const {
    const std::uint32_t v = sources_[n].halves(w, l);
    return flush_ ? low(flushed(low_half(v)), flushed(high_half(v))) : v;
  }
  /// Both halves of f(a, b, c).
  template <class F>
  std::uint32_t each(std::uint32_t a, std::uint32_t b, std::uint32_t c, F f) const {
    return low(finish(f(low_half(a), low_half(b), low_half(c))), finish(f(high_half(a), high_half(b), high_half(c))));
  }

 private:
  static std::uint32_t low(std::uint16_t l, std::uint16_t h) { return l | std::uint32_t{h} << 16U; }
  static std::uint16_t flushed(std::uint16_t v) { return (v & 0x7c00U) == 0 ? v & 0x8000U : v; }
  std::uint16_t finish(std::uint16_t v) const {
    if (flush_) v = flushed(v);
    const float x = half_to_float(v);
    if (saturate_) return half_from_double(x > 0 ? std::fmin(x, 1.0F) : 0.0F, Rounding::nearest);
    return relu_ && !std::isnan(x) && std::signbit(x) ? std::uint16_t{0} : v;
  }

  std::vector<Source> sources_;
  bool saturate_, relu_, flush_;
};

// .F32: a widening of the low halves' sum.
void bind_hadd2(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (i.has("F32")) {
    return write_word(i, o, b, [f = HalfForm(i, 2, o)](const WarpState& w, Lane l) {
      const float x = half_to_float(low_half(f.read(0, w, l))), y = half_to_float(low_half(f.read(1, w, l)));
      return float_add(float_bits(x), float_bits(y), Rounding::nearest);
    });
  }
  write_word(i, o, b, [f = HalfForm(i, 2, o)](const WarpState& w, Lane l) {
    return f.each(f.read(0, w, l), f.read(1, w, l), 0,
                  [](std::uint16_t x, std::uint16_t y, std::uint16_t) { return half_add(x, y); });
  });
}

void bind_hmul2(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [f = HalfForm(i, 2, o)](const WarpState& w, Lane l) {
    return f.each(f.read(0, w, l), f.read(1, w, l), 0,
                  [](std::uint16_t x, std::uint16_t y, std::uint16_t) { return half_mul(x, y); });
  });
}

void bind_hfma2(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [f = HalfForm(i, 3, o)](const WarpState& w, Lane l) {
    return f.each(f.read(0, w, l), f.read(1, w, l), f.read(2, w, l), half_fma);
  });
}

std::uint16_t half_minimum(std::uint16_t a, std::uint16_t b, bool minimum, bool nan_wins) {
  const float x = half_to_float(a), y = half_to_float(b);
  if (std::isnan(x) || std::isnan(y)) {
    if (nan_wins || (std::isnan(x) && std::isnan(y))) return kHalfNan;
    return std::isnan(x) ? b : a;
  }
  const bool first = x < y || (x == y && std::signbit(x));
  return first == minimum ? a : b;
}

void bind_hmnmx2(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, f = HalfForm(i, 2, o), nan_wins = i.has("NAN")](const WarpState& w, Lane l) {
    const bool minimum = has_lane(o.q[0].lanes(w), l);
    return f.each(f.read(0, w, l), f.read(1, w, l), 0, [&](std::uint16_t x, std::uint16_t y, std::uint16_t) {
      return half_minimum(x, y, minimum, nan_wins);
    });
  });
}

bool half_holds(Comparison c, std::uint16_t a, std::uint16_t b) {
  return holds_for(c, half_to_float(a), half_to_float(b));
}

// The first predicate is the low halves' comparison, the second the high halves'.
void bind_hsetp2(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b,
           [o, f = HalfForm(i, 2, o), compare = comparison_of(i), how = joined_of(i)](WarpState& w, LaneMask lanes) {
             LaneMask low = 0, high = 0;
             for_each_lane_of(lanes, [&](Lane l) {
               const std::uint32_t x = f.read(0, w, l), y = f.read(1, w, l);
               low |= LaneMask{half_holds(compare, low_half(x), low_half(y))} << l;
               high |= LaneMask{half_holds(compare, high_half(x), high_half(y))} << l;
             });
             const LaneMask read = o.q[0].lanes(w), first = join(how, low, read), second = join(how, high, read);
             w.set_predicate(o.p[0], lanes, first);
             w.set_predicate(o.p[1], lanes, second);
           });
}

void bind_hset2(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const std::uint16_t yes = i.has("BF") ? half_from_double(1, Rounding::nearest) : std::uint16_t{0xffff};
  write_word(
      i, o, b,
      [o, yes, f = HalfForm(i, 2, o), compare = comparison_of(i), how = joined_of(i)](const WarpState& w, Lane l) {
        const LaneMask read = o.q[0].lanes(w);
        return f.each(f.read(0, w, l), f.read(1, w, l), 0, [&](std::uint16_t x, std::uint16_t y, std::uint16_t) {
          const LaneMask held = half_holds(compare, x, y) ? kAllLaneBits : 0;
          return has_lane(join(how, held, read), l) ? yes : std::uint16_t{0};
        });
      });
}

constexpr const char* kHalfFused = "SAT RELU FTZ MMA";
constexpr const char* kHalfComparisons = "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T AND OR XOR FTZ";
constexpr const char* kHalfComparisonsToRegister =
    "F LT EQ LE GT NE GE NUM NAN LTU EQU LEU GTU NEU GEU T AND OR XOR FTZ BF";

}  // namespace

const std::vector<InstructionRow>& half_rows() {
  static const std::vector<InstructionRow> rows{
      {"HADD2", "SAT FTZ F32", "d s s s?", "a + b; .F32: the low halves' sum as a float", Latency::fixed, bind_hadd2},
      {"HMUL2", "SAT FTZ", "d s s s?", "a * b", Latency::fixed, bind_hmul2},
      {"HFMA2", kHalfFused, "d s s s s?", "a * b + c in one rounding", Latency::fixed, bind_hfma2},
      {"HMNMX2", "NAN FTZ", "d s s s? q", "minimum where the predicate holds, else maximum; a NaN loses (.NAN: wins)",
       Latency::fixed, bind_hmnmx2},
      {"HSETP2", kHalfComparisons, "p p s s s? q", "comparisons of the low and of the high halves", Latency::fixed,
       bind_hsetp2},
      {"HSET2", kHalfComparisonsToRegister, "d s s s? q", "comparisons to a register: all ones, .BF 1.0",
       Latency::fixed, bind_hset2},
  };
  return rows;
}

}  // namespace gputlm
