// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm::probes {

void requests_per_line(ProbeRun& run) {
  for (const PhaseResult& p : run.measure({}, {}, Recording::counters).phases)
    run.row(p.name, p.counted("l2", "stores") / (p.bytes_stored / kLineBytes), "per line");
}

}  // namespace gputlm::probes
