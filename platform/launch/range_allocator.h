// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace gputlm {

/// Hands out ranges of an address space, lowest first, in multiples of a page.
class RangeAllocator {
 public:
  RangeAllocator(std::uint64_t base, std::uint64_t bytes, std::uint64_t page) : page_(page) { free_[base] = bytes; }

  std::uint64_t rounded(std::uint64_t bytes) const { return (bytes + page_ - 1) / page_ * page_; }
  /// A range of rounded(bytes); nothing when no free range is as large.
  std::optional<std::uint64_t> take(std::uint64_t bytes) {
    const std::uint64_t size = rounded(bytes);
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      const auto [base, room] = *it;
      if (size < bytes || room < size) continue;
      free_.erase(it);
      if (room > size) free_[base + size] = room - size;
      return base;
    }
    return std::nullopt;
  }
  /// Takes back a range as it was handed out.
  void give_back(std::uint64_t base, std::uint64_t bytes) {
    std::uint64_t size = rounded(bytes);
    if (const auto after = free_.find(base + size); after != free_.end()) {
      size += after->second;
      free_.erase(after);
    }
    const auto next = free_.lower_bound(base);
    if (next != free_.begin())
      if (const auto before = std::prev(next); before->first + before->second == base) {
        before->second += size;
        return;
      }
    free_[base] = size;
  }

 private:
  const std::uint64_t page_;
  std::map<std::uint64_t, std::uint64_t> free_;  // base to bytes
};

}  // namespace gputlm
