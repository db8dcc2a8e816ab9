// SPDX-License-Identifier: Apache-2.0
//
// A card under judgement: its units' observers tell the judges, and whoever else was added to the lists.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/judge/observer_list.h"
#include "gputlm/judge/scoreboard.h"
#include "gputlm/system/dram_observer_list.h"
#include "gputlm/system/fence_watch.h"
#include "gputlm/system/gpu.h"
#include "gputlm/system/onlooker.h"

namespace gputlm {

/// Base of whatever runs something on a card. A process elaborates once, so it makes one of them.
class JudgedGpu {
 public:
  using LineReader = Scoreboard::LineReader;

  /// `image`: the line at a physical address before the run.
  JudgedGpu(const Config& config, const BuildOptions& options, LineReader image);

  Gpu gpu;
  Scoreboard scoreboard;
  std::unique_ptr<FenceWatch> fences;  ///< Null unless asked for.

  /// All of them are told; add before the first request.
  L2ObserverList l2_observers;
  L1ObserverList l1_observers;
  LsuObserverList lsu_observers;
  WarpObserverList warp_observers;
  /// The same for the commands of all DRAM channels, whose observers nobody calls before the first one is added.
  void watch_commands(DramObserver& observer);
  /// Looks on while the card runs, to its end; one at most.
  void show(Onlooker& onlooker) { onlooker_ = &onlooker; }

  /// An access that has waited for so long in one place waits forever: a millisecond, or 300,000 lines at the slowest
  /// place on the road, for each SM that a slice serves; some thirty times what SMs with full queues need.
  Fs hang_limit = 1'000'000 * kFsPerNs;

 protected:
  /// Lets time pass, to the last event if nothing more is due.
  void run_for(Fs duration);
  /// An access hangs, or will before anything else happens. Looks only now and then.
  bool hangs();
  /// That nothing moves any more, and who waits for whom.
  std::string explain_stall() const;
  /// With nothing in flight: every payload is back, every arrow at rest. A line for each that is not.
  void audit_payloads(std::vector<std::string>& problems);
  /// What the judges noticed while the run went on.
  void note_findings(std::vector<std::string>& problems);
  /// Faults that were to happen and did not.
  void note_pending_faults(std::vector<std::string>& problems) const;

 private:
  void watch_fences();

  DramObserverList dram_observers_;
  bool commands_watched_ = false;
  Onlooker* onlooker_ = nullptr;
  Fs next_look_ = 0;  ///< For accesses that hang.
};

}  // namespace gputlm
