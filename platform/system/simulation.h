// SPDX-License-Identifier: Apache-2.0
//
// One experiment on one card, from power-on to the audit. A process elaborates once, so it makes one Simulation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/judge/observer_list.h"
#include "gputlm/judge/scoreboard.h"
#include "gputlm/system/cta_dispatcher.h"
#include "gputlm/system/gpu.h"
#include "gputlm/system/time_series.h"
#include "gputlm/workload/workload.h"

namespace gputlm {

/// How a run ended.
enum class RunEnd {
  complete,    ///< Everything ran, drained and was audited.
  fault,       ///< An access ended with an error.
  stalled,     ///< Nothing moves any more although work is left.
  interrupted  ///< Stopped from outside.
};

/// What was found out at the end.
struct Verdict {
  RunEnd end = RunEnd::interrupted;
  std::uint64_t bytes_checked = 0;
  std::uint64_t mismatches = 0;
  std::vector<std::string> problems;  ///< One line each, the first of them.

  bool clean() const { return end == RunEnd::complete && mismatches == 0 && problems.empty(); }
};

/// Progress as shown to a person.
struct Progress {
  Fs time = 0;
  std::uint64_t lines = 0;  ///< Line requests sent so far.
  double share = 0;         ///< Of all CTAs, ended.
};

/// Card, workload and judge, wired together.
class Simulation {
 public:
  /// Elaborates a card without work; load() gives it some.
  Simulation(const Config& config, const BuildOptions& options);
  /// Elaborates and loads. Throws ConfigError when the experiment does not fit the card.
  Simulation(const Experiment& experiment, const Config& config, const BuildOptions& options);

  /// Places the experiment's buffers and makes its image and kernels; once, before run(). Throws ConfigError when it
  /// does not fit the card.
  void load(const Experiment& experiment);

  /// Runs to the end, or until `keep_going` returns false; it is called once per sampling interval.
  Verdict run(const std::function<bool(const Progress&)>& keep_going);

  Gpu gpu;
  Workload workload;
  Scoreboard scoreboard;
  CtaDispatcher dispatcher;
  TimeSeries series;

  /// Watches all slices besides the scoreboard; add before run().
  L2ObserverList l2_observers;
  L1ObserverList l1_observers;
  LsuObserverList lsu_observers;

  /// Line requests sent by all LSUs.
  std::uint64_t line_requests() const;

 private:
  void advance_to(Fs t);
  Sample sample(Fs at) const;
  void audit(Verdict& verdict);

  Fs sample_interval_ = 0;
};

}  // namespace gputlm
