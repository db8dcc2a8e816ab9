// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm::probes {
namespace {

constexpr std::uint64_t kKib = 1024;
constexpr std::uint64_t kPasses = 2;

/// What a case is made of, all of its lines wanted.
Variables whole(std::uint64_t kib) {
  return {{"footprint", fmt::format("{} B", kib * kKib)}, {"lines", "[]"}, {"passes", kPasses}};
}

/// Load-to-load times of the last pass over a footprint, of each page's first load apart.
struct Times {
  std::vector<double> first_of_page, others;
};

Times last_pass(ProbeRun& run, std::uint64_t kib) {
  Variables variables = whole(kib);
  if (kib > run.count("whole_kib")) {
    const Buffer buffer = run.buffer("memory", variables);
    const std::uint64_t sets = run.count("sampled_sets");
    variables.insert_or_assign(
        "lines", ProbeRun::all_lines(buffer, [&](std::uint64_t at) { return run.l2_set_number(at) < sets; }));
  }
  const std::vector<AccessTimes> accesses = run.measure(variables).accesses;
  const std::uint64_t page = run.count("page");
  Times times;
  for (std::size_t i = accesses.size() - accesses.size() / kPasses; i + 1 < accesses.size(); ++i) {
    const bool first = accesses[i].address / page != accesses[i - 1].address / page;
    (first ? times.first_of_page : times.others).push_back(ns_between(accesses[i].issued, accesses[i + 1].issued));
  }
  return times;
}

void footprint_rows(ProbeRun& run, std::uint64_t kib) {
  const Times times = last_pass(run, kib);
  const double usual = median_of(times.others);
  run.row(fmt::format("footprint_kib={}", kib), usual, "ns");
  for (const char* level : {"l1", "l2", "dram"})
    if (run.count(level) == kib * kKib) run.row(level, usual, "ns");
  if (run.count("dram") != kib * kKib) return;
  run.row("dram,refresh", mean_of(times.others) - usual, "ns");
  run.row("dram,translation", median_of(times.first_of_page) - usual, "ns");
}

}  // namespace

void latency(ProbeRun& run) {
  // One that does not fit is told before anything runs.
  for (const std::uint64_t kib : run.counts("footprints_kib")) run.buffer("memory", whole(kib));
  for (const std::uint64_t kib : run.counts("footprints_kib")) footprint_rows(run, kib);
}

}  // namespace gputlm::probes
