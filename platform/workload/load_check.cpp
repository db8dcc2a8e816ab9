// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/load_check.h"

#include "gputlm/workload/pattern_data.h"

namespace gputlm {

void LoadCheck::contiguous(const Payload& access) const {
  const WarpLanes& l = lanes_of(access);
  const std::size_t length = static_cast<std::size_t>(__builtin_popcount(l.active)) * l.lane_bytes;
  unsigned char expected[kLanes * kMaxLaneBytes];
  if (before_->bytes(buffer_.physical(l.address[0]), length, expected))
    counter_->compare(l.address[0], expected, access.get_data_ptr(), length, origin_of(access));
}

template <class Judge>
void LoadCheck::each_lane(const Payload& access, Judge judge) const {
  const WarpLanes& l = lanes_of(access);
  unsigned char expected[kMaxLaneBytes];
  for (unsigned i = 0; i < kLanes; ++i)
    if ((l.active >> i & 1U) != 0 && before_->bytes(buffer_.physical(l.address[i]), l.lane_bytes, expected))
      judge(l.address[i], expected, access.get_data_ptr() + i * l.lane_bytes, l.lane_bytes);
}

void LoadCheck::lanes(const Payload& access) const {
  each_lane(access, [&](std::uint64_t address, const unsigned char* expected, const unsigned char* got, std::size_t n) {
    counter_->compare(address, expected, got, n, origin_of(access));
  });
}

void LoadCheck::lanes_or_pattern(const Payload& access, std::uint64_t seed) const {
  each_lane(access, [&](std::uint64_t address, const unsigned char* expected, const unsigned char* got, std::size_t n) {
    unsigned char stored[kMaxLaneBytes];
    fill_pattern(address, n, seed, stored);
    counter_->compare_either(address, expected, stored, got, n, origin_of(access));
  });
}

}  // namespace gputlm
