// SPDX-License-Identifier: Apache-2.0
//
// Slots of an L1: tags, recency and byte validity as separate arrays, the data apart, all made at the first allocation
// so that an idle SM costs nothing. A slot number is set * ways + way.
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/l1/l1_spec.h"
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/host_memory.h"
#include "gputlm/tlm/parity_table.h"

namespace gputlm {

/// Set-associative array with strict LRU and per-byte validity. Knows nothing of time, fills or payloads.
class L1Array {
 public:
  using Slot = unsigned;
  static constexpr Slot kNone = ~0U;

  explicit L1Array(const L1Spec& spec);

  /// Set of a virtual line: bit i is the parity of the address under index mask i.
  unsigned set_of(std::uint64_t line) const { return index_(line) & (sets_ - 1); }
  /// Asks the host for a set's tags and state all at once, ahead of a search.
  void prefetch(std::uint64_t line) const {
    if (untouched()) return;
    const Slot first = set_of(line) * ways_;
    __builtin_prefetch(&tags_[first]);
    __builtin_prefetch(&last_use_[first]);
    __builtin_prefetch(&valid_[first]);
  }
  /// Slot that holds the line, or kNone.
  Slot find(std::uint64_t line) const;
  /// Slot the line would take: an empty way of its set, else the least recently used.
  Slot victim(std::uint64_t line);

  bool holds(Slot s) const { return s < last_use_.size() && last_use_[s] >= first_live_; }
  std::uint64_t line(Slot s) const { return tags_[s]; }
  ByteMask valid(Slot s) const { return valid_[s]; }
  /// Write-back only: bytes that were stored and not sent on.
  ByteMask dirty(Slot s) const { return dirty_.empty() ? ByteMask{} : dirty_[s]; }
  void set_dirty(Slot s, ByteMask dirty) {
    if (dirty_.empty()) return;
    dirty_slots_ += (dirty.empty() ? 0U : 1U) - (dirty_[s].empty() ? 0U : 1U);
    dirty_[s] = dirty;
  }
  unsigned dirty_slots() const { return dirty_slots_; }
  /// Only these bytes stay valid.
  void keep_only(Slot s, ByteMask bytes) { valid_[s] = bytes; }
  const unsigned char* data(Slot s) const { return bytes() + static_cast<std::size_t>(s) * kLineBytes; }
  bool untouched() const { return tags_.empty(); }

  /// Gives the slot to a line: no valid byte, most recently used.
  void assign(Slot s, std::uint64_t line);
  void touch(Slot s) { last_use_[s] = ++clock_; }
  /// Writes bytes of a line image and makes them valid.
  void write(Slot s, const unsigned char* from, ByteMask mask);
  void drop(Slot s) {
    last_use_[s] = 0;
    set_dirty(s, {});
  }
  /// Drops every slot in constant time unless bytes are dirty: what was last used before now is no longer live.
  void drop_all();

  /// Ways that lines may use; the caller has dropped what the others held.
  void set_ways(unsigned ways) { usable_ways_ = ways; }
  unsigned usable_ways() const { return usable_ways_; }
  Slot slots() const { return static_cast<Slot>(tags_.size()); }

  /// Visits the slots that hold a line of the byte range [first, last], by whichever way is shorter.
  template <class Visit>
  void for_each_in(std::uint64_t first, std::uint64_t last, Visit visit) {
    if (untouched()) return;
    if ((last - first) / kLineBytes >= tags_.size()) {
      for (Slot s = 0; s < slots(); ++s)
        if (holds(s) && tags_[s] >= line_of(first) && tags_[s] <= last) visit(s);
      return;
    }
    for (std::uint64_t line = line_of(first);; line += kLineBytes) {
      if (const Slot s = find(line); s != kNone) visit(s);
      if (last - line < kLineBytes) return;
    }
  }

 private:
  unsigned char* bytes() const { return static_cast<unsigned char*>(data_.data()); }

  const unsigned ways_, sets_;
  const bool tracks_dirty_;
  const ParityTable index_;
  unsigned usable_ways_;
  std::vector<std::uint64_t> tags_;
  std::vector<std::uint64_t> last_use_;  ///< Stamp of the last use; below first_live_ the slot is empty.
  std::vector<ByteMask> valid_;
  std::vector<ByteMask> dirty_;  ///< Empty unless tracks_dirty_.
  unsigned dirty_slots_ = 0;
  HostMemory data_;
  std::uint64_t clock_ = 0, first_live_ = 1;
};

}  // namespace gputlm
