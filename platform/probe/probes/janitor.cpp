// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gputlm/probe/probe_run.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm::probes {

void janitor(ProbeRun& run) {
  const std::uint64_t sets = run.count("sets");
  double most_dirty = 0;
  // One that does not fit is told before anything runs.
  for (const std::uint64_t mib : run.counts("footprints_mib")) run.buffer("memory", {{"mib", mib}, {"lines", "[0]"}});
  for (const std::uint64_t mib : run.counts("footprints_mib")) {
    const auto lines = ProbeRun::all_lines(run.buffer("memory", {{"mib", mib}, {"lines", "[0]"}}),
                                           [&](std::uint64_t at) { return run.set_of(at) < sets; });
    const Measurement m = run.measure({{"mib", mib}, {"lines", lines}}, {}, Recording::counters);
    run.row(fmt::format("footprint_mib={}", mib), m.sum("channel", "bytes_written") / m.phases.front().bytes_stored,
            "B per B stored");
    most_dirty = std::max(most_dirty, m.summary["l2"]["dirty_lines_per_set_peak"].get<double>());
  }
  run.row("dirty_per_set", most_dirty, "line");
}

}  // namespace gputlm::probes
