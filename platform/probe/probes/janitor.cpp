// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gputlm/probe/probe_run.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm::probes {
namespace {

/// Offsets of the lines of a footprint that lie in the sampled sets, in ascending order.
std::vector<std::uint64_t> sampled_lines(const ProbeRun& run, const Buffer& footprint) {
  const std::uint64_t sets = run.count("sets");
  std::vector<std::uint64_t> lines;
  for (std::uint64_t offset = 0; offset < footprint.size; offset += kLineBytes)
    if (run.set_of(footprint.physical_address + offset) < sets) lines.push_back(offset);
  return lines;
}

}  // namespace

void janitor(ProbeRun& run) {
  double most_dirty = 0;
  for (const std::uint64_t mib : run.counts("footprints_mib")) {
    const auto lines = sampled_lines(run, run.buffer("memory", {{"mib", mib}, {"lines", "[0]"}}));
    const Measurement m = run.measure({{"mib", mib}, {"lines", lines}}, {}, Recording::counters);
    run.row(fmt::format("footprint_mib={}", mib), m.sum("channel", "bytes_written") / m.phases.front().bytes_stored,
            "B per B stored");
    most_dirty = std::max(most_dirty, m.summary["l2"]["dirty_lines_per_set_peak"].get<double>());
  }
  run.row("dirty_per_set", most_dirty, "line");
}

}  // namespace gputlm::probes
