// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/set_survival.h"

namespace gputlm {

namespace {

/// Whether the target is gone, for each treatment and each number of fills in turn.
std::vector<bool> outcomes(ProbeRun& run, const std::vector<SetTreatment>& treatments, std::size_t most_fills,
                           std::size_t lines) {
  const auto sets =
      run.lines_of_sets(run.buffer("lines", {{"steps", "[{load: 0}]"}}), treatments.size() * most_fills + 1, lines);
  // The last set has a line that is missed, then hit: what the others are compared with.
  Steps steps{l2_load_step(sets.back()[0]), l2_load_step(sets.back()[0])};
  std::vector<std::size_t> checks;
  auto set = sets.begin();
  for (const SetTreatment& t : treatments)
    for (std::size_t fills = 1; fills <= most_fills; ++fills, ++set) {
      const std::size_t used = t.prepare(steps, *set);
      for (std::size_t i = 0; i < fills; ++i) {
        steps.push_back(l2_load_step(set->at(used + i)));
        if (t.keep_target_in_use) steps.push_back(l2_load_step(set->at(t.target)));
      }
      checks.push_back(steps.size());
      steps.push_back(l2_load_step(set->at(t.target)));
    }
  const std::vector<AccessTimes> accesses = run.measure({{"steps", steps}}).accesses;
  const double miss = duration_ns(accesses.at(0)), hit = duration_ns(accesses.at(1));
  std::vector<bool> gone;
  for (const std::size_t check : checks) gone.push_back(!is_hit(duration_ns(accesses.at(check)), hit, miss));
  return gone;
}

}  // namespace

std::vector<std::optional<double>> fills_survived(ProbeRun& run, const std::vector<SetTreatment>& treatments,
                                                  std::size_t most_fills) {
  std::size_t prepared = 0;
  for (const SetTreatment& t : treatments) {
    Steps ignored;
    prepared = std::max(prepared, t.prepare(ignored, std::vector<std::uint64_t>(run.count("lines_per_set"))));
  }
  const std::vector<bool> gone = outcomes(run, treatments, most_fills, prepared + most_fills);
  std::vector<std::optional<double>> result;
  for (auto at = gone.begin(); at != gone.end(); at += static_cast<std::ptrdiff_t>(most_fills)) {
    const auto end = at + static_cast<std::ptrdiff_t>(most_fills), first = std::find(at, end, true);
    result.push_back(first == end ? std::nullopt : std::optional(static_cast<double>(first - at + 1)));
  }
  return result;
}

}  // namespace gputlm
