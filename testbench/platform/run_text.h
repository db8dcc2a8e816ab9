// SPDX-License-Identifier: Apache-2.0
//
// Runs an experiment given as text on a shipped configuration, with the checkers on every arrow and
// channel.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gputlm/system/simulation.h"
#include "gputlm/system/wiring.h"

namespace gputlm {

/// An experiment on its way; a test process makes one.
struct TextRun {
  explicit TextRun(const std::string& yaml, const std::vector<std::string>& overrides = {},
                   const std::vector<std::string>& faults = {})
      : experiment(parse_experiment(yaml, "test.yaml")),
        config(Config::load(experiment.config, experiment.overrides, overrides)),
        simulation(experiment, config, options(config, faults)) {}

  Verdict run() {
    return simulation.run([](const Progress&) { return true; });
  }

  Experiment experiment;
  Config config;
  Simulation simulation;

 private:
  static BuildOptions options(const Config& config, const std::vector<std::string>& faults) {
    BuildOptions o;
    o.check_protocol = true;
    for (const std::string& f : faults) o.faults.push_back(parse_fault(f, fault_places(config)));
    return o;
  }
};

/// The verdict's complaints as one text, for a failing test's message.
inline std::string complaints(const Verdict& verdict) {
  std::string all;
  for (const std::string& p : verdict.problems) all += p + "\n";
  return all;
}

}  // namespace gputlm
