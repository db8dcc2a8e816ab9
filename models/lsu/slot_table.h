// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace gputlm {

/// Things in flight under small stable numbers, which fit a payload's cookie. Grows to its working size, then allocates
/// no more.
template <class T>
class SlotTable {
 public:
  std::uint32_t put(T value) {
    ++used_;
    if (free_.empty()) {
      slots_.push_back(std::move(value));
      return static_cast<std::uint32_t>(slots_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    slots_[slot] = std::move(value);
    return slot;
  }
  T take(std::uint32_t slot) {
    --used_;
    free_.push_back(slot);
    return std::exchange(slots_[slot], T{});
  }
  T& operator[](std::uint32_t slot) { return slots_[slot]; }
  const T& operator[](std::uint32_t slot) const { return slots_[slot]; }
  std::size_t used() const { return used_; }
  /// Visits every slot, the unused ones (default values) too.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const T& slot : slots_) visit(slot);
  }
  void clear() {
    slots_.clear();
    free_.clear();
    used_ = 0;
  }

 private:
  std::vector<T> slots_;
  std::vector<std::uint32_t> free_;
  std::size_t used_ = 0;
};

}  // namespace gputlm
