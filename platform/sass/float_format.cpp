// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/float_format.h"

#include <cfenv>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace gputlm {
namespace {

static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<double>::is_iec559);

/// The host rounds in the direction asked for while this lives. This file is compiled for a rounding mode that varies.
class Rounded {
 public:
  explicit Rounded(Rounding rounding) : before_(std::fegetround()) {
    constexpr int kModes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    wanted_ = kModes[static_cast<unsigned>(rounding)];
    if (wanted_ != before_) std::fesetround(wanted_);
  }
  ~Rounded() {
    if (wanted_ != before_) std::fesetround(before_);
  }
  Rounded(const Rounded&) = delete;
  Rounded& operator=(const Rounded&) = delete;

 private:
  int before_, wanted_;
};

template <class T>
T sum(T a, T b, Rounding rounding) {
  const Rounded mode(rounding);
  const volatile T x = a, y = b;
  const volatile T result = x + y;
  return result;
}

template <class T>
T product(T a, T b, Rounding rounding) {
  const Rounded mode(rounding);
  const volatile T x = a, y = b;
  const volatile T result = x * y;
  return result;
}

template <class T>
T fused(T a, T b, T c, Rounding rounding) {
  const Rounded mode(rounding);
  const volatile T x = a, y = b, z = c;
  const volatile T result = std::fma(x, y, z);
  return result;
}

constexpr std::uint64_t kQuiet = std::uint64_t{1} << 51U;

/// The first NaN among double operands, made quiet; else the result.
template <class... Operands>
std::uint64_t with_nan_of(double result, Operands... operands) {
  for (const std::uint64_t o : {operands...})
    if (is_nan(o)) return o | kQuiet;
  return double_bits(result);
}

template <class T>
T from_integer(std::uint64_t magnitude, bool negative, Rounding rounding) {
  // Rounded as a magnitude, so the directions change places below zero.
  if (negative && rounding == Rounding::down)
    rounding = Rounding::up;
  else if (negative && rounding == Rounding::up)
    rounding = Rounding::down;
  const Rounded mode(rounding);
  T result = 0;
  if constexpr (sizeof(T) == sizeof(double)) {
    // Both halves are exact, so only their sum is rounded.
    const volatile double high = static_cast<double>(magnitude >> 32U) * 4294967296.0;
    const volatile auto low = static_cast<double>(magnitude & 0xffffffffU);
    const volatile double whole = high + low;
    result = whole;
  } else {
    // 64 bits do not fit a double: those below are gathered into one bit, which is all that a float's rounding asks
    // for.
    std::uint64_t kept = magnitude;
    if (magnitude >> 53U != 0) kept = (magnitude & ~std::uint64_t{0xfff}) | ((magnitude & 0xfffU) != 0 ? 0x800U : 0U);
    const volatile auto whole = static_cast<double>(kept);
    const volatile auto narrow = static_cast<float>(whole);
    result = narrow;
  }
  return negative ? -result : result;
}

/// The exact sum of two doubles to a double that tells its neighbours apart: when it is not exact, the last bit is set
/// (rounding to odd), so that rounding it once more to a narrower format gives what one rounding would.
double odd_sum(double a, double b) {
  const double s = sum(a, b, Rounding::nearest);
  if (!std::isfinite(s)) return s;
  const double a_part = s - b, rest = (a - a_part) + (b - (s - a_part));
  if (rest == 0 || (double_bits(s) & 1U) != 0) return s;
  return std::nextafter(s,
                        rest > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
}

}  // namespace

std::uint32_t float_bits(float value) {
  return std::isnan(value) ? kFloatNan : bits_to<std::uint32_t>(value);
}

std::uint64_t double_bits(double value) {
  return std::isnan(value) ? kDoubleNan : bits_to<std::uint64_t>(value);
}

std::uint32_t flush(std::uint32_t float_bits) {
  return (float_bits & 0x7f800000U) == 0 ? float_bits & 0x80000000U : float_bits;
}

std::uint32_t float_fma(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding) {
  return float_bits(fused(to_float(a), to_float(b), to_float(c), rounding));
}

std::uint32_t float_add(std::uint32_t a, std::uint32_t b, Rounding rounding) {
  return float_bits(sum(to_float(a), to_float(b), rounding));
}

std::uint32_t float_mul(std::uint32_t a, std::uint32_t b, Rounding rounding) {
  return float_bits(product(to_float(a), to_float(b), rounding));
}

std::uint64_t double_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding) {
  return with_nan_of(fused(to_double(a), to_double(b), to_double(c), rounding), a, b, c);
}

