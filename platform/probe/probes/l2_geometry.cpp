// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

using Places = std::vector<std::uint64_t>;

/// Hits per load after the first pass over so many lines.
double hits_after_first(const PhaseResult& phase, std::uint64_t lines) {
  return phase.counted("l2", "load_hits") / (phase.counted("l2", "loads") - static_cast<double>(lines));
}

/// The lines of a range that fall into some of the sets.
Places sample(const ProbeRun& run, const Buffer& buffer, std::uint64_t bytes, std::uint64_t sets) {
  Places places;
  for (std::uint64_t o = 0; o < bytes; o += kLineBytes) {
    if (run.l2_set_number(buffer.physical_address + o) < sets) places.push_back(o);
  }
  return places;
}

}  // namespace

void l2_geometry(ProbeRun& run) {
  const std::uint64_t ways = run.count("ways");
  const Buffer buffer = run.buffer("lines", {{"fitting", "0"}, {"one_more", "0"}, {"contiguous", "0"}});
  auto sets = run.lines_of_sets(buffer, run.count("sampled_sets") + 2, ways + 1);
  Places fitting = sets[sets.size() - 1], one_more = sets[sets.size() - 2];
  fitting.pop_back();
  const Places contiguous = sample(run, buffer, run.count("contiguous"), run.count("sampled_sets"));
  const Measurement m =
      run.measure({{"fitting", fitting}, {"one_more", one_more}, {"contiguous", contiguous}}, {}, Recording::counters);
  run.row(fmt::format("lines={}", ways), hits_after_first(m.phase("fitting"), ways), "hits per load");
  run.row(fmt::format("lines={}", ways + 1), hits_after_first(m.phase("one_more"), ways + 1), "hits per load");
  run.row(fmt::format("contiguous_mib={},again", run.count("contiguous") >> 20U), hits_after_first(m.phase("again"), 0),
          "hits per load");
}

}  // namespace gputlm::probes
