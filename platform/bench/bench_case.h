// SPDX-License-Identifier: Apache-2.0
//
// One benchmark case: a whole run of an experiment, audit included, and what it cost the host.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

/// Names of the cases in the order in which they run. `store`, `load` and `random_sectors` are the experiments of
/// configs/bench; `vadd` and `die` are shipped experiments.
const std::vector<std::string>& bench_cases();

/// Cost of one case.
struct BenchResult {
  std::string name;
  std::uint64_t lines = 0;          ///< Line requests that left a load/store unit.
  double ns_per_line = 0;           ///< Wall time of the run and its audit; elaboration is apart.
  double raw_events_per_line = 0;   ///< ... in raw SystemC events of this machine at this time.
  double events_per_line = 0;       ///< Runs of the models' method processes.
  double allocations_per_line = 0;  ///< Calls of operator new in the middle of each phase, from 20 to 80 % of its CTAs.
  double memory_peak_mib = 0;       ///< Resident set of the case's process.
  double elaboration_ms = 0;        ///< Reading the configuration, building and wiring the card.
  double raw_event_ns = 0;          ///< Measured right before the case.
};

/// Runs a case in this process, which must not have elaborated yet. Fills in everything but the raw event's share.
/// Throws std::runtime_error when the run does not end clean, ConfigError for an unknown name.
BenchResult run_bench_case(const std::string& name);

}  // namespace gputlm
