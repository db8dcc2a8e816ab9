// SPDX-License-Identifier: Apache-2.0
//
// Fills on their way from L2 to one L1, and the loads that wait for them. A line may have several at once: one that may
// no longer be used, and a newer one.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Hashed table of fills in flight, bounded by their sectors. Grows to its working size and allocates no more.
class FillTable {
 public:
  using Index = std::uint32_t;
  static constexpr Index kNone = ~Index{0};

  struct Fill {
    PayloadRef child;          ///< The line transaction; empty while the entry is free.
    std::uint64_t line = 0;    ///< Virtual.
    ByteMask bytes;            ///< What was asked for.
    ByteMask stale;            ///< Of these, not to be installed nor waited for: stored since, or asked for again.
    Fs issued = 0;             ///< When it was asked for.
    std::uint32_t serial = 0;  ///< Tells a late response from that of a later user of the entry.
    bool poisoned = false;     ///< Answers those waiting, is not installed, takes no new waiter.
    Index next = kNone;        ///< Older fill in the same bucket, or next free entry.
    Index first_waiter = kNone, last_waiter = kNone;
  };

  /// A load that waits for a fill.
  struct Waiter {
    PayloadRef load;
    ByteMask captured;  ///< Bytes already in its data.
    Fs arrival = 0;     ///< Effective time, possibly later than the fill's return; no answer comes before it.
    Index next = kNone;
  };

  explicit FillTable(unsigned sector_limit);

  /// True when so many more sectors may be asked for. An empty table always has room, so that no limit can block
  /// forever.
  bool has_room(unsigned sectors) const { return in_flight_ == 0 || sectors_ + sectors <= sector_limit_; }
  bool empty() const { return in_flight_ == 0; }

  /// Newest fill of the line that brings all of `missing` with bytes a load arriving now may see, or kNone.
  Index find_usable(std::uint64_t line, ByteMask missing) const;
  /// Enters a fill and gives its child the cookie. Older fills of the line lose the bytes it asks for.
  Index add(PayloadRef child, std::uint64_t line, ByteMask bytes, Fs issued);
  void wait(Index fill, Waiter waiter);
  /// Entry of a child's cookie, or kNone when it is not on its way (reset since).
  Index of_cookie(std::uint64_t cookie) const;

  Fill& operator[](Index fill) { return fills_[fill]; }
  const Fill& operator[](Index fill) const { return fills_[fill]; }

  /// This SM stored bytes of the line: no fill in flight may bring them any more.
  void stored(std::uint64_t line, ByteMask mask);
  void poison(std::uint64_t line) { poison_range(line, line + kLineBytes - 1); }
  void poison_range(std::uint64_t first, std::uint64_t last);
  void poison_all();

  /// Ends a fill: visits its waiters in order of arrival and frees the entry.
  template <class Answer>
  void finish(Index fill, Answer answer) {
    for (Index w = fills_[fill].first_waiter; w != kNone;) {
      const Waiter waiter = std::exchange(waiters_[w], Waiter{});
      waiters_[w].next = std::exchange(free_waiter_, w);
      answer(waiter);
      w = waiter.next;
    }
    remove(fill);
  }

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Fill& f : fills_)
      if (f.child) visit(f);
  }
  unsigned waiters_of(const Fill& fill) const;
  void reset();

 private:
  Index& bucket(std::uint64_t line) { return buckets_[(line / kLineBytes) & (buckets_.size() - 1)]; }
  Index bucket(std::uint64_t line) const { return buckets_[(line / kLineBytes) & (buckets_.size() - 1)]; }
  void remove(Index fill);

  const unsigned sector_limit_;
  std::vector<Index> buckets_;
  std::vector<Fill> fills_;
  std::vector<Waiter> waiters_;
  Index free_fill_ = kNone, free_waiter_ = kNone;
  std::uint32_t next_serial_ = 0;
  unsigned in_flight_ = 0, sectors_ = 0;
};

}  // namespace gputlm
