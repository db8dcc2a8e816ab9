// SPDX-License-Identifier: Apache-2.0
//
// What every unit of the model can do besides its work.
#pragma once

#include <ostream>

#include "gputlm/tlm/statistics.h"
#include "gputlm/tlm/systemc_guard.h"
#include "gputlm/tlm/wait_list.h"

namespace gputlm {

/// Base of all units. A unit never reads a file or a global: its numbers come in its Spec, its payloads from a pool.
class Unit : public sc_core::sc_module {
 public:
  explicit Unit(const sc_core::sc_module_name& name) : sc_module(name) {}

  /// Back to the power-on state, also mid-traffic: drops every payload it holds, cancels its wakeups, clears
  /// statistics.
  virtual void reset() = 0;
  /// Describes all statistics, in a fixed order.
  virtual void report(StatisticsSink& sink) const = 0;
  /// True when nothing is queued, in flight or owed. At the end of a clean simulation every unit is idle.
  virtual bool idle() const = 0;
  /// Everything that waits here: whose, for what, held by whom, since when. Adds nothing when idle.
  virtual void list_waits(WaitList& waits) const = 0;
  /// The same in words, one line each.
  void explain(std::ostream& out) const {
    WaitList waits;
    list_waits(waits);
    waits.print(out);
  }
};

}  // namespace gputlm
