// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/line_array.h"

namespace gputlm {

/// The write-back FIFOs of a slice's sets: dirty victims that stay readable in their ways until they are popped
/// (WRITES). Also keeps the drain rule's account: every drain_interval-th fill of a set, counted from the moment its
/// FIFO became non-empty, owes one pop. Whether the oldest may leave already is the slice's to know.
class WriteBackFifo {
 public:
  WriteBackFifo(unsigned sets, unsigned ways, unsigned drain_interval);

  /// Asks the host for the set's account.
  void prefetch(unsigned set) const { __builtin_prefetch(&sets_[set]); }
  unsigned size(unsigned set) const { return sets_[set].size; }
  /// Way of the i-th oldest member.
  unsigned way(unsigned set, unsigned i) const { return order_[std::size_t{set} * ways_ + i]; }
  void push(unsigned set, unsigned way);
  void remove(unsigned set, unsigned way);
  void clear();

  /// A line was inserted into the set.
  void note_fill(unsigned set);
  /// Pops the set owes.
  unsigned owed(unsigned set) const { return sets_[set].owed; }
  void pay(unsigned set) { --sets_[set].owed; }

  /// Fills since the FIFO became non-empty or the last pop fell due.
  unsigned fills(unsigned set) const { return sets_[set].fills; }
  /// Gives the set's FIFO this account, as far as it has members.
  void set_account(unsigned set, unsigned fills, unsigned owed);

 private:
  struct State {
    std::uint8_t size, owed;
    std::uint16_t fills;  ///< Since the FIFO became non-empty or the last pop fell due.
  };
  unsigned ways_, drain_interval_;
  ZeroedArray<State> sets_;
  ZeroedArray<std::uint8_t> order_;  ///< Oldest first, `ways` entries a set.
};

}  // namespace gputlm
