// SPDX-License-Identifier: Apache-2.0
//
// Floating-point arithmetic as the GPU does it, on bit patterns and independent of the host: a NaN that comes out of
// floats or halves is the canonical one of its format, one that comes out of doubles or goes from format to format is
// the first operand's that is one, made quiet (as an H200 does it). Rounding modes are explicit, flushing is asked for.
#pragma once

#include <cstdint>
#include <cstring>

namespace gputlm {

enum class Rounding : std::uint8_t { nearest, down, up, zero };

inline constexpr std::uint32_t kFloatNan = 0x7fffffffU;
inline constexpr std::uint64_t kDoubleNan = 0xfff8000000000000U;
inline constexpr std::uint16_t kHalfNan = 0x7fffU;

template <class To, class From>
To bits_to(From from) {
  static_assert(sizeof(To) == sizeof(From));
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

inline float to_float(std::uint32_t bits) {
  return bits_to<float>(bits);
}
inline double to_double(std::uint64_t bits) {
  return bits_to<double>(bits);
}

inline bool is_nan(std::uint32_t float_bits) {
  return (float_bits & 0x7fffffffU) > 0x7f800000U;
}
inline bool is_nan(std::uint64_t double_bits) {
  return (double_bits & ~(std::uint64_t{1} << 63U)) > 0x7ff0000000000000U;
}

/// Bits, with the canonical NaN for every NaN.
std::uint32_t float_bits(float value);
std::uint64_t double_bits(double value);

/// A subnormal becomes zero of its sign.
std::uint32_t flush(std::uint32_t float_bits);

/// a * b + c in one rounding.
std::uint32_t float_fma(std::uint32_t a, std::uint32_t b, std::uint32_t c, Rounding rounding);
std::uint32_t float_add(std::uint32_t a, std::uint32_t b, Rounding rounding);
std::uint32_t float_mul(std::uint32_t a, std::uint32_t b, Rounding rounding);
std::uint64_t double_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c, Rounding rounding);
std::uint64_t double_add(std::uint64_t a, std::uint64_t b, Rounding rounding);
std::uint64_t double_mul(std::uint64_t a, std::uint64_t b, Rounding rounding);
/// Halves, each through one rounding.
std::uint16_t half_fma(std::uint16_t a, std::uint16_t b, std::uint16_t c);
std::uint16_t half_add(std::uint16_t a, std::uint16_t b);
std::uint16_t half_mul(std::uint16_t a, std::uint16_t b);

/// Conversions between formats.
std::uint32_t float_from_double(double value, Rounding rounding);
std::uint32_t float_from_double(std::uint64_t bits, Rounding rounding);
std::uint64_t double_from_float(std::uint32_t bits);
std::uint16_t half_from_double(double value, Rounding rounding);
float half_to_float(std::uint16_t bits);

/// To the nearest integer in the direction asked for, as a floating-point number.
double to_integral(double value, Rounding rounding);
std::uint64_t double_to_integral(std::uint64_t bits, Rounding rounding);

/// The integer as the nearest number of the format in the direction asked for.
std::uint32_t float_from_integer(std::uint64_t magnitude, bool negative, Rounding rounding);
std::uint64_t double_from_integer(std::uint64_t magnitude, bool negative, Rounding rounding);

}  // namespace gputlm
