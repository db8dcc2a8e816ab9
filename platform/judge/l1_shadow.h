// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gputlm/judge/findings.h"
#include "gputlm/judge/line_table.h"
#include "gputlm/tlm/host_memory.h"
#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// What one SM's L1 may lawfully show: the bytes that the SM obtained by fills and its own stores, stale or not, until
/// a strong access, an atomic or an invalidate takes them away. Follows the L1 slot by slot and byte by byte (its size
/// is bounded by the L1's), and numbers the SM's events, so that an access is judged by what had happened when it left
/// the load/store unit, whatever the L1's own latency.
class L1Shadow {
 public:
  using Event = std::uint64_t;

  L1Shadow(unsigned sm, FindingLog& findings) : sm_(sm), findings_(findings) {}

  /// Number of the SM's latest event.
  Event event() const { return event_; }

  // -- seen at the load/store unit; `event()` afterwards is the request's event --------------------------------------
  void store_requested(std::uint64_t line);
  /// The store was answered with an error: L1 owes it nothing.
  void store_refused(std::uint64_t line, Event store_event);
  /// A load that may use L1 leaves: the slot's bytes that it is about to capture are kept if it will wait for others.
  void load_requested(const Payload& load);
  void load_finished(const Payload& load);
  /// A strong load, reduction or atomic passes: L1 may show nothing of the line to later loads.
  void strong_requested(std::uint64_t line);
  void invalidate_requested() { ++event_; }
  /// An invalidate was answered: the load/store unit counts on L1 having dropped what it held at the request's event.
  void invalidate_answered(Event request_event);

  // -- seen at the slice ---------------------------------------------------------------------------------------------
  /// A fill was ordered; returns the event that its age is judged by.
  Event fill_ordered();
  /// The SM's strong access or store was ordered: fills ordered before may no longer bring these bytes.
  void access_ordered(std::uint64_t line, ByteMask bytes);

  // -- seen at the L1 ------------------------------------------------------------------------------------------------
  void allocate(unsigned slot, std::uint64_t line);
  void store(unsigned slot, const Payload& store, ByteMask mask, Event store_event);
  void fill(unsigned slot, const Payload& fill, ByteMask installed, Event fill_event);
  void hit(unsigned slot, const Payload& load, ByteMask wanted, Event load_event);
  /// A waiting load was answered with `from_fill` bytes of a fill and `from_slot` bytes captured at its arrival.
  void answered(const Payload& load, ByteMask from_slot, ByteMask from_fill, Event load_event, Event fill_event);
  void drop(unsigned slot);
  void invalidate_all();
  // Write-back: bytes just stored stay; a slot's kept bytes leave; of a slot only kept bytes stay.
  void keep(unsigned slot, ByteMask mask);
  void write_back(unsigned slot, const Payload& write);
  void drop_but(unsigned slot, ByteMask stay);
  void debug_write(unsigned slot, const unsigned char* line, ByteMask mask);

  /// Reports the first byte of the mask that differs.
  void report_difference(std::uint64_t line, const unsigned char* expected, const unsigned char* got, ByteMask mask,
                         const char* text);
  void report(std::uint64_t address, std::uint64_t expected, std::uint64_t got, const char* text);

 private:
  static constexpr std::uint64_t kNoLine = ~0ULL;
  static constexpr Event kNoEvent = ~0ULL;
  static constexpr std::size_t kBuckets = 2048, kMarks = 256, kFirstSlots = 1024;
  using Link = std::uint32_t;  ///< Slot number plus one; 0: none.

  struct alignas(64) Slot {        // one host cache line
    std::uint64_t line = kNoLine;  ///< Virtual.
    ByteMask valid;
    ByteMask kept;                 ///< Of a write-back L1: stored and not sent on.
    Event born = 0;                ///< Its allocation.
    Event dead_from = kNoEvent;    ///< Loads from this event on may not hit.
    std::uint32_t generation = 0;  ///< Not the current one: dropped by an invalidate.
    Link next = 0;                 ///< In the bucket of its line.
  };
  /// Latest access to a line that outdates fills ordered before it.
  struct Mark {
    std::uint64_t line = kNoLine;
    Event event = 0;
    ByteMask bytes;
  };
  /// Bytes of a slot as a waiting load found them.
  struct Capture {
    ByteMask bytes;
    unsigned char line[kLineBytes];
  };
  /// The latest store that left for L1 and was not written into a slot yet.
  struct Due {
    std::uint64_t line = kNoLine;
    Event event = kNoEvent;
  };

  bool live(const Slot& s) const { return s.line != kNoLine && s.generation == generation_; }
  static bool ragged(const Slot& s) { return !s.valid.empty() && !s.valid.is_full(); }
  /// The live slot of a line. The first call makes the index: an SM that only streams never needs it.
  Slot* slot_of(std::uint64_t line);
  Slot* live_slot(unsigned slot, std::uint64_t line, const char* what);
  Link& bucket(std::uint64_t line) {
    return buckets_[static_cast<std::size_t>((line / kLineBytes) * 0x9e3779b97f4a7c15ULL >> 32) % kBuckets];
  }
  unsigned char* bytes(unsigned slot) const {
    return static_cast<unsigned char*>(bytes_.data()) + std::size_t{slot} * kLineBytes;
  }
  void link(unsigned slot);
  void unlink(unsigned slot);
  void forget(unsigned slot);
  void write(unsigned slot, const unsigned char* from, ByteMask mask);
  void set_kept(Slot& s, ByteMask kept);
  void settle_due();
  Mark& mark_of(std::uint64_t line) { return marks_[(line / kLineBytes) % kMarks]; }
  /// True when a fill of this age may no longer bring some of the bytes to a load (or slot) of the given age.
  bool outdated(std::uint64_t line, ByteMask bytes, Event fill_event, Event user_event);

  const unsigned sm_;
  FindingLog& findings_;
  HostVector<Slot> slots_;
  HostMemory bytes_;             ///< A line a slot; what no write has touched is never read.
  std::vector<Link> buckets_;    ///< Index of slots by line, chained; empty until needed.
  LineTable<Capture> captures_;  ///< By the load's place in host memory: payloads are further apart than lines.
  std::vector<Mark> marks_;
  Event event_ = 0;
  Event invalidated_at_ = 0;  ///< The latest invalidate.
  Event all_dead_from_ = 0;   ///< An invalidate was answered that the L1 did not report.
  std::uint32_t generation_ = 0;
  Due due_;
  unsigned ragged_ = 0;         ///< Live slots with some bytes valid and others not.
  unsigned keeping_ = 0;        ///< Live slots with kept bytes.
  unsigned fills_ordered_ = 0;  ///< Fills between slice and L1.
};

}  // namespace gputlm
