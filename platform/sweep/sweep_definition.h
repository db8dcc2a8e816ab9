// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/sweep/sweep_plan.h"

namespace gputlm {

/// What decides what the points of a sweep are and what they run, kept with its results. Statistics do not: they are
/// taken from what the points have left.
Json sweep_definition(const SweepPlan& plan);

/// In what two definitions differ, for a message; empty: in nothing.
std::string definition_difference(const Json& there, const Json& here);

}  // namespace gputlm
