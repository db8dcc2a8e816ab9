// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/case_runner.h"

#include <memory>

#include <fmt/format.h>

#include "gputlm/process/child_process.h"

namespace gputlm {

namespace {

// Keys of the child's answer, one of them.
constexpr const char* kMeasured = "measured";
constexpr const char* kBadInput = "bad input";

std::string first_problem(const Verdict& verdict) {
  if (!verdict.problems.empty()) return verdict.problems.front();
  return verdict.end == RunEnd::interrupted ? "stopped" : fmt::format("{} bytes were wrong", verdict.mismatches);
}

Json run_here(const Experiment& experiment, const Config& config, const BuildOptions& build, Recording recording,
              const KeepGoing& keep_going) {
  try {
    Simulation simulation(experiment, config, build);
    std::unique_ptr<Recorder> recorder;
    const PhaseCounters counters(simulation);
    if (recording == Recording::accesses) recorder = std::make_unique<Recorder>(simulation);
    const Verdict verdict = simulation.run([&](const Progress&) { return keep_going(); });
    if (!verdict.clean()) throw ProbeError(first_problem(verdict));
    return {{kMeasured, measure(experiment, simulation, verdict, counters, recorder.get()).to_json()}};
  } catch (const ConfigError& e) {
    return {{kBadInput, e.what()}};
  } catch (const sc_core::sc_report& e) {
    throw ProbeError(std::string("the model broke one of its own rules: ") + e.what());
  }
}

[[noreturn]] void throw_bad_input(const std::string& name, const std::string& text) {
  Diagnostics diagnostics;
  diagnostics.add({}, {}, name + ": " + text);
  diagnostics.throw_if_any();
  throw ProbeError(text);
}

}  // namespace

Measurement run_case(const std::string& name, const Experiment& experiment, const Config& config,
                     const BuildOptions& build, Recording recording, const KeepGoing& keep_going) {
  Json answer;
  try {
    answer = ChildProcess([&]() -> nlohmann::json {
               return run_here(experiment, config, build, recording, keep_going);
             }).result();
  } catch (const std::runtime_error& e) {
    throw ProbeError(name + ": " + e.what());
  }
  if (answer.contains(kBadInput)) throw_bad_input(name, answer[kBadInput].get<std::string>());
  return Measurement::from_json(answer[kMeasured]);
}

}  // namespace gputlm
