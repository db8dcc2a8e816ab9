// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {

void refresh(ProbeRun& run) {
  const std::vector<double> times = issue_intervals(run.measure().accesses);
  const double usual = median_of(times), limit = usual + static_cast<double>(run.count("delayed_ns"));
  std::vector<double> delays;
  for (const double t : times)
    if (t > limit) delays.push_back(t - usual);
  run.row("share", static_cast<double>(delays.size()) / static_cast<double>(times.size()), "of loads");
  if (delays.empty()) {
    run.row("max", std::nullopt, "ns");
    return;
  }
  run.row("max", *std::max_element(delays.begin(), delays.end()), "ns");
  run.row("mean", mean_of(delays), "ns");
}

}  // namespace gputlm::probes
