// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {

void sm_egress(ProbeRun& run) {
  const Measurement m = run.measure();
  for (std::uint32_t i = 1; i < m.phases.size(); ++i)
    run.row(m.phases[i].name, answer_rate(m.of_kernel(i)) * kLineBytes / run.cycles(1), "B/cycle");
}

}  // namespace gputlm::probes
