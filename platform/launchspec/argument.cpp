// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/argument.h"

#include <algorithm>

#include "gputlm/workload/draw.h"

namespace gputlm {

namespace {

/// Different names give unrelated numbers.
std::uint64_t key_of(const std::string& name, std::uint64_t seed) {
  std::uint64_t key = mix64(name.size(), seed);
  for (const char c : name) key = mix64(static_cast<unsigned char>(c), key);
  return key;
}

ElementValue ramp_value(const LaunchArgument& argument, std::uint64_t i) {
  return {argument.first.integer + i * argument.second.integer,
          argument.first.real + static_cast<double>(i) * argument.second.real};
}

/// Every whole number from first to second is as likely (but for the remainder of 2^64); others are first plus a
/// multiple of 2^-53 of the distance.
ElementValue draw_between(const LaunchArgument& argument, Draw& draw) {
  if (is_floating(argument.type)) {
    const double low = argument.first.real, high = argument.second.real;
    const double share = static_cast<double>(draw.next() >> 11U) * 0x1p-53;
    return {0, std::clamp(low * (1 - share) + high * share, low, high)};
  }
  const std::uint64_t span = argument.second.integer - argument.first.integer;
  return {argument.first.integer + (span + 1 == 0 ? draw.next() : draw.below(span + 1)), 0};
}

}  // namespace

std::vector<unsigned char> LaunchArgument::initial_bytes(std::uint64_t launch_seed) const {
  if (contents == Contents::file) return data;
  std::vector<unsigned char> out(bytes());
  if (contents == Contents::none) return out;
  Draw draw(seed ? *seed : key_of(name, launch_seed));
  for (std::uint64_t i = 0; i < count; ++i) {
    const ElementValue value = contents == Contents::ramp     ? ramp_value(*this, i)
                               : contents == Contents::random ? draw_between(*this, draw)
                                                              : first;
    store_element(type, value, out.data() + i * size_of(type));
  }
  return out;
}

}  // namespace gputlm
