// SPDX-License-Identifier: Apache-2.0
//
// Numbers with and without units, as users write them: `16`, `0x4100`, `6.1`, `128 MiB`, `4.4 ns`, `2.6 GHz`. The whole
// text must be the number; there is no NaN, no infinity and no silent rounding of bytes. A duration is rounded to 1 fs,
// once, here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// A value, or why the text is none: the problem reads as a message, e.g. "not a whole number".
template <class T>
struct Parsed {
  T value{};
  std::string problem;

  explicit operator bool() const { return problem.empty(); }
};

inline constexpr std::string_view kByteUnits = "B, KiB, MiB, GiB, TiB";
inline constexpr std::string_view kTimeUnits = "fs, ps, ns, us, ms, s";
inline constexpr std::string_view kFrequencyUnits = "Hz, kHz, MHz, GHz";

/// Decimal, or hexadecimal after 0x.
Parsed<std::uint64_t> parse_count(std::string_view text);
/// Any finite decimal number.
Parsed<double> parse_real(std::string_view text);
/// true or false.
Parsed<bool> parse_boolean(std::string_view text);
/// Whole bytes with a unit.
Parsed<std::uint64_t> parse_bytes(std::string_view text);
/// Duration with a unit; not negative.
Parsed<Fs> parse_time(std::string_view text);
/// Hertz; with a unit; above zero.
Parsed<double> parse_frequency(std::string_view text);

// The shortest text that parses to the same value, with the largest unit that keeps it short.
std::string format_count(std::uint64_t value);
std::string format_hex(std::uint64_t value);
std::string format_real(double value);
std::string format_bytes(std::uint64_t bytes);
std::string format_time(Fs duration);
std::string format_frequency(double hertz);

}  // namespace gputlm
