// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

/// Time per round of a loop of `every` stores, with or without a fence, in its second half.
double round_time(const Measurement& m, const std::string& phase, std::uint64_t every) {
  std::uint32_t kernel = 0;
  while (m.phases.at(kernel).name != phase) ++kernel;
  std::vector<AccessTimes> rounds;  // every n-th store marks one
  std::uint64_t stores = 0;
  for (const AccessTimes& a : m.of_kernel(kernel))
    if (a.operation == Operation::store && stores++ % every == 0) rounds.push_back(a);
  return mean_of(from_share(issue_intervals(rounds), 0.5));
}

double fence_time(const Measurement& m, const std::string& phase) {
  std::uint32_t kernel = 0;
  while (m.phases.at(kernel).name != phase) ++kernel;
  return mean_of(issue_intervals(m.of_kernel(kernel)));
}

}  // namespace

void fence_cost(ProbeRun& run) {
  const std::string bytes = fmt::format("{} B", run.count("loop_stores") * kLineBytes);
  bool first = true;
  for (const std::uint64_t n : run.counts("stores")) {
    const Measurement m = run.measure({{"every", n}, {"bytes", bytes}});
    for (const std::string scope : {"cta", "gl", "sys"}) {
      if (first) run.row(scope + ",n=0", fence_time(m, scope + ",nothing"), "ns");
      for (const std::string lines : {"", ",missing"})
        run.row(fmt::format("{},n={}{}", scope, n, lines),
                round_time(m, scope + lines, n) - round_time(m, "none" + lines, n), "ns");
    }
    first = false;
  }
}

}  // namespace gputlm::probes
