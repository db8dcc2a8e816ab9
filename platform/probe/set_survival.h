// SPDX-License-Identifier: Apache-2.0
//
// The experiment behind every statement about L2 replacement: a set is brought into some state, other lines of it are
// loaded, and a load of the target tells by its time whether it is still there. Asking disturbs, so every number of
// fills is tried in a set of its own.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gputlm/probe/probe_run.h"
#include "gputlm/probe/steps.h"

namespace gputlm {

/// One state to try.
struct SetTreatment {
  /// Steps that make the state, of the set's lines in order; returns the number of lines used.
  std::function<std::size_t(Steps& steps, const std::vector<std::uint64_t>& lines)> prepare;
  std::size_t target = 0;           ///< Number of the line asked for at the end.
  bool keep_target_in_use = false;  ///< The target is loaded again after every fill.
};

/// Smallest number of fills, up to `most_fills`, after which the target misses; none: it outlives all. Buffer and steps
/// are called `lines` and `steps` in the experiment.
std::vector<std::optional<double>> fills_survived(ProbeRun& run, const std::vector<SetTreatment>& treatments,
                                                  std::size_t most_fills);

}  // namespace gputlm
