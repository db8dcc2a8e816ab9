// SPDX-License-Identifier: Apache-2.0
//
// What a slice has under way from DRAM, and who waits for it.
#pragma once

#include <array>
#include <vector>

#include "gputlm/l2/line_array.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// One READ of the sectors that a line lacked.
struct Fetch {
  PayloadRef payload;  ///< Empty: the entry is free.
  Slot slot = 0;
  SectorSet sectors = 0;
  bool held = false;  ///< Waits until a write-back of its line is accepted.
  Fs started = 0;
};

/// A load or atomic that waits for fetched bytes. Its place in the order of memory is its arrival: what it takes from
/// the slot it took then.
struct Waiter {
  PayloadRef request;
  Fs arrived = 0;
  Fs accepted = 0;        ///< Its END_REQ; no answer comes before.
  ByteMask wanted;        ///< Load: bytes to copy from the fetch; atomic: words to perform on it.
  SectorSet waiting = 0;  ///< Sectors not back yet.
  bool atomic = false;
  bool failed = false;                                  ///< A fetch it waited for came back with an error.
  ByteMask captured;                                    ///< Atomic: bytes of its words that were there at arrival ...
  std::array<unsigned char, kLineBytes> captured_data;  ///< ... and their values then; other bytes are never read.
};

/// A line with at least one fetch under way. Its waiters are served in the order of arrival.
struct PendingLine {
  Slot slot = 0;
  SectorSet in_flight = 0;  ///< Sectors that are being fetched.
  unsigned fetches = 0, held = 0;
  /// Bytes whose present value only waiting atomics know: a load may not take them from the slot. Each lies in a sector
  /// in flight; a store gives a byte a known value again.
  ByteMask deferred;
  /// Bytes that only DRAM holds for those who wait: the slot had no value for them when their fetch began. No
  /// write-back may carry them until it is back.
  ByteMask lacking;
  std::uint32_t first = 0, last = 0;  ///< Chain of waiters, 0: none.
};

/// Fetch entries, pending lines and waiters of one slice.
class FetchTable {
 public:
  FetchTable(unsigned entries, std::size_t slots);

  unsigned entries() const { return static_cast<unsigned>(fetches_.size()); }
  unsigned used() const { return used_; }
  bool full() const { return free_fetches_.empty(); }

  /// The slot's pending line, null when nothing of it is on its way.
  PendingLine* find(Slot slot) { return by_slot_[slot] == 0 ? nullptr : &lines_[by_slot_[slot] - 1U]; }
  const PendingLine* find(Slot slot) const { return by_slot_[slot] == 0 ? nullptr : &lines_[by_slot_[slot] - 1U]; }

  /// Takes an entry (not when full()) for a fetch of the slot's sectors and returns its number.
  unsigned add(Slot slot, SectorSet sectors, PayloadRef payload, Fs at);
  Fetch& fetch(unsigned entry) { return fetches_[entry]; }
  /// The entry, when it is in use by this very payload; null for a stale response.
  Fetch* in_use_by(std::uint64_t entry, const Payload& p);
  /// Frees the entry; closes its line when that was the last one.
  void remove(unsigned entry);
  /// A new last waiter of the line, to be filled in.
  Waiter& add_waiter(PendingLine& line);

  /// Calls serve(waiter) in the order of arrival and drops those for which it returns true.
  template <class Serve>
  void serve_waiters(PendingLine& line, Serve serve) {
    std::uint32_t previous = 0;
    for (std::uint32_t i = line.first; i != 0;) {
      Node& node = nodes_[i];
      const std::uint32_t next = node.next;
      if (serve(node.waiter)) {
        (previous == 0 ? line.first : nodes_[previous].next) = next;
        if (line.last == i) line.last = previous;
        free_node(i);
      } else {
        previous = i;
      }
      i = next;
    }
  }
  /// Calls visit(entry, fetch) for every entry in use.
  template <class Visit>
  void for_each(Visit visit) const {
    for (unsigned i = 0; i < fetches_.size(); ++i)
      if (fetches_[i].payload) visit(i, fetches_[i]);
  }
  /// Calls visit(waiter) in the order of arrival.
  template <class Visit>
  void for_each_waiter(const PendingLine& line, Visit visit) const {
    for (std::uint32_t i = line.first; i != 0; i = nodes_[i].next) visit(nodes_[i].waiter);
  }
  void clear();

 private:
  struct Node {
    Waiter waiter;
    std::uint32_t next = 0;
  };
  PendingLine& open(Slot slot);
  void free_node(std::uint32_t i);

  std::vector<Fetch> fetches_;
  std::vector<std::uint16_t> free_fetches_, free_lines_;
  std::vector<PendingLine> lines_;      ///< At most one per entry.
  ZeroedArray<std::uint16_t> by_slot_;  ///< Index into lines_, plus one.
  std::vector<Node> nodes_;             ///< Node 0 is never used.
  std::uint32_t free_nodes_ = 0;
  unsigned used_ = 0;
};

}  // namespace gputlm
