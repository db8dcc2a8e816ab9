// SPDX-License-Identifier: Apache-2.0
//
// What every command does that runs an experiment on a card: the loop with its progress line or live view, the results
// in the output directory.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gputlm/system/output_directory.h"
#include "gputlm/system/simulation.h"
#include "gputlm/system/summary.h"

namespace gputlm {

// The names of the files of a run; the last one says that the others are there.
inline constexpr const char *kConfigurationFile = "config.yaml", *kExperimentFile = "experiment.yaml",
                            *kTimeSeriesFile = "timeseries.csv", *kStatisticsFile = "stats.json",
                            *kJourneyFile = "journey.json", *kSummaryFile = "summary.json";

/// Runs it to the end, until the user stops it or until `failed` (asked now and then) is true.
Verdict run_to_end(Simulation& simulation, bool live, const std::function<bool()>& failed = {});

int exit_code(const Verdict& verdict);

/// Names of all files that write_run() may write.
std::vector<std::string> run_files();

/// What a run leaves besides what the simulation has itself.
struct RunResults {
  std::string experiment;  ///< Text of what was run.
  Json pictures;
  Json journey;  ///< Null: none.
  Json summary;
};

void write_run(const OutputDirectory& out, const Simulation& simulation, const RunResults& results);

/// Problems of a run, and that it was stopped, on the standard error.
void print_problems(const Verdict& verdict, const OutputDirectory& out);

}  // namespace gputlm
