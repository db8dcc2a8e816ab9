// SPDX-License-Identifier: Apache-2.0
//
// Small open-addressed table from a line address to a value. Linear probing, at most half full, deletion by moving
// followers back, so that it never degrades; it allocates only while growing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace gputlm {

/// Table with line addresses as keys (any multiple of 128; ~0 is not one).
template <class T>
class LineTable {
 public:
  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  void clear() { *this = LineTable{}; }

  T* find(std::uint64_t line) {
    if (size_ == 0) return nullptr;
    const std::size_t i = position(line);
    return entries_[i].first == line ? &entries_[i].second : nullptr;
  }
  const T* find(std::uint64_t line) const { return const_cast<LineTable*>(this)->find(line); }

  /// The line's value, made from T{} if it had none.
  T& operator[](std::uint64_t line) {
    if (2 * (size_ + 1) > entries_.size()) grow();
    auto& entry = entries_[position(line)];
    if (entry.first == kFree) {
      entry = {line, T{}};
      ++size_;
    }
    return entry.second;
  }

  void erase(std::uint64_t line) {
    if (find(line) == nullptr) return;
    std::size_t hole = position(line);
    for (std::size_t i = next(hole); entries_[i].first != kFree; i = next(i)) {
      // An entry may move back into the hole unless its home lies after the hole.
      if (((i - home(entries_[i].first)) & mask()) < ((i - hole) & mask())) continue;
      entries_[hole] = std::move(entries_[i]);
      hole = i;
    }
    entries_[hole].first = kFree;
    --size_;
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& entry : entries_)
      if (entry.first != kFree) visit(entry.first, entry.second);
  }

 private:
  static constexpr std::uint64_t kFree = ~0ULL;
  static constexpr std::size_t kFirstCapacity = 16;

  std::size_t mask() const { return entries_.size() - 1; }
  std::size_t next(std::size_t i) const { return (i + 1) & mask(); }
  std::size_t home(std::uint64_t line) const {
    return static_cast<std::size_t>((line >> 7) * 0x9e3779b97f4a7c15ULL >> 32) & mask();
  }
  std::size_t position(std::uint64_t line) const {
    std::size_t i = home(line);
    while (entries_[i].first != line && entries_[i].first != kFree) i = next(i);
    return i;
  }
  void grow() {
    std::vector<std::pair<std::uint64_t, T>> old(entries_.empty() ? kFirstCapacity : 2 * entries_.size(), {kFree, T{}});
    old.swap(entries_);
    for (auto& entry : old)
      if (entry.first != kFree) entries_[position(entry.first)] = std::move(entry);
  }

  std::vector<std::pair<std::uint64_t, T>> entries_;
  std::size_t size_ = 0;
};

}  // namespace gputlm
