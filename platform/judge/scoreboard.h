// SPDX-License-Identifier: Apache-2.0
//
// The scoreboard judges every byte that travels. One object watches all slices, L1s and load/store units:
//
// - Memory is ordered where the slices serialise. Every load and atomic at L2 must return the bytes of its place in
// that
//   order; at the end L2 over DRAM must hold what was stored last.
// - On the way nothing may change, get lost or happen twice: what leaves a load/store unit is stamped, checked at the
//   slice, stamped again with what the answer must carry, and checked when it is back.
// - An L1 may be stale, but only lawfully (L1Shadow).
//
// It keeps 32 bytes a stored line (digests, not data), a shadow of each L1 in use, and nothing per transaction: its
// notes travel in the payloads' `sideband.judge`. A payload without a sideband updates memory and is not checked
// itself. Not judged: what the load/store unit does with the lines it got (lanes to registers), accesses to memory that
// was left out (the host's, which no slice orders), and time.
#pragma once

#include <array>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/judge/l1_shadow.h"
#include "gputlm/judge/reference_memory.h"
#include "gputlm/judge/stamp.h"
#include "gputlm/l1/l1_observer.h"
#include "gputlm/l2/l2_observer.h"
#include "gputlm/lsu/lsu_observer.h"
#include "gputlm/tlm/statistics.h"

namespace gputlm {

/// Attach to the `observer` of every unit before the first request; for several observers of a unit see
/// observer_list.h.
class Scoreboard : public L2Observer, public L1Observer, public LsuObserver {
 public:
  using LineReader = ReferenceMemory::LineReader;

  /// `memory_bytes`: size of the physical address space. `image`: the line at a physical address before the run.
  /// `debug_read`: the coherent line at a physical address now, read below L1, in no time and without side effects.
  Scoreboard(std::uint64_t memory_bytes, LineReader image, LineReader debug_read);

  /// Accesses to these virtual addresses, whole lines, are not judged.
  void leave_out(std::uint64_t first, std::uint64_t last) { left_out_.emplace_back(first, last); }
  /// A host writes memory past the road (transport_dbg): call it just before.
  void note_debug_write(std::uint64_t address, const unsigned char* data, std::uint64_t bytes);

  /// At the end of a run, with nothing in flight: every request answered once, every stored byte in L2 or in DRAM.
  /// Lines that audit_line() is given apart are left out.
  void audit(const ReferenceMemory::Lines& apart = {});
  /// The same of one line, for who reads all of memory anyway: it holds `bytes`.
  void audit_line(std::uint64_t line, const unsigned char* bytes) { reference_.audit_line(line, bytes); }
  /// Compares memory with what a kernel was to leave there; `expected` writes a line. Returns the number of wrong
  /// bytes.
  std::uint64_t check_range(std::uint64_t first, std::uint64_t bytes, const LineReader& expected) {
    return reference_.check_range(first, bytes, expected);
  }

  /// The first findings, in order.
  const std::vector<Finding>& findings() const { return findings_.kept(); }
  /// Findings in all.
  std::uint64_t mismatches() const { return findings_.total(); }
  std::uint64_t mismatches(FindingKind kind) const { return findings_.count(kind); }
  /// Bytes compared: of loads at L2 and L1 hits, of old content before partial stores and atomics, of audits.
  std::uint64_t bytes_checked() const { return reference_.bytes_checked(); }
  /// Line requests of a kind that left a load/store unit and are not answered yet.
  std::uint64_t in_flight(Operation o) const { return requests_[index(o)] - responses_[index(o)]; }
  void report(StatisticsSink& sink) const;
  /// One line per kept finding, and how many there were in all.
  void print(std::ostream& out) const;
  /// Forgets everything: memory is the image again, nothing is in flight, L1s are empty.
  void reset();

  // -- LsuObserver ---------------------------------------------------------------------------------------------------
  void on_line_request(unsigned sm, const Payload& line) override;
  void on_line_response(unsigned sm, const Payload& line) override;

  // -- L2Observer ----------------------------------------------------------------------------------------------------
  void on_store(unsigned slice, const Payload& store) override;
  void on_load(unsigned slice, const Payload& load) override;
  void on_load_done(unsigned slice, const Payload& load) override;
  void on_atomic(unsigned slice, const Payload& atomic) override;
  void on_atomic_done(unsigned slice, const Payload& atomic) override;
  bool watches_lines() const override { return false; }

  // -- L1Observer ----------------------------------------------------------------------------------------------------
  void on_allocate(unsigned sm, unsigned slot, std::uint64_t virtual_line) override;
  void on_store_update(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) override;
  void on_store_kept(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) override;
  void on_write_back(unsigned sm, unsigned slot, const Payload& write) override;
  void on_drop_but(unsigned sm, unsigned slot, ByteMask stay) override;
  void on_fill(unsigned sm, unsigned slot, const Payload& fill, ByteMask installed) override;
  void on_hit(unsigned sm, unsigned slot, const Payload& load, ByteMask wanted) override;
  void on_miss_answered(unsigned sm, const Payload& load, ByteMask from_slot, const Payload& fill) override;
  void on_drop(unsigned sm, unsigned slot) override;
  void on_invalidate_all(unsigned sm) override;
  void on_debug_write(unsigned sm, unsigned slot, const unsigned char* line, ByteMask mask) override;

 private:
  static constexpr std::size_t kOperations = 7;
  static std::size_t index(Operation o) { return static_cast<std::size_t>(o); }

  /// Digest of all that a request carries.
  static std::uint64_t request_digest(const Payload& p, const Sideband& s);
  L1Shadow& shadow(unsigned sm) {
    return sm < shadows_.size() && shadows_[sm] != nullptr ? *shadows_[sm] : add_shadow(sm);
  }
  L1Shadow& add_shadow(unsigned sm);
  bool admit(const Payload& p, unsigned slice);
  bool left_out(const Sideband& s) const { return !left_out_.empty() && is_left_out(s); }
  bool is_left_out(const Sideband& s) const;
  void arrive(const Payload& p, Sideband& s, Stamp& stamp, std::uint64_t digest, unsigned slice);
  void check_answer(unsigned sm, const Payload& line, const Sideband& s, const Stamp& stamp);
  bool debug_written(std::uint64_t line) const;
  void find(FindingKind kind, const Payload& p, std::uint64_t expected, std::uint64_t got, const std::string& text);

  FindingLog findings_;
  ReferenceMemory reference_;
  std::vector<std::unique_ptr<L1Shadow>> shadows_;
  std::array<std::uint64_t, kOperations> requests_{}, responses_{};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> left_out_;  ///< [first, last], virtual.
  std::uint64_t open_ = 0;  ///< Loads and atomics that L2 has ordered and not completed.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> debug_writes_;  ///< [first, last] while any of those were open.
};

}  // namespace gputlm
