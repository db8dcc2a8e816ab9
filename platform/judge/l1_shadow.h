// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "gputlm/judge/findings.h"
#include "gputlm/judge/line_table.h"
#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// What one SM's L1 may lawfully show: the bytes that the SM obtained by fills and its own stores, stale or not, until
/// a strong access, an atomic or an invalidate takes them away. Follows the L1 slot by slot and byte by byte (its size
/// is bounded by the L1's), and numbers the SM's events, so that an access is judged by what had happened when it left
/// the load/store unit, whatever the L1's own latency.
class L1Shadow {
 public:
  L1Shadow(unsigned sm, FindingLog& findings) : sm_(sm), findings_(findings) {}

  /// Number of the SM's latest event.
  std::uint64_t event() const { return event_; }

  // -- seen at the load/store unit -----------------------------------------------------------------------------------
  void store_requested(std::uint64_t line);
  /// A load that may use L1 leaves: the slot's bytes that it is about to capture are kept when it will wait for others.
  void load_requested(const Payload& load);
  void load_finished(const Payload& load);
  /// The store was refused: L1 owes it nothing.
  void store_refused(std::uint64_t line);
  /// A strong load, reduction or atomic passes: L1 may show nothing of the line to later loads.
  void strong_requested(std::uint64_t line);
  void invalidate_requested() { ++event_; }
  /// An invalidate was answered: the load/store unit counts on L1 having dropped what it held at the request's event.
  void invalidate_answered(std::uint64_t request_event);

  // -- seen at the slice ---------------------------------------------------------------------------------------------
  /// A fill was ordered; returns the event number that its age is judged by.
  std::uint64_t fill_ordered();
  /// The SM's strong access or store was ordered: fills ordered before may no longer bring these bytes.
  void access_ordered(std::uint64_t line, ByteMask bytes);

  // -- seen at the L1 ------------------------------------------------------------------------------------------------
  void allocate(unsigned slot, std::uint64_t line);
  void store(unsigned slot, const Payload& store, ByteMask mask);
  void fill(unsigned slot, const Payload& fill, ByteMask installed, std::uint64_t fill_event);
  void hit(unsigned slot, const Payload& load, ByteMask wanted, std::uint64_t load_event);
  void answered(const Payload& load, ByteMask from_slot, const Payload& fill, std::uint64_t load_event,
                std::uint64_t fill_event);
  void drop(unsigned slot);
  void invalidate_all();
  void debug_write(unsigned slot, const unsigned char* line, ByteMask mask);

 private:
  static constexpr std::uint64_t kNoLine = ~0ULL;
  struct Slot {
    std::uint64_t line = kNoLine;  ///< Virtual.
    ByteMask valid;
    std::uint64_t born = 0;           ///< Event of its allocation.
    std::uint64_t dead_from = ~0ULL;  ///< Loads from this event on may not hit.
    std::uint64_t due_from = 0;       ///< Loads from this event on must see the stores that are due.
    std::uint32_t due = 0;            ///< Stores that left for L1 and were not yet written.
    std::uint32_t generation = 0;     ///< Not the current one: dropped by an invalidate.
  };
  /// Latest access to a line that outdates fills ordered before it.
  struct Mark {
    std::uint64_t line = kNoLine;
    std::uint64_t event = 0;
    ByteMask bytes;
  };
  /// Bytes of a slot as a waiting load found them.
  struct Capture {
    ByteMask bytes;
    unsigned char line[kLineBytes];
  };
  static constexpr std::size_t kMarks = 256;

  bool live(const Slot& s) const { return s.line != kNoLine && s.generation == generation_; }
  Slot* slot_of(std::uint64_t line);
  Slot* live_slot(unsigned slot, std::uint64_t line, const char* what);
  void forget(Slot& s);
  Mark& mark_of(std::uint64_t line) { return marks_[(line / kLineBytes) % kMarks]; }
  /// True when a fill of this age may no longer bring some of the bytes to a load (or slot) of the given age.
  bool outdated(std::uint64_t line, ByteMask bytes, std::uint64_t fill_event, std::uint64_t user_event);
  void report(std::uint64_t address, std::uint64_t expected, std::uint64_t got, const char* text);
  void report_difference(std::uint64_t line, const unsigned char* expected, const unsigned char* got, ByteMask mask,
                         const char* text);

  const unsigned sm_;
  FindingLog& findings_;
  std::vector<Slot> slots_;
  std::vector<std::array<unsigned char, kLineBytes>> bytes_;
  LineTable<std::uint32_t> slot_by_line_;
  LineTable<Capture> captures_;  ///< By the load's place in host memory: payloads are further apart than lines.
  std::vector<Mark> marks_;
  std::uint64_t event_ = 0;
  std::uint64_t invalidated_at_ = 0;  ///< Event of the latest invalidate.
  std::uint64_t all_dead_from_ = 0;   ///< Event at which an invalidate was answered that the L1 did not report.
  std::uint32_t generation_ = 0;
  unsigned fills_ordered_ = 0;  ///< Fills between slice and L1.
};

}  // namespace gputlm
