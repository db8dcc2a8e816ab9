// SPDX-License-Identifier: Apache-2.0
//
// The runs of one litmus test as an experiment: a phase for each run, in it a kernel for each CTA and for the noise.
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/litmus/thread_program.h"
#include "gputlm/workload/experiment.h"

namespace gputlm {

inline constexpr const char* kLitmusMemory = "memory";
inline constexpr const char* kLitmusAliases = "aliases";

/// Bytes of the tests' memory on a card: at most 64 MiB, an eighth of what the card has, whole pages.
std::uint64_t litmus_memory_bytes(std::uint64_t memory_bytes, std::uint64_t page_bytes);

/// The experiment that performs `runs` in order. Initial values that are not 0 are stored in a phase of their own
/// before. `runs` and `context` outlive the experiment and the workload made of it; the workload fills in the context's
/// addresses.
Experiment make_litmus_experiment(LitmusContext& context, std::vector<LitmusRun>& runs, std::uint64_t memory_bytes);

}  // namespace gputlm
