// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// What can be wrong.
enum class FindingKind : std::uint8_t {
  request_changed,      ///< Data or byte mask of a request differ from what left the load/store unit.
  performed_twice,      ///< L2 performed one request a second time.
  wrong_load,           ///< A load at L2 returned other bytes than those current at its place in the order of memory.
  wrong_atomic,         ///< An atomic returned other old values than those current at its place in the order.
  wrong_content,        ///< Memory (L2 over DRAM) holds other bytes than those last stored.
  response_changed,     ///< Data of an answer differ from what L2 or L1 gave.
  not_performed,        ///< Acknowledged with OK although neither L2 nor L1 performed it.
  unexpected_response,  ///< An answer to a request that was never made.
  duplicate_response,   ///< A second answer to one request.
  l1_unlawful,          ///< L1 showed, kept or installed bytes that it may not.
  outside_memory,       ///< An access reached L2 at an address that no memory answers for.
  left_in_flight,       ///< Not finished at the end of the run.
  wrong_expectation,    ///< Memory differs from what a kernel was expected to leave.
  unordered             ///< An SM went on before what a fence, a release or an acquire waits for.
};
inline constexpr unsigned kFindingKinds = 14;

const char* name_of(FindingKind kind);

/// One thing found wrong.
struct Finding {
  FindingKind kind;
  Fs time;                 ///< Simulated time at which it was noticed.
  unsigned sm;             ///< SM of the access, 0xffff if not from one.
  std::uint64_t address;   ///< Of the line or byte; virtual at the SM, physical from L2 on.
  std::uint64_t expected;  ///< Digest, byte or count, as the text says.
  std::uint64_t got;
  std::string text;
};

/// Counts all findings and keeps the first of them.
class FindingLog {
 public:
  static constexpr std::size_t kKept = 20;

  /// Notes a finding at the present time. `text` is copied only when kept.
  void add(FindingKind kind, unsigned sm, std::uint64_t address, std::uint64_t expected, std::uint64_t got,
           const std::string& text);
  const std::vector<Finding>& kept() const { return kept_; }
  std::uint64_t total() const { return total_; }
  std::uint64_t count(FindingKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  void clear() { *this = FindingLog{}; }

 private:
  std::vector<Finding> kept_;
  std::array<std::uint64_t, kFindingKinds> counts_{};
  std::uint64_t total_ = 0;
};

}  // namespace gputlm
