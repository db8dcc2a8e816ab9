// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

/// A place for every lane, going round the slices line by line.
std::vector<std::uint64_t> places(const ProbeRun& run, const Buffer& buffer, unsigned slices) {
  std::vector<std::vector<std::uint64_t>> lines;
  for (unsigned s = 0; s < slices; ++s)
    lines.push_back(
        run.lines(buffer, run.count("lines_per_slice"), [&](std::uint64_t a) { return run.slice_of(a) == s; }));
  std::vector<std::uint64_t> all;
  for (std::size_t i = 0; i < run.count("warps") * kLanes; ++i)
    all.push_back(lines[i % slices][i / slices % lines[0].size()]);
  return all;
}

}  // namespace

void slice_scaling(ProbeRun& run) {
  const Buffer buffer = run.buffer("lines", {{"places", "0"}, {"rounds", "1"}});
  for (const std::uint64_t k : run.counts("slices")) {
    const Measurement m =
        run.measure({{"places", places(run, buffer, static_cast<unsigned>(k))}, {"rounds", k * run.count("rounds")}});
    run.row(fmt::format("k={}", k), answer_rate(m.of_kernel(1)) * kLanes, "G/s");
  }
}

}  // namespace gputlm::probes
