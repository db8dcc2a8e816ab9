// SPDX-License-Identifier: Apache-2.0
//
// Names who waits for whom when a simulation stands still. It has no process of its own, so it neither wakes an idle
// model nor keeps a finished one alive: whoever runs the simulation asks it now and then.
#pragma once

#include <cstddef>
#include <ostream>
#include <vector>

#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

/// Watches the transactions open on a set of arrows for ones that make no progress.
class HangTimer {
 public:
  /// `limit`: time that a transaction may spend in one phase on one arrow.
  explicit HangTimer(Fs limit) : limit_(limit) {}
  void watch(const ProtocolChecker& arrow) { arrows_.push_back(&arrow); }

  /// A transaction has been in its phase for longer than the limit.
  bool expired() const;
  /// The transactions beyond the limit, oldest first, at most `most` of them; for each the arrows it is open on from
  /// the initiator's end, so that the last line of a group names the party that everything waits for. Prints nothing
  /// when nothing hangs.
  void explain(std::ostream& out, std::size_t most = 20) const;

 private:
  std::vector<ProtocolChecker::Open> overdue() const;

  Fs limit_;
  std::vector<const ProtocolChecker*> arrows_;
};

}  // namespace gputlm
