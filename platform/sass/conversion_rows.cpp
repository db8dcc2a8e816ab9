// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gputlm/sass/float_binding.h"

namespace gputlm {
namespace {

/// An integer type of a conversion.
struct IntegerForm {
  unsigned bits = 32;
  bool is_signed = true;
};

/// The integer type among the modifiers; signed 32 bits when none is named.
IntegerForm integer_of(const SassInstruction& i) {
  for (const unsigned bits : {8U, 16U, 32U, 64U}) {
    if (i.has("S" + std::to_string(bits))) return {bits, true};
    if (i.has("U" + std::to_string(bits))) return {bits, false};
  }
  return {};
}

std::uint64_t read_integer(const IntegerForm& form, const Source& s, const WarpState& w, Lane l) {
  if (form.bits == 64) return s.wide(w, l);
  const std::uint32_t v = s.integer(w, l) >> s.narrow_shift();
  const std::uint32_t narrow = form.bits == 32 ? v : v & ((1U << form.bits) - 1);
  if (!form.is_signed) return narrow;
  return static_cast<std::uint64_t>(std::int64_t{as_signed(sign_extend(narrow, form.bits))});
}

// I2F, I2FP.F32
void bind_i2f(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const IntegerForm form = integer_of(i);
  auto convert = [=, s = o.s[0], r = rounding_of(i)](const WarpState& w, Lane l, auto to) {
    const std::uint64_t v = read_integer(form, s, w, l);
    const bool negative = form.is_signed && as_signed(v) < 0;
    return to(negative ? ~v + 1 : v, negative, r);
  };
  if (i.has("F64"))
    write_pair(i, o, b, [=](const WarpState& w, Lane l) { return convert(w, l, double_from_integer); });
  else if (i.has("F16"))
    write_word(i, o, b, [=](const WarpState& w, Lane l) {
      return convert(w, l, [](std::uint64_t v, bool negative, Rounding r) {
        const double x = to_double(double_from_integer(v, false, Rounding::nearest));
        return std::uint32_t{half_from_double(negative ? -x : x, r)};
      });
    });
  else
    write_word(i, o, b, [=](const WarpState& w, Lane l) { return convert(w, l, float_from_integer); });
}

/// The floating-point operand of F2I, FRND and F2F as a double, which holds every float and half exactly.
double read_number(const SassInstruction& i, const Source& s, const WarpState& w, Lane l) {
  if (i.has("F64")) return to_double(s.real(w, l));
  if (i.has("F16")) return half_to_float(static_cast<std::uint16_t>(s.halves(w, l)));
  const std::uint32_t v = s.single(w, l);
  return to_float(i.has("FTZ") ? flush(v) : v);
}

/// Out of range: the nearest integer there is. A NaN: zero for a float to 32 bits, else the sign bit alone.
std::uint64_t to_integer(double value, const IntegerForm& form, bool nan_is_zero) {
  if (std::isnan(value)) return nan_is_zero ? 0 : std::uint64_t{1} << (form.bits == 64 ? 63U : 31U);
  const double top = std::ldexp(1.0, static_cast<int>(form.is_signed ? form.bits - 1 : form.bits));
  const double bottom = form.is_signed ? -top : 0;
  if (value < bottom) value = bottom;
  if (value >= top)
    return form.is_signed ? (std::uint64_t{1} << (form.bits - 1)) - 1
                          : (form.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << form.bits) - 1);
  return form.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                        : static_cast<std::uint64_t>(value);
}

void bind_f2i(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  const IntegerForm form = integer_of(i);
  auto convert = [=, s = o.s[0], r = rounding_of(i), nan_is_zero = i.has("NTZ")](const WarpState& w, Lane l) {
    return to_integer(to_integral(read_number(i, s, w, l), r), form, nan_is_zero);
  };
  if (form.bits == 64)
    write_pair(i, o, b, convert);
  else
    write_word(i, o, b, [=](const WarpState& w, Lane l) { return static_cast<std::uint32_t>(convert(w, l)); });
}

void bind_frnd(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  auto rounded = [i, s = o.s[0], r = rounding_of(i)](const WarpState& w, Lane l) {
    return to_integral(read_number(i, s, w, l), r);
  };
  if (i.has("F64"))
    write_pair(i, o, b, [s = o.s[0], r = rounding_of(i)](const WarpState& w, Lane l) {
      return double_to_integral(s.real(w, l), r);
    });
  else if (i.has("F16"))
    write_word(i, o, b, [=](const WarpState& w, Lane l) {
      return std::uint32_t{half_from_double(rounded(w, l), Rounding::nearest)};
    });
  else
    write_word(i, o, b, [=](const WarpState& w, Lane l) { return float_bits(static_cast<float>(rounded(w, l))); });
}

// F2F.TO.FROM
void bind_f2f(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  std::vector<std::string> formats;
  for (const std::string& m : i.modifiers)
    if (m == "F64" || m == "F32" || m == "F16") formats.push_back(m);
  if (formats.size() != 2) throw Unsupported("F2F needs two formats");
  const Rounding r = rounding_of(i);
  const bool flushes = i.has("FTZ");
  auto single = [s = o.s[0], flushes](const WarpState& w, Lane l) {
    const std::uint32_t v = s.single(w, l);
    return flushes ? flush(v) : v;
  };
  const std::string way = formats[0] + "." + formats[1];
  if (way == "F64.F32")
    write_pair(i, o, b, [=](const WarpState& w, Lane l) { return double_from_float(single(w, l)); });
  else if (way == "F32.F64")
    write_word(i, o, b, [=, s = o.s[0]](const WarpState& w, Lane l) {
      const std::uint32_t v = float_from_double(s.real(w, l), r);
      return flushes ? flush(v) : v;
    });
  else if (way == "F16.F32")
    write_word(i, o, b,
               [=](const WarpState& w, Lane l) { return std::uint32_t{half_from_double(to_float(single(w, l)), r)}; });
  else
    throw Unsupported("F2F." + way + " is not supported");
}

// F2FP.F16.F32.PACK_AB: a to the upper half, b to the lower.
void bind_f2fp(const SassInstruction& i, const Operands& o, BoundInstruction& b) {
  if (!i.has("F16") || !i.has("F32") || !i.has("PACK_AB")) throw Unsupported("only F2FP.F16.F32.PACK_AB is supported");
  write_word(i, o, b, [o, r = rounding_of(i), relu = i.has("RELU")](const WarpState& w, Lane l) {
    auto half = [&](const Source& s) -> std::uint32_t {
      const float x = to_float(s.single(w, l));
      return half_from_double(relu && x < 0 ? 0 : x, r);
    };
    return half(o.s[0]) << 16U | half(o.s[1]);
  });
}

}  // namespace