std::uint64_t double_add(std::uint64_t a, std::uint64_t b, Rounding rounding) {
  return with_nan_of(sum(to_double(a), to_double(b), rounding), a, b);
}

std::uint64_t double_mul(std::uint64_t a, std::uint64_t b, Rounding rounding) {
  return with_nan_of(product(to_double(a), to_double(b), rounding), a, b);
}

std::uint16_t half_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c) {
  const double p = static_cast<double>(half_to_float(a)) * half_to_float(b);  // exact: 22 bits
  return half_from_double(odd_sum(p, half_to_float(c)), Rounding::nearest);
}

std::uint16_t half_add(std::uint16_t a, std::uint16_t b) {
  return half_from_double(odd_sum(half_to_float(a), half_to_float(b)), Rounding::nearest);
}

std::uint16_t half_mul(std::uint16_t a, std::uint16_t b) {
  return half_from_double(static_cast<double>(half_to_float(a)) * half_to_float(b), Rounding::nearest);
}

std::uint32_t float_from_double(double value, Rounding rounding) {
  const Rounded mode(rounding);
  const volatile double from = value;
  const volatile auto to = static_cast<float>(from);
  return float_bits(to);
}

std::uint32_t float_from_double(std::uint64_t bits, Rounding rounding) {
  if (!is_nan(bits)) return float_from_double(to_double(bits), rounding);
  return static_cast<std::uint32_t>(bits >> 63U << 31U) | 0x7fc00000U |
         static_cast<std::uint32_t>(bits >> 29U & 0x7fffffU);
}

std::uint64_t double_from_float(std::uint32_t bits) {
  if (!is_nan(bits)) return double_bits(to_float(bits));
  return std::uint64_t{bits >> 31U} << 63U | 0x7ff8000000000000U | std::uint64_t{bits & 0x7fffffU} << 29U;
}

std::uint16_t half_from_double(double value, Rounding rounding) {
  if (std::isnan(value)) return kHalfNan;
  const std::uint16_t sign = std::signbit(value) ? 0x8000U : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  constexpr double kLargest = 65504, kOverflow = 65520;
  const bool away = rounding == (sign != 0 ? Rounding::down : Rounding::up);
  if (std::isinf(value) || magnitude >= kOverflow || magnitude > kLargest) {
    const bool infinite = std::isinf(value) || away || (rounding == Rounding::nearest && magnitude >= kOverflow);
    return sign | (infinite ? 0x7c00U : 0x7bffU);
  }
  // In units of the last place: 2^-24 for subnormals, 2^(e - 10) for others.
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  const int unit = exponent - 1 < -14 ? -24 : exponent - 11;
  const double units = std::ldexp(magnitude, -unit);
  const double whole = to_integral(units, rounding == Rounding::nearest ? Rounding::nearest
                                          : away                        ? Rounding::up
                                                                        : Rounding::zero);
  // A carry out of the fraction raises the exponent by itself.
  const auto mantissa = static_cast<std::uint32_t>(whole);
  const std::uint32_t biased = unit == -24 && exponent - 1 < -14 ? 0 : static_cast<std::uint32_t>(exponent + 14) - 1;
  return static_cast<std::uint16_t>(sign | ((biased << 10U) + mantissa));
}

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = (bits & 0x8000U) << 16U, exponent = bits >> 10U & 0x1fU, fraction = bits & 0x3ffU;
  if (exponent == 0x1f) return to_float(sign | 0x7f800000U | fraction << 13U);
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                        : to_float((exponent + 112U) << 23U | fraction << 13U);
  return sign != 0 ? -magnitude : magnitude;
}

double to_integral(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::down:
      return std::floor(value);
    case Rounding::up:
      return std::ceil(value);
    case Rounding::zero:
      return std::trunc(value);
    case Rounding::nearest:
      break;
  }
  const double below = std::floor(value), part = value - below;
  const bool odd = std::fmod(below, 2) != 0;
  const double rounded = part > 0.5 || (part == 0.5 && odd) ? below + 1 : below;
  return std::copysign(rounded, value);
}

std::uint64_t double_to_integral(std::uint64_t bits, Rounding rounding) {
  return is_nan(bits) ? bits | kQuiet : double_bits(to_integral(to_double(bits), rounding));
}

std::uint32_t float_from_integer(std::uint64_t magnitude, bool negative, Rounding rounding) {
  return float_bits(from_integer<float>(magnitude, negative, rounding));
}

std::uint64_t double_from_integer(std::uint64_t magnitude, bool negative, Rounding rounding) {
  return double_bits(from_integer<double>(magnitude, negative, rounding));
}

}  // namespace gputlm
