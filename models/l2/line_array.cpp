// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/line_array.h"

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

unsigned LineArray::find(unsigned set, std::uint64_t line) const {
  const std::uint64_t* tags = &tags_[slot(set, 0)];
  for (unsigned way = 0; way < ways_; ++way)
    if (tags[way] == (line | kPresent)) return way;
  return kNoWay;
}

unsigned LineArray::empty_way(unsigned set) const {
  const std::uint64_t* tags = &tags_[slot(set, 0)];
  for (unsigned way = 0; way < ways_; ++way)
    if (tags[way] == 0) return way;
  return kNoWay;
}

void LineArray::allocate(Slot s, std::uint64_t line) {
  tags_[s] = line | kPresent;
  valid_[s] = dirty_[s] = ByteMask{};
  flags_[s] = 0;
  last_use_[s] = last_store_[s] = 0;
}

void LineArray::release(Slot s) {
  tags_[s] = 0;
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
