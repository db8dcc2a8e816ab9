// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/summary_rows.h"

namespace gputlm::probes {

void vadd(ProbeRun& run) {
  summary_rows(run, run.measure({}, {}, Recording::counters));
}

}  // namespace gputlm::probes
