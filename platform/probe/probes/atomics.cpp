// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/probe/probe_run.h"
#include "gputlm/workload/instructions.h"

namespace gputlm::probes {
namespace {

/// Operations per ns from the first issue to the last answer, less the time that a lone access takes.
double rate(const std::vector<AccessTimes>& accesses) {
  Fs first = accesses.front().issued, last = first, lone = kNever;
  for (const AccessTimes& a : accesses) {
    last = std::max(last, a.answered);
    lone = std::min(lone, a.answered - a.issued);
  }
  return static_cast<double>(accesses.size()) * kLanes / ns_between(first + lone, last);
}

}  // namespace

void atomics(ProbeRun& run) {
  const Measurement m = run.measure();
  for (std::uint32_t i = 1; i < m.phases.size(); ++i)
    run.row(m.phases[i].name, rate(m.of_kernel(i)), "G/s");
}

}  // namespace gputlm::probes
