// SPDX-License-Identifier: Apache-2.0
//
// Bitmaps over one sliding window of clocks, [base, base + size). Words of the same 64 clocks lie side by side, so that
// looking at several maps together, or marking several, costs one place of memory. Clocks outside the window read as
// free.
#pragma once

#include <algorithm>
#include <vector>

#include "gputlm/dram/dram_timing.h"

namespace gputlm {

class StartBitmaps {
 public:
  StartBitmaps(std::size_t bits, unsigned maps) : maps_(maps), last_word_(bits / 64 - 1), words_(bits / 64 * maps) {}

  std::size_t size() const { return (last_word_ + 1) * 64; }
  unsigned maps() const { return maps_; }

  /// Marks [first, end) of a map, as far as it lies in the window.
  void mark(unsigned map, Ck first, Ck end) {
    for (; end - first > 64; first += 64) mark_bits(map, first, ~0ULL);
    if (first < end) mark_bits(map, first, ones(end - first));
  }
  /// Marks first + b for every bit b, as far as it lies in the window.
  void mark_bits(unsigned map, Ck first, std::uint64_t bits) {
    if (first < base_) {
      if (base_ - first >= 64) return;
      bits >>= base_ - first;
      first = base_;
    }
    const Ck end = base_ + static_cast<Ck>(size());
    if (first >= end) return;
    const auto shift = static_cast<unsigned>(first & 63);
    words(first)[map] |= bits << shift;
    if (shift == 0 || first + 64 >= end) return;
    words(first + 64)[map] |= bits >> (64 - shift);
  }

  /// Marks [at - before, at + after) of a map for every clock `at` of an ascending list.
  template <class Clocks>
  void mark_around(unsigned map, const Clocks& clocks, Ck before, Ck after) {
    const Ck length = before + after;
    if (length <= 0) return;
    Ck first = 0;
    std::uint64_t bits = 0;  // from `first` on, not marked yet
    for (const Ck at : clocks) {
      if (length > 64) {
        mark(map, at - before, at + after);
        continue;
      }
      if (bits != 0 && at - before - first + length > 64) {
        mark_bits(map, first, bits);
        bits = 0;
      }
      if (bits == 0) first = at - before;
      bits |= ones(length) << (at - before - first);
    }
    if (bits != 0) mark_bits(map, first, bits);
  }

  /// 64 bits from `at` on: the clocks that any of the maps has marked.
  template <class... Maps>
  std::uint64_t window(Ck at, Maps... maps) const {
    const Ck end = base_ + static_cast<Ck>(size());
    if (at >= end) return 0;
    const auto any_of = [&](const std::uint64_t* words) { return (words[maps] | ...); };
    const auto shift = static_cast<unsigned>(at & 63);
    const std::uint64_t low = any_of(words(at)) >> shift;
    return shift == 0 || at + 64 >= end ? low : low | any_of(words(at + 64)) << (64 - shift);
  }
  /// Number of marks of a map in [from, end), and the place of its n-th mark at `from` or later (n from 1).
  unsigned count(unsigned map, Ck from, Ck end) const;
  Ck nth_from(unsigned map, Ck from, unsigned n) const;
  /// Forgets everything before `to`.
  void advance(Ck to);

  /// `count` set bits, 1 to 64.
  static std::uint64_t ones(Ck count) { return ~0ULL >> (64 - count); }

 private:
  std::size_t place(Ck at) const { return (static_cast<std::size_t>(at >> 6) & last_word_) * maps_; }
  std::uint64_t* words(Ck at) { return &words_[place(at)]; }
  const std::uint64_t* words(Ck at) const { return &words_[place(at)]; }

  unsigned maps_;
  std::size_t last_word_;             // a power of two of words, used as a ring
  std::vector<std::uint64_t> words_;  // by clock, then by map
  Ck base_ = 0;                       // a multiple of 64
};

}  // namespace gputlm
