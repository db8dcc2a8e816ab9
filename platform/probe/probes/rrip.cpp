// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/set_survival.h"

namespace gputlm::probes {
namespace {

using Lines = std::vector<std::uint64_t>;
using Fills = std::optional<double>;  // survived; none: it outlives all

/// Loads lines [from, to) of the set.
void load(Steps& steps, const Lines& lines, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) steps.push_back(l2_load_step(lines.at(i)));
}

/// The level at which lines are inserted, from the fate of a new line N and an old one in two states.
///
/// Against a line at level 1 that was used before N: all ways loaded, the first loaded again (0), a fill N raises all
/// by one; the others are loaded again (0). The next fill evicts the old line (1) unless N was inserted higher.
SetTreatment inserted_above_1(std::size_t ways) {
  return {[ways](Steps& steps, const Lines& lines) {
            load(steps, lines, 0, ways);
            load(steps, lines, 0, 1);
            load(steps, lines, ways, ways + 1);  // N, in place of line 1
            load(steps, lines, 2, ways);
            return ways + 1;
          },
          ways};
}

/// Against a line at level 0 that was used before N: a fill raises all, all but two are loaded again (0), and N and
/// another take those two's places without raising anybody. The next fill evicts the old line unless N was inserted
/// higher than it.
SetTreatment inserted_above_0(std::size_t ways) {
  return {[ways](Steps& steps, const Lines& lines) {
            load(steps, lines, 0, ways);
            load(steps, lines, ways, ways + 1);      // in place of line 0; all others are at the last level
            load(steps, lines, 3, ways + 1);         // line 3 is the old one
            load(steps, lines, ways + 1, ways + 2);  // N
            load(steps, lines, 4, ways + 1);
            load(steps, lines, ways + 2, ways + 3);
            return ways + 3;
          },
          ways + 1};
}

SetTreatment after_loading_all(std::size_t ways, std::size_t target) {
  return {[ways](Steps& steps, const Lines& lines) {
            load(steps, lines, 0, ways);
            return ways;
          },
          target};
}

/// The first line is used once more before the others come.
SetTreatment used_again(std::size_t ways, bool store) {
  return {[ways, store](Steps& steps, const Lines& lines) {
            load(steps, lines, 0, 1);
            if (store)
              add_store(steps, lines.at(0));
            else
              load(steps, lines, 0, 1);
            load(steps, lines, 1, ways);
            return ways;
          },
          0};
}

SetTreatment in_use(std::size_t ways) {
  SetTreatment t = after_loading_all(ways, 0);
  t.keep_target_in_use = true;
  return t;
}

/// Counted from the level of a line that a load has hit. Where such a hit promotes nothing, there is nothing to count
/// from: all lines are at one level, whichever it is.
std::optional<double> insertion_level(Fills oldest, Fills after_load_hit, Fills above_1, Fills above_0) {
  if (after_load_hit == oldest) return std::nullopt;
  return above_1 == 1.0 ? 2 : above_0 == 1.0 ? 1 : 0;
}

}  // namespace

void rrip(ProbeRun& run) {
  const std::size_t ways = run.count("ways");
  const auto fills =
      fills_survived(run,
                     {after_loading_all(ways, 0), after_loading_all(ways, ways - 1), used_again(ways, false),
                      used_again(ways, true), in_use(ways), inserted_above_1(ways), inserted_above_0(ways)},
                     run.count("fills"));
  run.row("ties,oldest", fills[0], "fills");
  run.row("ties,newest", fills[1], "fills");
  run.row("load_hit", fills[2], "fills");
  run.row("store_hit", fills[3], "fills");
  run.row("in_use_outlives_scan", fills[4] ? 0 : 1, "1 or 0");
  run.row("insertion_level", insertion_level(fills[0], fills[2], fills[5], fills[6]), "level");
}

}  // namespace gputlm::probes
