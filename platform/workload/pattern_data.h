// SPDX-License-Identifier: Apache-2.0
//
// Data that can be checked without having been kept: every byte is a function of its address and a seed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gputlm {

/// What mix64() multiplies a value with.
inline constexpr std::uint64_t kMixStep = 0x9e3779b97f4a7c15ULL;

/// The finaliser of splitmix64.
inline constexpr std::uint64_t finish_mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

/// Well-mixed 64 bits of two 64-bit values.
inline constexpr std::uint64_t mix64(std::uint64_t value, std::uint64_t seed) {
  return finish_mix(value * kMixStep + seed);
}

/// The 8 bytes at `address` (a multiple of 8), little endian.
inline constexpr std::uint64_t pattern_word(std::uint64_t address, std::uint64_t seed) {
  return mix64(address >> 3, seed);
}

/// `length` pattern bytes from `address`, both of any alignment.
void fill_pattern(std::uint64_t address, std::size_t length, std::uint64_t seed, unsigned char* out);

/// The pattern bytes from `address` to the end of its aligned 8, in the low bits.
inline constexpr std::uint64_t pattern_value(std::uint64_t address, std::uint64_t seed) {
  return pattern_word(address, seed) >> (8 * (address & 7U));
}

/// Pattern bytes of lanes `stride` apart, each `width` bytes at a multiple of its width, packed into `out`.
void fill_pattern_lanes(std::uint64_t address, std::uint64_t stride, unsigned count, unsigned width, std::uint64_t seed,
                        unsigned char* out);

/// Single-precision operand at `address` (a multiple of 4): a finite value below 2^11 in magnitude whose sums with
/// others of its kind round.
float pattern_float(std::uint64_t address, std::uint64_t seed);

}  // namespace gputlm
