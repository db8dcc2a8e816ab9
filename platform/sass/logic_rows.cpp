// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/sass/binding.h"

namespace gputlm {
namespace {

/// The table's bit for each triple of bits: a is bit 2 of the index, b bit 1, c bit 0.
std::uint32_t look_up(std::uint8_t table, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  std::uint32_t result = 0;
  for (unsigned index = 0; index < 8; ++index)
    if ((table >> index & 1U) != 0)
      result |= ((index & 4U) != 0 ? a : ~a) & ((index & 2U) != 0 ? b : ~b) & ((index & 1U) != 0 ? c : ~c);
  return result;
}

void bind_lop3(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const auto table = static_cast<std::uint8_t>(o.i.at(0));
  run_warp(i, b, [o, table, both = i.has("PAND")](WarpState& w, LaneMask lanes) {
    LaneMask set = 0;
    for_each_lane_of(lanes, [&](Lane l) {
      const std::uint32_t v = look_up(table, o.s[0].integer(w, l), o.s[1].integer(w, l), o.s[2].integer(w, l));
      o.d[0].write(w, l, v);
      set |= LaneMask{v != 0} << l;
    });
    const LaneMask read = o.q.at(0).lanes(w);
    if (!o.p.empty()) w.set_predicate(o.p[0], lanes, both ? set & read : set | read);
  });
}

// Two tables, one for each predicate written.
void bind_plop3(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_warp(i, b, [o](WarpState& w, LaneMask lanes) {
    const LaneMask x = o.q[0].lanes(w), y = o.q[1].lanes(w), z = o.q[2].lanes(w);
    w.set_predicate(o.p[0], lanes, look_up(static_cast<std::uint8_t>(o.i[0]), x, y, z));
    w.set_predicate(o.p[1], lanes, look_up(static_cast<std::uint8_t>(o.i[1]), x, y, z));
  });
}

// {c, a} shifted: .L or .R, .HI: the upper word of the result. 64-bit types take shifts up to 63, others up to 32;
// larger ones are clamped, or with .W taken modulo the width.
void bind_shf(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const bool left = i.has("L"), high = i.has("HI"), wrap = i.has("W"), is_signed = i.has("S32") || i.has("S64");
  const unsigned width = i.has("U64") || i.has("S64") ? 64 : 32;
  write_word(i, o, b, [=](const WarpState& w, Lane l) {
    const std::uint64_t v = std::uint64_t{o.s[2].integer(w, l)} << 32U | o.s[0].integer(w, l);
    const std::uint32_t asked = o.s[1].integer(w, l);
    const unsigned n = wrap ? asked % width : std::min(asked, width);
    std::uint64_t result = 0;
    if (left)
      result = n == 64 ? 0 : v << n;
    else if (is_signed)
      result = static_cast<std::uint64_t>(as_signed(v) >> std::min(n, 63U));
    else
      result = n == 64 ? 0 : v >> n;
    return static_cast<std::uint32_t>(high ? result >> 32U : result);
  });
}

// Each nibble of the selector names a byte of {c, a}; its top bit asks for eight copies of that byte's sign.
void bind_prmt(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o](const WarpState& w, Lane l) {
    const std::uint64_t bytes = std::uint64_t{o.s[2].integer(w, l)} << 32U | o.s[0].integer(w, l);
    const std::uint32_t selector = o.s[1].integer(w, l);
    std::uint32_t result = 0;
    for (unsigned n = 0; n < 4; ++n) {
      const std::uint32_t pick = selector >> (4 * n) & 0xfU;
      auto byte = static_cast<std::uint32_t>(bytes >> (8 * (pick & 7U)) & 0xffU);
      if ((pick & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xffU : 0;
      result |= byte << (8 * n);
    }
    return result;
  });
}

void bind_sel(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o](const WarpState& w, Lane l) {
    return has_lane(o.q[0].lanes(w), l) ? o.s[0].integer(w, l) : o.s[1].integer(w, l);
  });
}

void bind_mov(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (!o.i.empty() && o.i[0] != 0xf) throw Unsupported("a MOV of some bytes only is not supported");
  write_word(i, o, b, [s = o.s[0]](const WarpState& w, Lane l) { return s.integer(w, l); });
}

std::uint32_t low_ones(std::uint32_t count) {
  return count >= 32 ? ~0U : (1U << count) - 1;
}

void bind_bmsk(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, wrap = i.has("W")](const WarpState& w, Lane l) {
    const std::uint32_t position = wrap ? o.s[0].integer(w, l) % 32 : o.s[0].integer(w, l);
    const std::uint32_t width = wrap ? o.s[1].integer(w, l) % 32 : o.s[1].integer(w, l);
    return position >= 32 ? 0 : low_ones(width) << position;
  });
}

void bind_sgxt(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o, wrap = i.has("W"), zero = i.has("U32")](const WarpState& w, Lane l) {
    const std::uint32_t width = wrap ? o.s[1].integer(w, l) % 32 : o.s[1].integer(w, l), v = o.s[0].integer(w, l);
    return zero ? v & low_ones(width) : sign_extend(v, std::min(width, 32U));
  });
}

