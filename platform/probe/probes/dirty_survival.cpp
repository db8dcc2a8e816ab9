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

}  // namespace

void dirty_survival(ProbeRun& run) {
  const std::size_t ways = run.count("ways");
  std::vector<SetTreatment> treatments;
  std::vector<std::string> cases;
  for (const std::uint64_t dirty : run.counts("dirty")) {
    treatments.push_back(dirty_and_clean(ways, dirty, dirty));
    cases.push_back(fmt::format("D={},target=clean", dirty));
    if (dirty == 0) continue;
    treatments.push_back(dirty_and_clean(ways, dirty, dirty - 1));
    cases.push_back(fmt::format("D={},target=dirty", dirty));
  }
  const auto fills = fills_survived(run, treatments, run.count("fills"));
  for (std::size_t i = 0; i < cases.size(); ++i) run.row(cases[i], fills[i], "fills");
}

}  // namespace gputlm::probes
