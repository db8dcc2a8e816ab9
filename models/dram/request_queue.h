// SPDX-License-Identifier: Apache-2.0
//
// The reads, or the writes, that wait for one channel: bank, row and age kept where the scheduler looks, so that a pick
// looks at banks and not at requests. A request is `held` from its arrival on (it counts, and its bytes are found by
// address) and `queued` in its bank's list once the scheduler may pick it.
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/dram/dram_map.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Index of a request within its queue; kNoSlot: none.
using QueueSlot = std::int32_t;
inline constexpr QueueSlot kNoSlot = -1;

struct Request {
  PayloadRef payload;
  PayloadRef
      patched;  ///< A copy that goes to the DRAM instead: a debug write changed it (the original may not change).
  DramLocation at;
  ByteMask mask;
  Fs arrival = 0;           ///< Effective time of its BEGIN_REQ.
  std::uint64_t order = 0;  ///< Of arrival, over the whole controller.
  std::size_t port = 0;     ///< It came in by.
  unsigned waits_for = 0;   ///< Older requests of the same line that must leave first.
  bool arrived = false;     ///< The way in is behind it.

  const PayloadRef& current() const { return patched ? patched : payload; }
};

class RequestQueue {
 public:
  static constexpr unsigned kMostBanks = 64;

  RequestQueue(unsigned capacity, unsigned banks);

  void clear();
  unsigned size() const { return held_; }
  unsigned capacity() const { return static_cast<unsigned>(requests_.size()); }
  bool full() const { return held_ == capacity(); }

  /// Takes a request in (not queued yet).
  QueueSlot hold(Request&& request);
  /// Lets the scheduler see a held request.
  void queue(QueueSlot slot);
  /// Takes a queued request out.
  Request remove(QueueSlot slot);

  Request& operator[](QueueSlot slot) { return requests_[static_cast<std::size_t>(slot)]; }
  const Request& operator[](QueueSlot slot) const { return requests_[static_cast<std::size_t>(slot)]; }

  /// Newest held request of a line, and the next older one (of any line: compare addresses with is_line).
  QueueSlot newest(std::uint64_t line) const { return buckets_[bucket_of(line)]; }
  QueueSlot older(QueueSlot slot) const { return links_[static_cast<std::size_t>(slot)].older; }
  bool is_line(QueueSlot slot, std::uint64_t line) const { return links_[static_cast<std::size_t>(slot)].line == line; }

  // -- What a scheduler asks -------------------------------------------------------------------------------------
  unsigned queued() const { return queued_; }
  /// Bit b: bank b has queued requests.
  std::uint64_t busy_banks() const { return busy_; }
  /// Oldest queued request of a bank.
  QueueSlot head(unsigned bank) const { return banks_[bank].head; }
  /// When a queued request came.
  std::uint64_t order(QueueSlot slot) const { return links_[static_cast<std::size_t>(slot)].order; }
  /// Says which row of a bank is open (or will be, for what the controller knows): requests for it are the bank's hits.
  void open_row(unsigned bank, std::uint64_t row);
  /// Bit b: bank b has hits.
  std::uint64_t hit_banks() const { return hit_banks_; }
  /// Oldest hit of a bank, and the number of hits.
  QueueSlot first_hit(unsigned bank) const { return banks_[bank].first_hit; }
  unsigned hits(unsigned bank) const { return banks_[bank].hit_count; }
  /// Number of a bank's queued requests for any row.
  unsigned count_for(unsigned bank, std::uint64_t row) const;
  /// Oldest queued request of all.
  QueueSlot oldest() const;

  template <class Visit>
  void for_each(Visit visit) const {
    for (const Request& r : requests_)
      if (r.payload) visit(r);
  }

 private:
  // What is looked at of other requests than the one that comes or goes: a walk must not touch each whole request.
  struct Links {
    QueueSlot before = kNoSlot, after = kNoSlot;  // in the bank's list
    QueueSlot older = kNoSlot;                    // in the bucket
    std::uint64_t line = 0;
    std::uint64_t row = 0;
    std::uint64_t order = 0;
  };
  struct Bank {
    QueueSlot head = kNoSlot, tail = kNoSlot;
    std::uint64_t open_row = kNoRow;
    QueueSlot first_hit = kNoSlot;
    unsigned hit_count = 0;
  };

  std::size_t bucket_of(std::uint64_t line) const {
    return ((line >> 7) * 0x9e3779b97f4a7c15ULL >> 32) & (buckets_.size() - 1);
  }
  Links& link(QueueSlot slot) { return links_[static_cast<std::size_t>(slot)]; }
  void note_hits(unsigned bank);
  QueueSlot next_of_row(QueueSlot from, std::uint64_t row) const;

  std::vector<Request> requests_;
  std::vector<Links> links_;
  std::vector<QueueSlot> free_;
  std::vector<QueueSlot> buckets_;
  std::vector<Bank> banks_;
  std::uint64_t busy_ = 0, hit_banks_ = 0;
  unsigned held_ = 0, queued_ = 0;
};

}  // namespace gputlm
