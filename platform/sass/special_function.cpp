// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/special_function.h"

#include <cmath>
#include <limits>

#include "gputlm/sass/float_format.h"

namespace gputlm {
namespace {

constexpr double kPi = 3.14159265358979323846, kLn2 = 0.69314718055994530942,
                 kInfinity = std::numeric_limits<double>::infinity();

// Subnormal operands and results of MUFU are zero.
double operand(std::uint32_t bits) {
  return to_float(flush(bits));
}

std::uint32_t result(double value) {
  return flush(float_from_double(value, Rounding::nearest));
}

/// sin(pi x) for |x| at most one half.
double sine_of_half_turns(double x) {
  const double angle = kPi * x, square = angle * angle;
  double sum = 1;
  for (int n = 18; n >= 2; n -= 2) sum = 1 - square / (n * (n + 1)) * sum;
  return angle * sum;
}

/// 2^x for finite x.
double power_of_two(double x) {
  const double whole = to_integral(x, Rounding::nearest);
  if (whole > 2000) return kInfinity;
  if (whole < -2000) return 0;
  const double y = (x - whole) * kLn2;
  double sum = 1;
  for (int n = 16; n >= 1; --n) sum = 1 + y / n * sum;
  return std::ldexp(sum, static_cast<int>(whole));
}

/// log2(x) for finite x above zero.
double logarithm(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double z = (m - 1) / (m + 1), square = z * z;
  double sum = 0;
  for (int n = 25; n >= 1; n -= 2) sum = 1.0 / n + square * sum;
  return exponent + 2 * z * sum / kLn2;
}

std::uint32_t reciprocal(std::uint32_t x) {
  return result(1.0 / operand(x));
}

std::uint32_t reciprocal_root(std::uint32_t x) {
  return result(1.0 / std::sqrt(operand(x)));
}

std::uint32_t root(std::uint32_t x) {
  return result(std::sqrt(operand(x)));
}

// The operand counts turns: the compiler multiplies by 1 / (2 pi) ahead of it.
double sine_of_turns(double turns) {
  if (!std::isfinite(turns)) return std::numeric_limits<double>::quiet_NaN();
  double half_turns = 2 * (turns - to_integral(turns, Rounding::nearest));
  if (half_turns > 0.5) half_turns = 1 - half_turns;
  if (half_turns < -0.5) half_turns = -1 - half_turns;
  return sine_of_half_turns(half_turns);
}

std::uint32_t sine(std::uint32_t x) {
  return result(sine_of_turns(operand(x)));
}

std::uint32_t cosine(std::uint32_t x) {
  const double turns = operand(x);
  return result(sine_of_turns(turns - to_integral(turns, Rounding::nearest) + 0.25));
}

std::uint32_t exponential(std::uint32_t x) {
  const double v = operand(x);
  if (std::isnan(v)) return kFloatNan;
  if (std::isinf(v)) return float_bits(v > 0 ? to_float(0x7f800000U) : 0.0F);
  return result(power_of_two(v));
}

std::uint32_t log2(std::uint32_t x) {
  const double v = operand(x);
  if (v == 0) return float_bits(to_float(0xff800000U));
  if (std::isnan(v) || v < 0) return kFloatNan;
  return std::isinf(v) ? float_bits(to_float(0x7f800000U)) : result(logarithm(v));
}

std::uint32_t hyperbolic_tangent(std::uint32_t x) {
  const double v = operand(x);
  if (std::isnan(v)) return kFloatNan;
  if (std::fabs(v) > 20) return float_bits(v > 0 ? 1.0F : -1.0F);
  if (std::fabs(v) < 1e-4) return x;  // subnormal operands are kept
  const double e = power_of_two(2 * v / kLn2);
  return result((e - 1) / (e + 1));
}

/// The upper word of a double's reciprocal or reciprocal root, the lower word of the operand taken as zero.
std::uint32_t upper_half(double value) {
  const std::uint64_t bits = double_bits(value);
  const bool subnormal = (bits >> 52U & 0x7ffU) == 0;
  return static_cast<std::uint32_t>((subnormal ? bits & (std::uint64_t{1} << 63U) : bits) >> 32U);
}

double upper_operand(std::uint32_t x) {
  const bool subnormal = (x >> 20U & 0x7ffU) == 0;
  return to_double(std::uint64_t{subnormal ? x & 0x80000000U : x} << 32U);
}

std::uint32_t reciprocal_of_upper(std::uint32_t x) {
  return upper_half(1.0 / upper_operand(x));
}

std::uint32_t reciprocal_root_of_upper(std::uint32_t x) {
  return upper_half(1.0 / std::sqrt(upper_operand(x)));
}

}  // namespace

const std::vector<SpecialFunctionRow>& special_functions() {
  static const std::vector<SpecialFunctionRow> rows{
      {"RCP", reciprocal},
      {"RSQ", reciprocal_root},
      {"SQRT", root},
      {"SIN", sine},
      {"COS", cosine},
      {"EX2", exponential},
      {"LG2", log2},
      {"TANH", hyperbolic_tangent},
      {"RCP64H", reciprocal_of_upper},
      {"RSQ64H", reciprocal_root_of_upper},
  };
  return rows;
}

}  // namespace gputlm
