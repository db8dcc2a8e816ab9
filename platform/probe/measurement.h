// SPDX-License-Identifier: Apache-2.0
//
// What an experimenter takes home from one run: times of accesses as the warps saw them, durations of kernels, and
// counters. A value type, since the run is another process.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gputlm/probe/recorder.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// Counters summed over the units of a kind, by kind and name.
using CounterSums = std::map<std::string, std::map<std::string, double>>;

/// Reads the counters when a phase ends, as a profiler does. Create before the run.
class PhaseCounters {
 public:
  explicit PhaseCounters(Simulation& simulation);

  /// What was counted in each phase that has ended.
  std::vector<CounterSums> by_phase() const;

 private:
  std::vector<CounterSums> at_end_;
};

/// A phase as it ran.
struct PhaseResult {
  std::string name;
  double start_ns = 0, end_ns = 0;
  double bytes_stored = 0, bytes_loaded = 0;
  CounterSums counters;  ///< What was counted while it ran, summed over the units of a kind.

  double duration_ns() const { return end_ns - start_ns; }
  /// As Measurement::sum(), of this phase alone; only for what counts up (no peaks, no latencies).
  double counted(const std::string& kind, const std::string& statistic) const {
    return counters.at(kind).at(statistic);
  }
};

/// One row of the time series; see Sample.
struct SeriesRow {
  double time_ns = 0, bytes_stored = 0, l2_dirty_bytes = 0, dram_bytes_read = 0, dram_bytes_written = 0;
  unsigned sms_throttled = 0;
  std::vector<unsigned> write_backlog;  ///< Lines per controller.
};

/// Times in ns between accesses; both ends issued by the same warp.
inline double ns_between(Fs from, Fs to) {
  return to_ns(to - from);
}

/// The result of one run.
class Measurement {
 public:
  std::vector<PhaseResult> phases;
  std::vector<AccessTimes> accesses;  ///< In the order of their issue; empty when nothing was recorded.
  std::vector<SeriesRow> series;
  Json summary;  ///< As in summary.json.

  /// Phase of that name; there must be one.
  const PhaseResult& phase(const std::string& name) const;
  /// Accesses of one kernel (numbered over the experiment from 0).
  std::vector<AccessTimes> of_kernel(std::uint32_t kernel) const;
  /// A statistic of all units of a kind, in the order of the units: each("l2", "stores"). The kind is the last part of
  /// the hierarchical name without its number (warps, lsu, l1, mmu, crossbar, l2, mc, channel); a latency has `.count`,
  /// `.mean`, `.p50` and `.max` appended (ns). Throws std::out_of_range for an unknown one.
  const std::vector<double>& each(const std::string& kind, const std::string& statistic) const;
  /// The same, summed.
  double sum(const std::string& kind, const std::string& statistic) const;
  /// The same, the largest.
  double max(const std::string& kind, const std::string& statistic) const;

  /// All of it as plain data, and back.
  Json to_json() const;
  static Measurement from_json(const Json& json);

  std::map<std::string, std::map<std::string, std::vector<double>>> statistics;
};

/// Reads everything off a simulation that has ended; accesses come from the recorder, if any.
Measurement measure(const Experiment& experiment, const Simulation& simulation, const Verdict& verdict,
                    const PhaseCounters& counters, const Recorder* recorder);

}  // namespace gputlm
