// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/pattern_data.h"

#include <algorithm>
#include <cstring>

namespace gputlm {

void fill_pattern(std::uint64_t address, std::size_t length, std::uint64_t seed, unsigned char* out) {
  const std::size_t lead = address & 7U;
  if (lead != 0) {
    const std::uint64_t word = pattern_word(address, seed) >> (8 * lead);
    const std::size_t part = std::min<std::size_t>(8 - lead, length);
    std::memcpy(out, &word, part);
    address += part, out += part, length -= part;
  }
  // The words of an address and the next differ by one step of what is mixed.
  for (std::uint64_t mixed = (address >> 3) * kMixStep + seed; length >= 8;
       mixed += kMixStep, address += 8, out += 8, length -= 8) {
    const std::uint64_t word = finish_mix(mixed);
    std::memcpy(out, &word, 8);
  }
  if (length != 0) {
    const std::uint64_t word = pattern_word(address, seed);
    std::memcpy(out, &word, length);
  }
}

namespace {

template <class Word>
void fill_words(std::uint64_t address, std::uint64_t stride, unsigned count, std::uint64_t seed, unsigned char* out) {
  for (unsigned i = 0; i < count; ++i) {
    const auto word = static_cast<Word>(pattern_value(address + i * stride, seed));
    std::memcpy(out + i * sizeof(Word), &word, sizeof(Word));
  }
}

}  // namespace

void fill_pattern_lanes(std::uint64_t address, std::uint64_t stride, unsigned count, unsigned width, std::uint64_t seed,
                        unsigned char* out) {
  switch (width) {
    case 1:
      return fill_words<std::uint8_t>(address, stride, count, seed, out);
    case 2:
      return fill_words<std::uint16_t>(address, stride, count, seed, out);
    case 4:
      return fill_words<std::uint32_t>(address, stride, count, seed, out);
    case 8:
      return fill_words<std::uint64_t>(address, stride, count, seed, out);
    default:
      for (unsigned i = 0; i < count; ++i) fill_pattern(address + i * stride, width, seed, out + i * width);
  }
}

float pattern_float(std::uint64_t address, std::uint64_t seed) {
  constexpr float kScale = 1.0F / 4096.0F;  // 24-bit integers scaled by a power of two are exact
  const auto bits = static_cast<std::int32_t>(mix64(address >> 2, seed) >> 40) - (1 << 23);
  return static_cast<float>(bits) * kScale;
}

}  // namespace gputlm
