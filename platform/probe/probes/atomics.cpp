// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gputlm/probe/probe_run.h"
#include "gputlm/workload/instructions.h"

namespace gputlm::probes {
namespace {

/// From the first issue to the last answer.
double span_ns(const std::vector<AccessTimes>& accesses) {
  Fs last = 0;
  for (const AccessTimes& a : accesses) last = std::max(last, a.answered);
  return ns_between(accesses.front().issued, last);
}

}  // namespace

void atomics(ProbeRun& run) {
  const Measurement m = run.measure();  // phases: warming, a lone access, the cases
  const double lone = span_ns(m.of_kernel(1));
  run.row("latency", lone, "ns");
  for (std::uint32_t i = 2; i < m.phases.size(); ++i) {
    const std::vector<AccessTimes> accesses = m.of_kernel(i);
    run.row(m.phases[i].name, static_cast<double>(accesses.size()) * kLanes / (span_ns(accesses) - lone), "G/s");
  }
}

}  // namespace gputlm::probes
