// SPDX-License-Identifier: Apache-2.0
//
// A stress case as an experiment.
#pragma once

#include "gputlm/stress/stress_case.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// A phase for each case, one after the other in the same memory; a kernel for each CTA. `cases` outlive the workload
/// made of it.
Experiment make_stress_experiment(const std::vector<StressCase>& cases);

}  // namespace gputlm
