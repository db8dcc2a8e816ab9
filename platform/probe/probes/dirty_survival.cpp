// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/set_survival.h"

namespace gputlm::probes {
namespace {

SetTreatment dirty_and_clean(std::size_t ways, std::size_t dirty, std::size_t target) {
  return {[ways, dirty](Steps& steps, const std::vector<std::uint64_t>& lines) {
            for (std::size_t i = 0; i < dirty; ++i) add_store(steps, lines.at(i));
            for (std::size_t i = dirty; i < ways; ++i) steps.push_back(l2_load_step(lines.at(i)));
            return ways;
          },
          target};
}

/// How many fills longer the last dirty line lives for each dirty line before it; as far as it was seen to go.
std::optional<double> fills_per_dirty_line(const std::vector<std::optional<double>>& fills,
                                           const std::vector<std::size_t>& dirty_targets) {
  std::vector<double> seen;
  for (const std::size_t target : dirty_targets)
    if (fills[target]) seen.push_back(*fills[target]);
  if (seen.size() < 2) return std::nullopt;
  return (seen.back() - seen.front()) / static_cast<double>(seen.size() - 1);
}

}  // namespace

void dirty_survival(ProbeRun& run) {
  const std::size_t ways = run.count("ways");
  std::vector<SetTreatment> treatments;
  std::vector<std::string> cases;
  std::vector<std::size_t> dirty_targets;  // numbers of their cases
  for (const std::uint64_t dirty : run.counts("dirty")) {
    treatments.push_back(dirty_and_clean(ways, dirty, dirty));
    cases.push_back(fmt::format("D={},target=clean", dirty));
    if (dirty == 0) continue;
    dirty_targets.push_back(cases.size());
    treatments.push_back(dirty_and_clean(ways, dirty, dirty - 1));
    cases.push_back(fmt::format("D={},target=dirty", dirty));
  }
  const auto fills = fills_survived(run, treatments, run.count("fills"));
  for (std::size_t i = 0; i < cases.size(); ++i) run.row(cases[i], fills[i], "fills");
  run.row("fills_per_dirty_line", fills_per_dirty_line(fills, dirty_targets), "fills");
}

}  // namespace gputlm::probes
