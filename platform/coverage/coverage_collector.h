// SPDX-License-Identifier: Apache-2.0
//
// Counts the bins of coverage_bins.h in one simulation: by the observers of the L2 slices and L1s, by listening on
// arrows into the units of an SM, and by the units' own statistics at the end. A simulation without a collector has
// none of these.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "gputlm/coverage/coverage.h"
#include "gputlm/system/simulation.h"

namespace gputlm {

/// Create after the simulation and before its first run; both live equally long.
class CoverageCollector : private L2Observer, private L1Observer {
 public:
  explicit CoverageCollector(Simulation& simulation);
  ~CoverageCollector() override;

  /// What has been hit so far, statistics included.
  Coverage collect() const;

 private:
  class SmListener;

  // -- L2Observer
  void on_store(unsigned slice, const Payload& p) override { note_access(slice, p, L2Access::store); }
  void on_load(unsigned slice, const Payload& p) override { note_access(slice, p, L2Access::load); }
  void on_atomic(unsigned slice, const Payload& p) override { note_access(slice, p, L2Access::atomic); }
  void on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t line) override;

  // -- L1Observer
  void on_fill(unsigned sm, unsigned slot, const Payload& fill, ByteMask installed) override;
  void on_hit(unsigned sm, unsigned slot, const Payload& load, ByteMask wanted) override;
  void on_invalidate_all(unsigned sm) override;

  void note_access(unsigned slice, const Payload& p, L2Access access);
  void note_races(const L2Way& way, L2Access access, ByteMask wanted, bool complete);
  void note_alias(const Payload& p);
  std::vector<const Unit*> units_of(CountingUnit unit) const;
  bool backlog_full(unsigned slice) const;
  void hit(CoverageEvent event) { hits_.hit(bin_of(event)); }

  Simulation& simulation_;
  Coverage hits_;
  std::map<std::uint64_t, std::uint64_t> virtual_line_;  ///< Of each physical line, at its last access.
  std::vector<std::unique_ptr<SmListener>> sms_;
};

}  // namespace gputlm
