// SPDX-License-Identifier: Apache-2.0
//
// The headline figures of a run, as JSON for programs and as a table for people. docs/experiments.md explains each.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "gputlm/system/simulation.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// What a run was, besides its experiment: enough to run it again.
struct RunRecord {
  std::string version;                 ///< Of the program.
  std::string configuration;           ///< Name or file, as given.
  std::vector<std::string> overrides;  ///< path=value, the experiment's own first.
  double wall_seconds = 0;
};

/// summary.json. Wall-clock and memory figures stand in `wall_s` and `memory_peak_mib` alone: everything else is the
/// same in every run of the same experiment, configuration and seed.
Json make_summary(const Experiment& experiment, const Simulation& simulation, const Verdict& verdict,
                  const RunRecord& record);

/// The text of a document's file. Bytes of a path that are no UTF-8 are replaced.
std::string text_of(const Json& document);

/// The whole hierarchy's statistics, and under `total` those of all units of a kind taken together.
Json make_statistics(const Gpu& gpu);

/// What tables of a loosely timed run say below, so that nobody takes an estimate for a result.
inline constexpr const char* kLooseNote =
    "\n  timing: loose; what lies below the SMs is estimated (docs/integration.md says how near)\n";

/// The table printed at the end of a run.
void print_summary(std::ostream& out, const Json& j);

}  // namespace gputlm
