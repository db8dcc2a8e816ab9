// SPDX-License-Identifier: Apache-2.0
//
// Tags, state and data of a slice's lines, one array per kind. The arrays are zero pages until touched, so that an idle
// slice costs address space only.
#pragma once

#include "gputlm/l2/replacement_policy.h"
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/host_memory.h"

namespace gputlm {

/// Index of a line's slot in a slice: set * ways + way.
using Slot = std::uint32_t;
inline constexpr Slot kNoL2Slot = ~Slot{0};  ///< None.

/// What a slot is doing besides holding bytes.
struct SlotFlag {
  static constexpr std::uint8_t in_fifo = 1;  ///< Member of its set's write-back FIFO.
  static constexpr std::uint8_t queued = 2;   ///< Its write-back waits for BEGIN_REQ.
  static constexpr std::uint8_t sent = 4;     ///< Its write-back waits for END_REQ.
  static constexpr std::uint8_t counted = 8;  ///< Counts as a dirty line of its set.
  // Bits 4 and 5: the line's eviction class (eviction_classes.h).
  static constexpr std::uint8_t fetching = 64;  ///< The fetch table has a pending line for it.
};

/// The lines of one slice.
class LineArray {
 public:
  /// Lines from here on have no tag of 32 bits.
  static constexpr std::uint64_t kMemoryBytes = 0xffffffffULL * kLineBytes;

  LineArray(unsigned sets, unsigned ways);

  unsigned sets() const { return sets_; }
  unsigned ways() const { return ways_; }
  Slot slot(unsigned set, unsigned way) const { return set * ways_ + way; }
  unsigned set_of(Slot s) const { return s / ways_; }
  unsigned way_of(Slot s) const { return s % ways_; }

  /// Asks the host for a set's tags and state all at once, ahead of a search that would wait for one after the other.
  void prefetch(unsigned set) const {
    const Slot first = slot(set, 0);
    for (unsigned way = 0; way < ways_; way += 16) __builtin_prefetch(&tags_[first + way]);
    for (unsigned way = 0; way < ways_; way += 8) {
      __builtin_prefetch(&last_use_[first + way]);
      __builtin_prefetch(&last_store_[first + way]);
    }
    __builtin_prefetch(&flags_[first]);
    __builtin_prefetch(&rrpv_[first]);
  }

  /// Way of the set that holds the line, kNoWay when none does.
  unsigned find(unsigned set, std::uint64_t line) const { return way_with(set, tag_of(line)); }
  /// Lowest way of the set without a line, kNoWay when all have one.
  unsigned empty_way(unsigned set) const { return way_with(set, kEmpty); }
  bool present(Slot s) const { return tags_[s] != kEmpty; }
  std::uint64_t line(Slot s) const { return std::uint64_t{tags_[s] - 1} * kLineBytes; }
  /// Ways of the set with one of these flags.
  WayMask ways_with(unsigned set, std::uint8_t flags) const;
  /// Every way of a set.
  WayMask all_ways() const { return ~WayMask{0} >> (64 - ways_); }

  /// The slot now belongs to the line and holds no valid byte. Replacement's byte of the way is left to the policy.
  void allocate(Slot s, std::uint64_t line);
  /// The slot holds no line any more.
  void release(Slot s);
  void clear();

  ByteMask& valid(Slot s) { return valid_[s]; }
  ByteMask valid(Slot s) const { return valid_[s]; }
  ByteMask& dirty(Slot s) { return dirty_[s]; }
  ByteMask dirty(Slot s) const { return dirty_[s]; }
  std::uint8_t& flags(Slot s) { return flags_[s]; }
  std::uint8_t flags(Slot s) const { return flags_[s]; }
  std::uint8_t& rrpv(Slot s) { return rrpv_[s]; }
  std::uint8_t rrpv(Slot s) const { return rrpv_[s]; }
  std::uint64_t& last_use(Slot s) { return last_use_[s]; }
  std::uint64_t last_use(Slot s) const { return last_use_[s]; }
  std::uint64_t& last_store(Slot s) { return last_store_[s]; }
  std::uint64_t last_store(Slot s) const { return last_store_[s]; }
  unsigned char* data(Slot s) { return &data_[std::size_t{s} * kLineBytes]; }
  const unsigned char* data(Slot s) const { return &data_[std::size_t{s} * kLineBytes]; }

  /// The set as replacement sees it.
  SetWays ways_of(unsigned set) { return {ways_, &rrpv_[slot(set, 0)], &last_use_[slot(set, 0)], set}; }
  const std::uint64_t* last_stores(unsigned set) const { return &last_store_[slot(set, 0)]; }

 private:
  static constexpr std::uint32_t kEmpty = 0;  // of a slot without a line
  static std::uint32_t tag_of(std::uint64_t line) { return static_cast<std::uint32_t>(line / kLineBytes) + 1; }

  unsigned way_with(unsigned set, std::uint32_t tag) const;

  unsigned sets_, ways_;
  ZeroedArray<std::uint32_t> tags_;
  ZeroedArray<std::uint64_t> last_use_, last_store_;
  ZeroedArray<ByteMask> valid_, dirty_;
  ZeroedArray<std::uint8_t> flags_, rrpv_;
  ZeroedArray<unsigned char> data_;
};

}  // namespace gputlm
