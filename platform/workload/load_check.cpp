// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/load_check.h"

#include "gputlm/workload/pattern_data.h"

namespace gputlm {

void LoadCheck::contiguous(const Payload& access) const {
  const WarpLanes& l = lanes_of(access);
  const std::size_t length = static_cast<std::size_t>(__builtin_popcount(l.active)) * l.lane_bytes;
  unsigned char expected[kLanes * kMaxLaneBytes];
  if (before_->bytes(buffer_.physical(l.at(0)), length, expected))
    counter_->compare(l.at(0), expected, access.get_data_ptr(), length, origin_of(access));
}

/// Hands neighbouring lanes that are neighbours in memory to `judge` together.
template <class Judge>
void LoadCheck::each_run(const Payload& access, Judge judge) const {
  const WarpLanes& l = lanes_of(access);
  unsigned char expected[kLanes * kMaxLaneBytes];
  for (unsigned first = 0, end = 0; first < kLanes; first = end) {
    end = first + 1;
    if ((l.active >> first & 1U) == 0) continue;
    while (end < kLanes && (l.active >> end & 1U) != 0 && l.at(end) == l.at(end - 1) + l.lane_bytes) ++end;
    const std::size_t length = std::size_t{end - first} * l.lane_bytes;
    if (before_->bytes(buffer_.physical(l.at(first)), length, expected))
      judge(l.at(first), expected, access.get_data_ptr() + std::size_t{first} * l.lane_bytes, length);
  }
}

void LoadCheck::lanes(const Payload& access) const {
  each_run(access, [&](std::uint64_t address, const unsigned char* expected, const unsigned char* got, std::size_t n) {
    counter_->compare(address, expected, got, n, origin_of(access));
  });
}

void LoadCheck::lanes_or_pattern(const Payload& access, std::uint64_t seed) const {
  each_run(access, [&](std::uint64_t address, const unsigned char* expected, const unsigned char* got, std::size_t n) {
    unsigned char stored[kLanes * kMaxLaneBytes];
    fill_pattern(address, n, seed, stored);
    counter_->compare_either(address, expected, stored, got, n, origin_of(access));
  });
}

}  // namespace gputlm