void bind_popc(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [s = o.s[0]](const WarpState& w, Lane l) {
    return static_cast<std::uint32_t>(__builtin_popcount(s.integer(w, l)));
  });
}

// Position of the leading one (signed: of the first bit that differs from the sign), all ones when there is none; .SH:
// the shift that brings it to the top.
void bind_flo(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [s = o.s[0], is_signed = !i.has("U32"), shift = i.has("SH")](const WarpState& w, Lane l) {
    std::uint32_t v = s.integer(w, l);
    if (is_signed && as_signed(v) < 0) v = ~v;
    if (v == 0) return ~0U;
    const auto above = static_cast<std::uint32_t>(__builtin_clz(v));
    return shift ? above : 31 - above;
  });
}

void bind_brev(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [s = o.s[0]](const WarpState& w, Lane l) {
    const std::uint32_t v = s.integer(w, l);
    std::uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; ++bit) result |= (v >> bit & 1U) << (31 - bit);
    return result;
  });
}

/// P0 to P6 of a lane as bits.
std::uint32_t predicate_bits(const WarpState& w, Lane l) {
  std::uint32_t bits = 0;
  for (unsigned p = 0; p < kTruePredicate; ++p) bits |= (w.predicate(p) >> l & 1U) << p;
  return bits;
}

void bind_p2r(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  write_word(i, o, b, [o](const WarpState& w, Lane l) {
    const std::uint32_t mask = o.s[1].integer(w, l);
    return (o.s[0].integer(w, l) & ~mask) | (predicate_bits(w, l) & mask);
  });
}

void bind_r2p(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  run_lanes(i, b, [o](WarpState& w, Lane l) {
    const std::uint32_t v = o.s[0].integer(w, l), mask = o.s[1].integer(w, l);
    for (unsigned p = 0; p < kTruePredicate; ++p)
      if ((mask >> p & 1U) != 0) w.set_predicate(p, LaneMask{1} << l, (v >> p & 1U) << l);
  });
}

constexpr const char* kShifts = "L R W HI U32 S32 U64 S64";

}  // namespace

const std::vector<InstructionRow>& logic_rows() {
  static const std::vector<InstructionRow> rows{
      {"LOP3", "LUT PAND", "p? d s s s i q",
       "any function of three bits, by table; predicate: the result is not zero, or (.PAND: and) the one read",
       Latency::fixed, bind_lop3},
      {"ULOP3", "LUT PAND", "p? d s s s i q", "LOP3 on uniform registers", Latency::fixed, bind_lop3},
      {"PLOP3", "LUT", "p p q q q i i", "two functions of three predicates", Latency::fixed, bind_plop3},
      {"UPLOP3", "LUT", "p p q q q i i", "PLOP3 on uniform predicates", Latency::fixed, bind_plop3},
      {"SHF", kShifts, "d s s s", "{c, a} shifted by b", Latency::fixed, bind_shf},
      {"USHF", kShifts, "d s s s", "SHF on uniform registers", Latency::fixed, bind_shf},
      {"PRMT", "", "d s s s", "bytes of {c, a} picked by b", Latency::fixed, bind_prmt},
      {"UPRMT", "", "d s s s", "PRMT on uniform registers", Latency::fixed, bind_prmt},
      {"SEL", "", "d s s q", "a where the predicate holds, else b", Latency::fixed, bind_sel},
      {"USEL", "", "d s s q", "SEL on uniform registers", Latency::fixed, bind_sel},
      {"MOV", "", "d s i?", "copy", Latency::fixed, bind_mov},
      {"UMOV", "", "d s", "copy to a uniform register", Latency::fixed, bind_mov},
      {"BMSK", "W", "d s s", "b ones from bit a", Latency::fixed, bind_bmsk},
      {"UBMSK", "W", "d s s", "BMSK on uniform registers", Latency::fixed, bind_bmsk},
      {"SGXT", "W U32", "d s s", "the low b bits, sign-extended (.U32: zero-extended)", Latency::fixed, bind_sgxt},
      {"USGXT", "W U32", "d s s", "SGXT on uniform registers", Latency::fixed, bind_sgxt},
      {"POPC", "", "d s", "number of ones", Latency::special_function, bind_popc},
      {"UPOPC", "", "d s", "POPC on uniform registers", Latency::fixed, bind_popc},
      {"FLO", "U32 SH", "d s", "position of the leading one; .SH: zeros above it", Latency::special_function, bind_flo},
      {"UFLO", "U32 SH", "d s", "FLO on uniform registers", Latency::fixed, bind_flo},
      {"BREV", "", "d s", "bits in reverse order", Latency::special_function, bind_brev},
      {"UBREV", "", "d s", "BREV on uniform registers", Latency::fixed, bind_brev},
      {"P2R", "", "d x s s", "predicates to a register's masked bits", Latency::fixed, bind_p2r},
      {"R2P", "", "x s s", "a register's masked bits to predicates", Latency::fixed, bind_r2p},
  };
  return rows;
}

}  // namespace gputlm
