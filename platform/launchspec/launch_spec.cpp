// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/launch_spec.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "gputlm/config/quantity.h"
#include "gputlm/config/range.h"

namespace gputlm {

namespace {

[[noreturn]] void refuse(const std::string& where, std::string message, std::string_view found, std::string allowed) {
  Diagnostics mistake;
  mistake.add({}, where, std::move(message), found.empty() ? "an empty text" : excerpt(found), std::move(allowed));
  throw ConfigError(mistake);
}

template <class List>
auto named(List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

}  // namespace

const LaunchArgument* LaunchSpec::find_argument(const std::string& name) const {
  const auto at = named(arguments, name);
  return at == arguments.end() ? nullptr : &*at;
}

std::size_t LaunchSpec::index_of(const std::string& name) const {
  return static_cast<std::size_t>(named(arguments, name) - arguments.begin());
}

const Expectation* LaunchSpec::find_expectation(const std::string& name) const {
  const auto at = named(expect, name);
  return at == expect.end() ? nullptr : &*at;
}

std::vector<std::string> LaunchSpec::copied_back() const {
  std::vector<std::string> names = read;
  for (const Expectation& e : expect)
    if (std::find(names.begin(), names.end(), e.name) == names.end()) names.push_back(e.name);
  return names;
}

LaunchDimensions parse_dimensions(const std::string& text, const std::string& where) {
  constexpr Range<std::uint64_t> kRange{1, std::numeric_limits<std::uint32_t>::max()};
  LaunchDimensions dimensions;
  std::uint32_t* const out[] = {&dimensions.x, &dimensions.y, &dimensions.z};
  std::string_view rest = text;
  for (std::size_t i = 0;; ++i) {
    if (i == std::size(out)) refuse(where, "has more than three dimensions", text, "X, X,Y or X,Y,Z");
    const auto comma = rest.find(',');
    const std::string_view number = rest.substr(0, comma);
    const Parsed<std::uint64_t> parsed = parse_count(number);
    if (!parsed || !kRange.holds(parsed.value))
      refuse(where, parsed ? "out of range" : parsed.problem, number, describe_range(kRange, {}, format_count));
    *out[i] = static_cast<std::uint32_t>(parsed.value);
    if (comma == std::string_view::npos) return dimensions;
    rest.remove_prefix(comma + 1);
  }
}

std::uint32_t parse_memory(const std::string& text, const std::string& where) {
  constexpr Range<std::uint64_t> kRange{0, std::numeric_limits<std::uint32_t>::max()};
  const Parsed<std::uint64_t> plain = parse_count(text), parsed = plain ? plain : parse_bytes(text);
  if (!parsed || !kRange.holds(parsed.value))
    refuse(where, parsed ? "out of range" : parsed.problem, text,
           "0 to 4294967295 bytes, plain or with " + std::string(kByteUnits));
  return static_cast<std::uint32_t>(parsed.value);
}

Expectation parse_expectation(const std::string& text, const std::string& where) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    refuse(where, "is no expectation", text, "NAME=FILE");
  return {text.substr(0, equals), text.substr(equals + 1), {}};
}

}  // namespace gputlm
