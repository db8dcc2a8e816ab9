// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/element_reader.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace gputlm {

namespace {

constexpr const char* kOutOfRange = "out of range";

ElementValue rounded(ElementType type, double value) {
  unsigned char bytes[8];
  store_element(type, {0, value}, bytes);
  return load_element(type, bytes);
}

std::uint64_t highest_whole(ElementType type) {
  return std::numeric_limits<std::uint64_t>::max() >> (64 - 8 * size_of(type) + (is_signed(type) ? 1 : 0));
}

Parsed<ElementValue> parse_whole(ElementType type, std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (!text.empty() && text.front() == '-') return {{}, "not a whole number"};
  const Parsed<std::uint64_t> magnitude = parse_count(text);
  if (!magnitude) return {{}, magnitude.problem};
  const std::uint64_t lowest = is_signed(type) ? highest_whole(type) + 1 : 0;  // as a magnitude
  if (magnitude.value > (negative ? lowest : highest_whole(type))) return {{}, kOutOfRange};
  return {{negative ? 0 - magnitude.value : magnitude.value, 0}, {}};
}

/// Through one rounding.
template <class Real>
Parsed<ElementValue> parse_floating(ElementType type, std::string_view text) {
  Real value = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, value);
  if (error == std::errc::invalid_argument || end != last) return {{}, "not a number"};
  if (error == std::errc::result_out_of_range) return {{}, kOutOfRange};
  const ElementValue result = rounded(type, static_cast<double>(value));
  if (std::isfinite(value) && !std::isfinite(result.real)) return {{}, kOutOfRange};
  return {result, {}};
}

}  // namespace

Parsed<ElementValue> parse_element(ElementType type, std::string_view text) {
  if (!is_floating(type)) return parse_whole(type, text);
  return type == ElementType::float32 ? parse_floating<float>(type, text) : parse_floating<double>(type, text);
}

std::string describe_elements(ElementType type) {
  switch (type) {
    case ElementType::half:
      return "-65504 to 65504, inf, -inf, nan";
    case ElementType::float32:
      return fmt::format("{0} to {1}, inf, -inf, nan", std::numeric_limits<float>::lowest(),
                         std::numeric_limits<float>::max());
    case ElementType::float64:
      return fmt::format("{0} to {1}, inf, -inf, nan", std::numeric_limits<double>::lowest(),
                         std::numeric_limits<double>::max());
    default:
      return is_signed(type)
                 ? fmt::format("{} to {}", static_cast<std::int64_t>(lowest_drawn(type).integer), highest_whole(type))
                 : fmt::format("0 to {}", highest_whole(type));
  }
}

ElementValue lowest_drawn(ElementType type) {
  return {is_signed(type) ? ~highest_whole(type) : 0, 0};
}

ElementValue highest_drawn(ElementType type) {
  return {is_floating(type) ? 0 : highest_whole(type), 1};
}

bool holds(ElementType type, ElementValue value) {
  if (is_floating(type)) return std::isfinite(rounded(type, value.real).real);
  return !is_less(type, value, lowest_drawn(type)) && !is_less(type, highest_drawn(type), value);
}

bool is_less(ElementType type, ElementValue a, ElementValue b) {
  if (is_floating(type)) return a.real < b.real;
  return is_signed(type) ? static_cast<std::int64_t>(a.integer) < static_cast<std::int64_t>(b.integer)
                         : a.integer < b.integer;
}

}  // namespace gputlm
