// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gputlm/bench/bench_case.h"

namespace gputlm {

/// Runs the cases one after the other, each in a child process of its own: a process elaborates once, and its peak
/// memory is the case's. Right before each, another child measures the raw event. `starting` is told the case's name.
/// Throws std::runtime_error when a child fails.
std::vector<BenchResult> run_bench_suite(const std::vector<std::string>& names,
                                         const std::function<void(const std::string&)>& starting);

}  // namespace gputlm
