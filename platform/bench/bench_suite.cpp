// SPDX-License-Identifier: Apache-2.0
#include "gputlm/bench/bench_suite.h"

#include "gputlm/bench/bench_report.h"
#include "gputlm/bench/raw_event.h"
#include "gputlm/process/child_process.h"

namespace gputlm {

std::vector<BenchResult> run_bench_suite(const std::vector<std::string>& names,
                                         const std::function<void(const std::string&)>& starting) {
  std::vector<BenchResult> results;
  for (const std::string& name : names) {
    starting(name);
    const auto raw = ChildProcess([] { return nlohmann::json(raw_event_ns()); }).result().get<double>();
    BenchResult result =
        bench_result_from(ChildProcess([&] { return nlohmann::json(to_json(run_bench_case(name))); }).result());
    result.raw_event_ns = raw;
    result.raw_events_per_line = result.ns_per_line / raw;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace gputlm
