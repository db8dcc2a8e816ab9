// SPDX-License-Identifier: Apache-2.0
#include "run_loop.h"

#include <iostream>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/config/show.h"
#include "gputlm/report/run_pictures.h"
#include "live_view.h"
#include "progress_line.h"

namespace gputlm {

Verdict run_to_end(Simulation& simulation, bool live, const std::function<bool()>& failed) {
  const auto run_before = [&](auto& view) {
    return simulation.run([&](const Progress& p) {
      view.show(p);
      return !stop_requested() && (!failed || !failed());
    });
  };
  if (!live) {
    ProgressLine progress;
    return run_before(progress);
  }
  LiveView view(simulation.series, simulation.gpu.config());
  Verdict verdict = run_before(view);
  view.finish();
  return verdict;
}

int exit_code(const Verdict& verdict) {
  if (verdict.end == RunEnd::interrupted) return 128 + stop_signal();
  return verdict.clean() ? kDone : kFound;
}

std::vector<std::string> run_files() {
  return {kConfigurationFile, kExperimentFile, kTimeSeriesFile, kStatisticsFile,
          kPicturesFile,      kJourneyFile,    kSummaryFile};
}

void write_run(const OutputDirectory& out, const Simulation& simulation, const RunResults& results) {
  std::vector<ResultFile> files{
      {kConfigurationFile, [&](std::ostream& o) { show_yaml(o, simulation.gpu.config()); }},
      {kExperimentFile, [&](std::ostream& o) { o << results.experiment; }},
      {kTimeSeriesFile, [&](std::ostream& o) { simulation.series.write_csv(o); }},
      {kStatisticsFile, [&](std::ostream& o) { o << make_statistics(simulation.gpu).dump(1) << '\n'; }},
      {kPicturesFile, [&](std::ostream& o) { o << results.pictures.dump() << '\n'; }}};
  if (!results.journey.is_null())
    files.push_back({kJourneyFile, [&](std::ostream& o) { o << text_of(results.journey); }});
  files.push_back({kSummaryFile, [&](std::ostream& o) { o << text_of(results.summary); }});
  out.replace(files);
}

void print_problems(const Verdict& verdict, const OutputDirectory& out) {
  for (const std::string& problem : verdict.problems) fmt::print(std::cerr, "gputlm: {}\n", problem);
  if (verdict.end == RunEnd::interrupted)
    fmt::print(std::cerr, "gputlm: stopped by {}; the results in {} are marked incomplete\n", stop_name(),
               out.path().string());
}

}  // namespace gputlm
