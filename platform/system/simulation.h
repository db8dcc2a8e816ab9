// SPDX-License-Identifier: Apache-2.0
//
// One experiment on one card, from power-on to the audit. A process elaborates once, so it makes one Simulation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/system/cta_dispatcher.h"
#include "gputlm/system/judged_gpu.h"
#include "gputlm/system/time_series.h"
#include "gputlm/workload/workload.h"

namespace gputlm {

/// How a run ended.
enum class RunEnd {
  complete,    ///< Everything ran, drained and was audited.
  fault,       ///< An access ended with an error.
  stalled,     ///< Work is left, and nothing moves any more or an access waits beyond the limit.
  interrupted  ///< Stopped from outside.
};

/// What was found out at the end.
struct Verdict {
  RunEnd end = RunEnd::interrupted;
  std::uint64_t bytes_checked = 0;      ///< The sum of the next three: a byte counts each time that it is compared.
  std::uint64_t bytes_on_the_road = 0;  ///< By the scoreboard, where accesses are ordered, answered and audited.
  std::uint64_t bytes_by_programs = 0;  ///< By the programs, as loads return.
  std::uint64_t bytes_in_memory = 0;    ///< At the end, every byte of every buffer.
  std::uint64_t mismatches = 0;
  std::vector<std::string> problems;  ///< One line each, the first of them.

  bool clean() const { return end == RunEnd::complete && mismatches == 0 && problems.empty(); }
};

class Simulation;

/// How far a run has come; worked out when asked for.
class Progress {
 public:
  explicit Progress(const Simulation& simulation, bool checking = false)
      : simulation_(simulation), checking_(checking) {}
  Fs time() const { return now(); }
  std::uint64_t lines() const;  ///< Line requests sent so far.
  double share() const;         ///< Of all CTAs, ended.
  std::size_t phase() const;    ///< Number of the phase that runs, or of phases when all have ended.
  double phase_share() const;   ///< Of its CTAs, ended.
  /// The simulation has ended; what memory holds is being checked.
  bool checking() const { return checking_; }

 private:
  const Simulation& simulation_;
  const bool checking_;
};

/// Card, workload and judge, wired together.
class Simulation : public JudgedGpu {
 public:
  /// Elaborates a card without work; load() gives it some.
  Simulation(const Config& config, const BuildOptions& options);
  /// Elaborates and loads. Throws ConfigError when the experiment does not fit the card.
  Simulation(const Experiment& experiment, const Config& config, const BuildOptions& options);

  /// Places the experiment's buffers and makes its image and kernels; once, before run(). Throws ConfigError when it
  /// does not fit the card.
  void load(const Experiment& experiment);

  /// Runs to the end, or until `keep_going` returns false; it is called once per microsecond of simulated time in which
  /// something happens.
  Verdict run(const std::function<bool(const Progress&)>& keep_going);

  Workload workload;
  CtaDispatcher dispatcher;
  TimeSeries series;

  /// Line requests sent by all LSUs.
  std::uint64_t line_requests() const;

 private:
  bool flush_if_due();
  bool advance_to(Fs t, const std::function<bool(const Progress&)>& keep_going);
  Sample sample(Fs at) const;
  void audit(Verdict& verdict, const std::function<bool(const Progress&)>& keep_going);
  void count_checks(Verdict& verdict, const CheckCounter& loads) const;
  void finish(Verdict& verdict);

  Fs sample_interval_ = 0;
  bool flush_due_ = false;  ///< The experiment ends with a flush that has not begun.
};

}  // namespace gputlm
