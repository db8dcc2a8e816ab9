// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

constexpr std::uint64_t kKib = 1024;

/// Load-to-load times of the last pass over a footprint.
std::vector<double> last_pass(ProbeRun& run, std::uint64_t footprint, bool cold) {
  const std::uint64_t passes = cold ? 1 : 2;
  const std::uint64_t per_chunk = run.count(cold ? "per_cold_chunk" : "per_chunk");
  const Measurement m =
      run.measure({{"footprint", fmt::format("{} B", footprint)}, {"per_chunk", per_chunk}, {"passes", passes}});
  return from_share(issue_intervals(m.accesses), static_cast<double>(passes - 1) / static_cast<double>(passes));
}

void footprint_rows(ProbeRun& run, std::uint64_t kib, bool cold) {
  const std::vector<double> times = last_pass(run, kib * kKib, cold);
  run.row(fmt::format("footprint_kib={}", kib), median_of(times), "ns");
  for (const char* level : {"l1", "l2", "dram"}) {
    if (run.count(level) != kib * kKib) continue;
    run.row(level, median_of(times), "ns");
  }
  if (run.count("dram") == kib * kKib) run.row("dram,refresh_and_translation", mean_of(times) - median_of(times), "ns");
}

}  // namespace

void latency(ProbeRun& run) {
  for (const std::uint64_t kib : run.counts("warm_kib")) footprint_rows(run, kib, false);
  for (const std::uint64_t kib : run.counts("cold_kib")) footprint_rows(run, kib, true);
}

}  // namespace gputlm::probes
