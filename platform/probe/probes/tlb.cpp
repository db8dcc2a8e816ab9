// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

constexpr double kResolutionNs = 0.1;  // READS finds the misses' cost flat within it

/// Load-to-load time of each phase's first warp in its later half, by the phase's number, which is its kernel's.
double load_time(const Measurement& m, std::uint32_t kernel) {
  std::vector<AccessTimes> own = m.of_kernel(kernel);
  own.erase(std::remove_if(own.begin(), own.end(), [](const AccessTimes& a) { return a.warp != 0; }), own.end());
  return mean_of(from_share(issue_intervals(own), 0.5));
}

/// Most of the listed pages whose loads take less than the middle between one page's and all pages'; none when all
/// take the same.
std::optional<double> reach(const std::map<std::string, double>& by_case) {
  constexpr std::array<unsigned, 8> kPages{1, 2, 4, 8, 16, 17, 32, 64};
  const auto time = [&](unsigned pages) { return by_case.at("pages=" + std::to_string(pages)); };
  const double hit = time(kPages.front()), miss = time(kPages.back());
  if (miss - hit < kResolutionNs) return std::nullopt;
  std::size_t last = 0;  // of those that cost no more; the last of all costs more
  while (time(kPages[last + 1]) <= (hit + miss) / 2) ++last;
  return kPages[last];
}

}  // namespace

void tlb(ProbeRun& run) {
  const Measurement m = run.measure();
  std::map<std::string, double> by_case;
  for (std::uint32_t i = 0; i < m.phases.size(); ++i) {
    by_case[m.phases[i].name] = load_time(m, i);
    run.row(m.phases[i].name, by_case[m.phases[i].name], "ns");
  }
  run.row("step", by_case.at("pages=17") - by_case.at("pages=16"), "ns");
  run.row("reach", reach(by_case), "page");
  run.row("step,warps=4", by_case.at("pages=20,warps=4") - by_case.at("pages=16,warps=4"), "ns");
}

}  // namespace gputlm::probes
