// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/sass/binding.h"
#include "gputlm/sass/comparison.h"

namespace gputlm {
namespace {

void bind_iadd3(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o, extended = i.has("X")](WarpState& w, LaneMask lanes) {
    LaneMask carry = 0, second_carry = 0;
    for_each_lane_of(lanes, [&](Lane l) {
      std::uint64_t sum = o.s[0].addend(w, l) + o.s[1].addend(w, l) + o.s[2].addend(w, l);
      if (extended)
        for (const PredicateSource& q : o.q) sum += has_lane(q.lanes(w), l) ? 1 : 0;
      o.d[0].write(w, l, static_cast<std::uint32_t>(sum));
      const std::uint64_t carried = sum >> 32U;
      carry |= LaneMask{carried > 0} << l;
      second_carry |= LaneMask{carried > 1} << l;
    });
    if (!o.p.empty()) w.set_predicate(o.p[0], lanes, carry);
    if (o.p.size() > 1) w.set_predicate(o.p[1], lanes, second_carry);
  });
}

std::uint64_t product(const Operands& o, const WarpState& w, Lane l, bool is_signed) {
  const std::uint32_t x = o.s[0].integer(w, l), y = o.s[1].integer(w, l);
  if (!is_signed) return std::uint64_t{x} * y;
  return static_cast<std::uint64_t>(std::int64_t{as_signed(x)} * as_signed(y));
}

void bind_imad(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const bool is_signed = !i.has("U32"), extended = i.has("X"), wide = i.has("WIDE"), high = i.has("HI");
  if (extended && o.q.empty()) throw Unsupported(".X without a predicate to carry in for " + i.opcode);
  if (!wide && !high) {
    if (!o.p.empty()) throw Unsupported("a carry out of the low half is not supported for " + i.opcode);
    return write_word(i, o, b, [o, extended](const WarpState& w, Lane l) {
      const std::uint32_t carry = extended && has_lane(o.q.at(0).lanes(w), l) ? 1 : 0;
      return o.s[0].integer(w, l) * o.s[1].integer(w, l) + o.s[2].integer(w, l) + carry;
    });
  }
  run_warp(i, b, [=](WarpState& w, LaneMask lanes) {
    LaneMask carries = 0;
    for_each_lane_of(lanes, [&](Lane l) {
      const std::uint64_t added = o.s[2].wide(w, l), carry = extended && has_lane(o.q.at(0).lanes(w), l) ? 1 : 0;
      const std::uint64_t first = product(o, w, l, is_signed) + added, sum = first + carry;
      carries |= LaneMask{first < added || sum < first} << l;
      if (wide)
        o.d[0].write_pair(w, l, sum);
      else
        o.d[0].write(w, l, static_cast<std::uint32_t>(sum >> 32U));
    });
    if (!o.p.empty()) w.set_predicate(o.p[0], lanes, carries);
  });
}

// (a << shift) + b; .HI: the upper half of {c, a} << shift, + b.
void bind_lea(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const bool high = i.has("HI"), sign = i.has("SX32"), extended = i.has("X");
  const std::size_t expected = high && !sign ? 4 : 3;
  if (o.s.size() != expected || !o.s.back().is_number())
    throw Unsupported("these operands are not supported for " + i.opcode);
  const auto shift = static_cast<unsigned>(o.s.back().value()) & 31U;
  run_warp(i, b, [=](WarpState& w, LaneMask lanes) {
    LaneMask carries = 0;
    for_each_lane_of(lanes, [&](Lane l) {
      const std::uint32_t a = o.s[0].integer(w, l);
      std::uint32_t term = a << shift;
      if (high) {
        const std::uint32_t c = sign ? (a >> 31U != 0 ? ~0U : 0U) : o.s[2].integer(w, l);
        term = static_cast<std::uint32_t>((std::uint64_t{c} << 32U | a) >> (32 - shift));
      }
      std::uint64_t sum = term + o.s[1].addend(w, l);
      if (extended && !o.q.empty() && has_lane(o.q[0].lanes(w), l)) ++sum;
      o.d[0].write(w, l, static_cast<std::uint32_t>(sum));
      carries |= LaneMask{sum >> 32U != 0} << l;
    });
    if (!o.p.empty()) w.set_predicate(o.p[0], lanes, carries);
  });
}

void bind_iabs(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [s = o.s[0]](const WarpState& w, Lane l) {
    const std::uint32_t v = s.integer(w, l);
    return as_signed(v) < 0 ? ~v + 1 : v;
  });
}

void bind_imnmx(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, is_signed = !i.has("U32")](const WarpState& w, Lane l) {
    const std::uint32_t x = o.s[0].integer(w, l), y = o.s[1].integer(w, l);
    const bool less = is_signed ? as_signed(x) < as_signed(y) : x < y;
    return less == has_lane(o.q[0].lanes(w), l) ? x : y;
  });
}

