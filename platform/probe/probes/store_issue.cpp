// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {

void store_issue(ProbeRun& run) {
  for (const std::uint64_t bytes : run.counts("bytes"))
    for (const std::uint64_t lanes : run.counts("lanes")) {
      const Measurement m = run.measure({{"lanes", lanes}, {"bytes", bytes}});
      const double interval = mean_of(from_share(issue_intervals(m.accesses), 0.5));
      run.row(fmt::format("lanes={},bytes={}", lanes, bytes), run.cycles(interval), "cycle");
    }
}

}  // namespace gputlm::probes
