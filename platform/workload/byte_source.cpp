// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/byte_source.h"

#include <algorithm>
#include <cstring>

#include "gputlm/workload/pattern_data.h"

namespace gputlm {

void ZeroSource::bytes(std::uint64_t, std::size_t length, unsigned char* out) const {
  std::memset(out, 0, length);
}

void PatternSource::bytes(std::uint64_t address, std::size_t length, unsigned char* out) const {
  fill_pattern(address, length, seed_, out);
}

void FloatSource::bytes(std::uint64_t address, std::size_t length, unsigned char* out) const {
  while (length != 0) {
    const std::size_t lead = address & 3U;
    const std::size_t part = std::min<std::size_t>(4 - lead, length);
    const float value = pattern_float(address - lead, seed_);
    unsigned char word[4];
    std::memcpy(word, &value, 4);
    std::memcpy(out, word + lead, part);
    address += part, out += part, length -= part;
  }
}

void DataSource::bytes(std::uint64_t address, std::size_t length, unsigned char* out) const {
  std::memset(out, 0, length);
  const std::uint64_t first = std::max(address, base_);
  const std::uint64_t end = std::min(address + length, base_ + data_.size());
  if (first < end) std::memcpy(out + (first - address), data_.data() + (first - base_), end - first);
}

}  // namespace gputlm
