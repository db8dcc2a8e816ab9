// SPDX-License-Identifier: Apache-2.0
//
// The headline figures of a run, as JSON for programs and as a table for people. docs/results.md explains each.
#pragma once

#include <ostream>
#include <string>

#include "gputlm/system/simulation.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// summary.json. Wall-clock and memory figures stand in `wall_s` and `memory_peak_mib` alone: everything else is the
/// same in every run of the same experiment, configuration and seed.
Json make_summary(const Experiment& experiment, const Simulation& simulation, const Verdict& verdict,
                  double wall_seconds);

/// The whole hierarchy's statistics.
Json make_statistics(const Simulation& simulation);

/// The table printed at the end of a run.
void print_summary(std::ostream& out, const Json& summary);

}  // namespace gputlm
