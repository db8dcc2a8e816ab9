// SPDX-License-Identifier: Apache-2.0
//
// A trace as an experiment: a buffer for each run of pages that it touches, a phase for each of its kernels.
#pragma once

#include <memory>

#include "gputlm/config/config.h"
#include "gputlm/replay/replay_kernel.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

/// Everything outlives the workload made of the experiment. Throws ConfigError when a kernel's block asks for more than
/// an SM has.
///
/// Pages that a copy from the host fills hold pattern data of `seed`, all others zeros. Kernels run one after the
/// other, with as many blocks on an SM as registers and shared memory allow; L1 has what their shared memory leaves of
/// it.
Experiment make_replay_experiment(const ReplayTrace& trace, const Config& config, std::uint64_t seed,
                                  ReplayState& state);

}  // namespace gputlm