void bind_isetp(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const Comparison compare = comparison_of(i);
  const bool is_signed = !i.has("U32"), extended = i.has("EX");
  if (extended && o.q.size() < 2) throw Unsupported("ISETP.EX without the predicate of the lower half");
  run_warp(i, b, [=, how = joined_of(i)](WarpState& w, LaneMask lanes) {
    const LaneMask held = lanes_where(lanes, [&](Lane l) {
      const std::uint32_t x = o.s[0].integer(w, l), y = o.s[1].integer(w, l);
      const bool less = is_signed ? as_signed(x) < as_signed(y) : x < y;
      // Upper halves that are equal leave the answer to the lower ones.
      if (extended && x == y && compare != Comparison::never && compare != Comparison::always)
        return has_lane(o.q[1].lanes(w), l);
      return holds(compare, less, x == y);
    });
    set_compared(w, o, how, lanes, held);
  });
}

void bind_idp(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (!i.has("4A")) throw Unsupported("only IDP.4A is supported");
  const bool first_signed = i.modifiers.size() > 1 && i.modifiers[1] == "S8";
  const bool second_signed = i.modifiers.size() > 2 && i.modifiers[2] == "S8";
  write_word(i, o, b, [=](const WarpState& w, Lane l) {
    const std::uint32_t x = o.s[0].word(w, l), y = o.s[1].word(w, l);
    std::uint32_t sum = o.s[2].integer(w, l);
    for (unsigned at = 0; at < 32; at += 8) {
      const std::uint32_t p = x >> at & 0xffU, q = y >> at & 0xffU;
      sum += (first_signed ? sign_extend(p, 8) : p) * (second_signed ? sign_extend(q, 8) : q);
    }
    return sum;
  });
}

void bind_vabsdiff(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, is_signed = !i.has("U32")](const WarpState& w, Lane l) {
    const std::uint32_t x = o.s[0].integer(w, l), y = o.s[1].integer(w, l);
    const bool less = is_signed ? as_signed(x) < as_signed(y) : x < y;
    return (less ? y - x : x - y) + o.s[2].integer(w, l);
  });
}

void bind_vabsdiff4(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, accumulate = i.has("ACC"), is_signed = !i.has("U8")](const WarpState& w, Lane l) {
    const std::uint32_t x = o.s[0].word(w, l), y = o.s[1].word(w, l);
    std::uint32_t packed = 0, sum = o.s[2].integer(w, l);
    for (unsigned at = 0; at < 32; at += 8) {
      const std::uint32_t p = x >> at & 0xffU, q = y >> at & 0xffU;
      const bool less = is_signed ? as_signed(sign_extend(p, 8)) < as_signed(sign_extend(q, 8)) : p < q;
      const std::uint32_t difference = (less ? q - p : p - q) & 0xffU;
      packed |= difference << at;
      sum += difference;
    }
    return accumulate ? sum : packed;
  });
}

constexpr const char* kIntegerComparisons = "F LT EQ LE GT NE GE T U32 S32 AND OR XOR EX";

}  // namespace

const std::vector<InstructionRow>& integer_rows() {
  static const std::vector<InstructionRow> rows{
      {"IADD3", "X", "d p? p? s s s q? q?", "sum of three; carries out to predicates; .X: carries in", Latency::fixed,
       bind_iadd3},
      {"UIADD3", "X", "d p? p? s s s q? q?", "IADD3 on uniform registers", Latency::fixed, bind_iadd3},
      {"IMAD", "MOV SHL IADD U32 S32 HI WIDE X", "d p? s s s q?",
       "a * b + c: low half, .HI upper half (c is a pair), .WIDE both", Latency::fixed, bind_imad},
      {"UIMAD", "MOV SHL IADD U32 S32 HI WIDE X", "d p? s s s q?", "IMAD on uniform registers", Latency::fixed,
       bind_imad},
      {"LEA", "HI X SX32", "d p? s s s s? q?", "(a << n) + b; .HI: upper half of {c, a} << n, + b", Latency::fixed,
       bind_lea},
      {"ULEA", "HI X SX32", "d p? s s s s? q?", "LEA on uniform registers", Latency::fixed, bind_lea},
      {"IABS", "", "d s", "absolute value", Latency::fixed, bind_iabs},
      {"IMNMX", "U32 S32", "d s s q", "minimum where the predicate holds, else maximum", Latency::fixed, bind_imnmx},
      {"UIMNMX", "U32 S32", "d s s q", "IMNMX on uniform registers", Latency::fixed, bind_imnmx},
      {"ISETP", kIntegerComparisons, "p p s s q q?", "comparison joined with a predicate; .EX: upper halves",
       Latency::fixed, bind_isetp},
      {"UISETP", kIntegerComparisons, "p p s s q q?", "ISETP on uniform registers", Latency::fixed, bind_isetp},
      {"IDP", "4A S8 U8", "d s s s", "dot product of four bytes, + c", Latency::fixed, bind_idp},
      {"VABSDIFF", "U32", "d s s s", "|a - b| + c", Latency::fixed, bind_vabsdiff},
      {"VABSDIFF4", "U8 ACC", "d s s s", "|a - b| of four bytes; .ACC: their sum, + c", Latency::fixed, bind_vabsdiff4},
  };
  return rows;
}

}  // namespace gputlm