const std::vector<InstructionRow>& conversion_rows() {
  constexpr const char* kRounds = "RN RM RP RZ U8 S8 U16 S16 U32 S32 U64 S64 F16 F32 F64";
  constexpr const char* kToInteger = "FTZ NTZ TRUNC FLOOR CEIL U8 S8 U16 S16 U32 S32 U64 S64 F16 F32 F64";
  static const std::vector<InstructionRow> rows{
      {"I2F", kRounds, "d s", "integer to floating point", Latency::special_function, bind_i2f},
      {"I2FP", "F32 U32 S32 RN RM RP RZ", "d s", "32-bit integer to float, in the main pipe", Latency::fixed, bind_i2f},
      {"F2I", kToInteger, "d s", "floating point to integer, clamped; .NTZ: a NaN becomes zero",
       Latency::special_function, bind_f2i},
      {"FRND", "FTZ TRUNC FLOOR CEIL F16 F64", "d s", "to an integer of the same format", Latency::special_function,
       bind_frnd},
      {"F2F", "FTZ F16 F32 F64 RN RM RP RZ", "d s", "between floating-point formats: .TO.FROM",
       Latency::special_function, bind_f2f},
      {"F2FP", "F16 F32 PACK_AB RZ RELU", "d s s", "two floats to two halves", Latency::fixed, bind_f2fp},
  };
  return rows;
}

}  // namespace gputlm
