// SPDX-License-Identifier: Apache-2.0
#include "gputlm/stress/stress_runner.h"

#include <unistd.h>

#include "gputlm/coverage/coverage_collector.h"
#include "gputlm/process/child_process.h"
#include "gputlm/stress/stress_program.h"
#include "gputlm/system/simulation.h"
#include "gputlm/system/wiring.h"

namespace gputlm {
namespace {

using Json = nlohmann::json;

std::string problem_of(const Verdict& verdict) {
  if (verdict.clean()) return {};
  std::string all;
  for (const std::string& p : verdict.problems) all += (all.empty() ? "" : "\n") + p;
  return all.empty() ? std::to_string(verdict.mismatches) + " bytes are wrong" : all;
}

}  // namespace

nlohmann::json to_json(const StressResult& result) {
  Json json{{"legal", result.legal},
            {"problem", result.problem},
            {"transactions", result.transactions},
            {"refusal", result.refusal}};
  if (result.coverage) json["coverage"] = result.coverage->to_json();
  return json;
}

StressResult stress_result_from(const nlohmann::json& json) {
  StressResult result{json.at("legal").get<bool>(),
                      json.at("problem").get<std::string>(),
                      json.at("transactions").get<std::uint64_t>(),
                      json.at("refusal").get<std::string>(),
                      {}};
  if (json.contains("coverage")) result.coverage = Coverage::from_json(json["coverage"], "a stress case");
  return result;
}

StressResult run_stress_cases(const std::vector<StressCase>& cases, const std::vector<std::string>& overrides,
                              const std::string& config_name, bool coverage) {
  StressResult result;
  try {
    const Config config = Config::load(config_name, overrides);
    BuildOptions build;
    build.check_protocol = true;
    for (const StressCase& c : cases)
      for (const std::string& f : c.faults) build.faults.push_back(parse_fault(f, fault_places(config)));
    Simulation simulation(make_stress_experiment(cases), config, build);
    std::optional<CoverageCollector> collector;
    if (coverage) collector.emplace(simulation);
    const Verdict verdict = simulation.run([](const Progress&) { return true; });
    if (collector) result.coverage = collector->collect();
    // Without its fault a run says nothing.
    if (const auto missing = simulation.gpu.mem.pending_faults(); !missing.empty())
      return {
          false, {}, 0, "the fault " + missing[0]->text + " never happened: too few of its targets passed there", {}};
    result.problem = problem_of(verdict);
    result.transactions = simulation.line_requests();
  } catch (const ConfigError& e) {
    result.legal = false;
    result.refusal = e.what();
  }
  return result;
}

StressResult run_in_child(const StressCase& c, const std::string& config, unsigned seconds, bool coverage) {
  try {
    return stress_result_from(ChildProcess([&]() -> Json {
                                ::alarm(seconds);
                                return to_json(run_stress_cases({c}, c.overrides, config, coverage));
                              }).result());
  } catch (const std::runtime_error& e) {
    return {true, e.what(), 0, {}, {}};
  }
}

}  // namespace gputlm
