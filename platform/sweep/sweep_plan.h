// SPDX-License-Identifier: Apache-2.0
//
// The points of a sweep, and the check that each can be run: of every point the configuration is put together and the
// experiment is read before anything runs.
#pragma once

#include <string>
#include <vector>

#include "gputlm/sweep/sweep_file.h"

namespace gputlm {

/// One choice of values.
struct SweepPoint {
  unsigned number = 0;             ///< From 1.
  std::vector<SweepValue> values;  ///< One a parameter.
};

struct SweepPlan {
  SweepFile file;
  std::vector<SweepPoint> points;
  std::size_t unfit = 0;    ///< Points left out because their values do not go together.
  std::string config;       ///< The configuration as the sweep names it, or the name of its target's own.
  std::string fingerprint;  ///< Of what the files hold that the sweep only names.

  /// `l2.ways=8, l2.replacement=lru`.
  std::string describe(const SweepPoint& point) const;
  /// Of the point's run, after the program's name: `run FILE --config FILE --set PATH=VALUE ...`.
  std::vector<std::string> arguments(const SweepPoint& point) const;
};

/// Throws ConfigError with every mistake found: points that do not fit (unless they are to be left out), values that
/// the experiment's reader refuses.
SweepPlan make_sweep_plan(SweepFile file);

}  // namespace gputlm
