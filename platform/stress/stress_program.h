// SPDX-License-Identifier: Apache-2.0
//
// A stress case as an experiment.
#pragma once

#include "gputlm/stress/stress_case.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// One phase; a kernel for each CTA of the case. `c` outlives the workload made of it.
Experiment make_stress_experiment(const StressCase& c);

}  // namespace gputlm
