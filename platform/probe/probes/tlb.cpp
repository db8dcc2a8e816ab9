// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

/// Load-to-load time of each phase's first warp in its later half, by the phase's number, which is its kernel's.
double load_time(const Measurement& m, std::uint32_t kernel) {
  std::vector<AccessTimes> own = m.of_kernel(kernel);
  own.erase(std::remove_if(own.begin(), own.end(), [](const AccessTimes& a) { return a.warp != 0; }), own.end());
  return mean_of(from_share(issue_intervals(own), 0.5));
}

}  // namespace

void tlb(ProbeRun& run) {
  const Measurement m = run.measure();
  std::map<std::string, double> by_case;
  for (std::uint32_t i = 0; i < m.phases.size(); ++i) {
    by_case[m.phases[i].name] = load_time(m, i);
    run.row(m.phases[i].name, by_case[m.phases[i].name], "ns");
  }
  run.row("step", by_case.at("pages=64") - by_case.at("pages=16"), "ns");
  run.row("step,warps=4", by_case.at("pages=64,warps=4") - by_case.at("pages=16,warps=4"), "ns");
}

}  // namespace gputlm::probes
