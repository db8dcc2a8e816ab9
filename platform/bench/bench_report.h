// SPDX-License-Identifier: Apache-2.0
//
// Benchmark results as JSON and as tables for people.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gputlm/bench/bench_case.h"

namespace gputlm {

using BenchJson = nlohmann::ordered_json;

BenchJson to_json(const BenchResult& result);
/// Throws nlohmann::json::exception for JSON that is no result of to_json().
BenchResult bench_result_from(const BenchJson& json);

/// All cases with the machine and the build: `{raw_event_ns, machine, build, cases: [...]}`. `raw_event_ns` is the
/// median of those measured with the cases.
BenchJson bench_report(const std::vector<BenchResult>& cases);

void print_bench_table(std::ostream& out, const BenchJson& report);
/// The cases that both reports have, side by side: raw events per line, nanoseconds, events and memory, and the ratio
/// of the raw events (machines differ in their nanoseconds).
void print_bench_comparison(std::ostream& out, const BenchJson& before, const BenchJson& after);

}  // namespace gputlm
