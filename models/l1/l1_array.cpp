// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l1/l1_array.h"

#include <algorithm>

namespace gputlm {

L1Array::L1Array(const L1Spec& spec)
    : ways_(spec.ways),
      sets_(spec.sets),
      tracks_dirty_(spec.write_policy == "write_back"),
      index_(spec.index_masks),
      usable_ways_(spec.ways) {}

L1Array::Slot L1Array::find(std::uint64_t line) const {
  if (untouched()) return kNone;
  const Slot first = set_of(line) * ways_;
  for (Slot s = first; s < first + usable_ways_; ++s)
    if (tags_[s] == line && holds(s)) return s;
  return kNone;
}

L1Array::Slot L1Array::victim(std::uint64_t line) {
  if (untouched()) {
    const std::size_t slots = static_cast<std::size_t>(sets_) * ways_;
    tags_.resize(slots);
    last_use_.resize(slots);
    valid_.resize(slots);
    if (tracks_dirty_) dirty_.resize(slots);
    data_ = HostMemory(slots * kLineBytes);
  }
  const Slot first = set_of(line) * ways_;
  Slot oldest = first;
  for (Slot s = first + 1; s < first + usable_ways_; ++s)
    if (holds(oldest) && last_use_[s] < last_use_[oldest]) oldest = s;
  return oldest;
}

void L1Array::assign(Slot s, std::uint64_t line) {
  tags_[s] = line;
  valid_[s] = {};
  set_dirty(s, {});
  touch(s);
}

void L1Array::drop_all() {
  first_live_ = ++clock_;
  if (dirty_slots_ == 0) return;
  std::fill(dirty_.begin(), dirty_.end(), ByteMask{});
  dirty_slots_ = 0;
}

void L1Array::write(Slot s, const unsigned char* from, ByteMask mask) {
  copy_masked(bytes() + static_cast<std::size_t>(s) * kLineBytes, from, mask);
  valid_[s] |= mask;
}

}  // namespace gputlm
