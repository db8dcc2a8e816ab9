// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {

void visibility(ProbeRun& run) {
  std::vector<std::vector<double>> times;  // of each phase, one for each moment
  std::vector<std::string> names;
  for (const std::uint64_t moment : run.counts("moments")) {
    const Measurement m = run.measure({{"moment", moment}});
    times.resize(m.phases.size());
    names.resize(m.phases.size());
    for (std::uint32_t i = 1; i < m.phases.size(); ++i) {  // a phase's kernels: producer, consumer; the first warms
      names[i] = m.phases[i].name;
      times[i].push_back(ns_between(m.of_kernel(2 * i).front().issued, m.of_kernel(2 * i + 1).back().answered));
    }
  }
  for (std::size_t i = 1; i < times.size(); ++i) run.row(names[i], mean_of(times[i]), "ns");
}

}  // namespace gputlm::probes
