// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {

void coalesce(ProbeRun& run) {
  for (const PhaseResult& phase : run.measure().phases) {
    run.row(phase.name + ",requests", phase.counted("lsu", "load_lines"), "request");
    run.row(phase.name + ",sectors", phase.counted("lsu", "sectors"), "sector");
  }
}

}  // namespace gputlm::probes
