// SPDX-License-Identifier: Apache-2.0
//
// Where protocol checkers write what they find: a count per rule and the first violations in full. One log serves all
// checkers of a platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/protocol_rules.h"
#include "gputlm/tlm/protocol_snapshot.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// One broken rule.
struct Violation {
  ProtocolRule rule;
  Fs time;              ///< Simulated time of the call that broke it.
  std::string arrow;    ///< Its two ends.
  std::string payload;  ///< What was in flight.
  std::string detail;   ///< What was seen; may be empty.
};

/// Collects violations; shared by the checkers of one platform, outlives them.
class ViolationLog {
 public:
  /// Keeps the first `kept` violations in full; later ones are counted only.
  explicit ViolationLog(std::size_t kept = 100) : limit_(kept) {}

  /// Also raises a SystemC report of this severity for every violation (SC_FATAL stops the simulation at the first).
  void escalate(sc_core::sc_severity severity) { severity_ = severity, escalates_ = true; }
  /// Stops counting a rule, for arrows to third parties that are known to break it.
  void ignore(ProtocolRule rule) { ignored_[static_cast<std::size_t>(rule)] = true; }

  void record(ProtocolRule rule, const char* arrow, const PayloadSummary& payload, std::string_view detail = {});
  /// Records ProtocolRule::payload_returned when payloads of the pool are still out.
  void check_returned(const PayloadPool& pool, const char* pool_name);

  std::uint64_t total() const { return total_; }
  std::uint64_t count(ProtocolRule rule) const { return counts_[static_cast<std::size_t>(rule)]; }
  const std::vector<Violation>& violations() const { return violations_; }
  /// The kept violations, one a line, then the counts. Prints nothing when there are none.
  void print(std::ostream& out) const;
  void reset();

  // A checker sees one arrow; that an error was seen further down is known here.
  void note_error(const Payload& p) { errors_.insert(&p); }
  bool had_error(const Payload& p) const { return !errors_.empty() && errors_.count(&p) != 0; }
  void forget_error(const Payload& p) {
    if (!errors_.empty()) errors_.erase(&p);
  }

 private:
  std::size_t limit_;
  sc_core::sc_severity severity_ = sc_core::SC_ERROR;
  bool escalates_ = false;
  std::array<bool, kProtocolRules> ignored_{};
  std::array<std::uint64_t, kProtocolRules> counts_{};
  std::uint64_t total_ = 0;
  std::vector<Violation> violations_;
  std::unordered_set<const Payload*> errors_;
};

}  // namespace gputlm
