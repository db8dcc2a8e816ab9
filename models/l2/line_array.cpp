// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/line_array.h"

#include <algorithm>
#include <cstring>

namespace gputlm {

LineArray::LineArray(unsigned sets, unsigned ways)
    : sets_(sets),
      ways_(ways),
      tags_(std::size_t{sets} * ways),
      last_use_(std::size_t{sets} * ways),
      last_store_(std::size_t{sets} * ways),
      valid_(std::size_t{sets} * ways),
      dirty_(std::size_t{sets} * ways),
      flags_(std::size_t{sets} * ways),
      rrpv_(std::size_t{sets} * ways),
      data_(std::size_t{sets} * ways * kLineBytes) {}

unsigned LineArray::way_with(unsigned set, std::uint32_t tag) const {
  const std::uint32_t* tags = &tags_[slot(set, 0)];
  const std::uint32_t* found = std::find(tags, tags + ways_, tag);
  return found == tags + ways_ ? kNoWay : static_cast<unsigned>(found - tags);
}

WayMask LineArray::ways_with(unsigned set, std::uint8_t flags) const {
  const std::uint8_t* of_way = &flags_[slot(set, 0)];
  WayMask ways = 0;
  for (unsigned way = 0; way < ways_; way += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, of_way + way, std::min(ways_ - way, 8U));
    ways |= top_bits(nonzero_bytes(eight & flags * 0x0101010101010101ULL)) << way;
  }
  return ways;
}

void LineArray::allocate(Slot s, std::uint64_t line) {
  tags_[s] = tag_of(line);
  valid_[s] = dirty_[s] = ByteMask{};
  flags_[s] = 0;
  last_use_[s] = last_store_[s] = 0;
}

void LineArray::release(Slot s) {
  tags_[s] = kEmpty;
  valid_[s] = dirty_[s] = ByteMask{};
  flags_[s] = 0;
}

void LineArray::clear() {
  tags_.clear();
  last_use_.clear();
  last_store_.clear();
  valid_.clear();
  dirty_.clear();
  flags_.clear();
  rrpv_.clear();
  data_.clear();
}

}  // namespace gputlm
