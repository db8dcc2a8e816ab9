// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/quantity.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

namespace gputlm {

namespace {

struct Unit {
  std::string_view name;
  double scale;
};

constexpr std::array<Unit, 5> kBytes{{{"B", 1}, {"KiB", 0x1p10}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}}};
constexpr std::array<Unit, 6> kTimes{{{"fs", 1}, {"ps", 1e3}, {"ns", 1e6}, {"us", 1e9}, {"ms", 1e12}, {"s", 1e15}}};
constexpr std::array<Unit, 4> kFrequencies{{{"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}}};

/// Doubles below this convert to a 64-bit integer without overflow.
constexpr double kIntegerLimit = 0x1p63;

template <class T>
Parsed<T> failed(std::string problem) {
  return {T{}, std::move(problem)};
}

/// Reads a number at the start of `text` and removes it from there.
Parsed<double> take_real(std::string_view& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) return failed<double>("not a number");
  if (error == std::errc::result_out_of_range) return failed<double>("a number out of range");
  if (!std::isfinite(value)) return failed<double>("not a finite number");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return {value, {}};
}

/// Number times unit, in the base unit.
template <std::size_t N>
Parsed<double> parse_quantity(std::string_view text, const std::array<Unit, N>& units) {
  Parsed<double> number = take_real(text);
  if (!number) return number;
  if (std::signbit(number.value)) return failed<double>("must not be negative");
  const auto start = text.find_first_not_of(" \t");
  if (start == std::string_view::npos) return failed<double>("needs a unit");
  text.remove_prefix(start);
  for (const Unit& unit : units) {
    if (text == unit.name) return {number.value * unit.scale, {}};
  }
  return failed<double>("not a known unit");
}

/// The largest unit in which the value is at least 1 and whose text parses to the same value again.
template <class T, std::size_t N, class Parse>
std::string format_quantity(T value, const std::array<Unit, N>& units, Parse parse) {
  for (std::size_t i = N; i-- > 1;) {
    const double scaled = static_cast<double>(value) / units[i].scale;
    if (scaled < 1) continue;
    std::string text = fmt::format("{} {}", scaled, units[i].name);
    const Parsed<T> again = parse(text);
    if (again && again.value == value && text.size() <= 24) return text;
  }
  return fmt::format("{} {}", value, units[0].name);
}

}  // namespace

Parsed<std::uint64_t> parse_count(std::string_view text) {
  if (!text.empty() && text.front() == '-') return failed<std::uint64_t>("must not be negative");
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value, hex ? 16 : 10);
  if (error == std::errc::invalid_argument || end != last) return failed<std::uint64_t>("not a whole number");
  if (error == std::errc::result_out_of_range) return failed<std::uint64_t>("a number out of range");
  return {value, {}};
}

Parsed<double> parse_real(std::string_view text) {
  Parsed<double> number = take_real(text);
  if (number && !text.empty()) return failed<double>("not a number");
  return number;
}

Parsed<bool> parse_boolean(std::string_view text) {
  if (text == "true") return {true, {}};
  if (text == "false") return {false, {}};
  return failed<bool>("neither true nor false");
}

Parsed<std::uint64_t> parse_bytes(std::string_view text) {
  const Parsed<double> bytes = parse_quantity(text, kBytes);
  if (!bytes) return failed<std::uint64_t>(bytes.problem);
  // A double holds every whole number of bytes up to 8 PiB; beyond that a size would be rounded silently.
  if (bytes.value >= 0x1p53) return failed<std::uint64_t>("a number out of range");
  if (bytes.value != std::floor(bytes.value)) return failed<std::uint64_t>("not a whole number of bytes");
  return {static_cast<std::uint64_t>(bytes.value), {}};
}

Parsed<Fs> parse_time(std::string_view text) {
  const Parsed<double> time = parse_quantity(text, kTimes);
  if (!time) return failed<Fs>(time.problem);
  if (time.value >= kIntegerLimit) return failed<Fs>("a number out of range");
  if (time.value > 0 && time.value < 1) return failed<Fs>("shorter than 1 fs, the resolution of time");
  return {static_cast<Fs>(std::llround(time.value)), {}};
}

Parsed<double> parse_frequency(std::string_view text) {
  Parsed<double> hertz = parse_quantity(text, kFrequencies);
  if (hertz && !std::isfinite(hertz.value)) return failed<double>("a number out of range");
  if (hertz && hertz.value <= 0) return failed<double>("must be above zero");
  return hertz;
}

std::string format_count(std::uint64_t value) {
  return fmt::format("{}", value);
}
std::string format_hex(std::uint64_t value) {
  return fmt::format("{:#x}", value);
}
std::string format_real(double value) {
  return fmt::format("{}", value);
}
std::string format_bytes(std::uint64_t bytes) {
  std::size_t unit = 0;
  while (bytes != 0 && bytes % 1024 == 0 && unit + 1 < kBytes.size()) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", bytes, kBytes[unit].name);
}
std::string format_time(Fs duration) {
  return duration == 0 ? "0 ns" : format_quantity(duration, kTimes, parse_time);
}
std::string format_frequency(double hertz) {
  return format_quantity(hertz, kFrequencies, parse_frequency);
}

}  // namespace gputlm
