// SPDX-License-Identifier: Apache-2.0
//
// Runs an experiment given as text on a shipped configuration, with a protocol checker on every arrow.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gputlm/system/simulation.h"

namespace gputlm {

/// An experiment on its way; a test process makes one.
struct TextRun {
  explicit TextRun(const std::string& yaml, const std::vector<std::string>& overrides = {}, bool check = true)
      : experiment(parse_experiment(yaml, "test.yaml")),
        config(Config::load(experiment.config, all_overrides(overrides))),
        simulation(experiment, config, options(check)) {}

  Verdict run() {
    return simulation.run([](const Progress&) { return true; });
  }

  Experiment experiment;
  Config config;
  Simulation simulation;

 private:
  std::vector<std::string> all_overrides(const std::vector<std::string>& more) const {
    std::vector<std::string> all;
    for (const Override& o : experiment.overrides) all.push_back(o.path + "=" + o.value);
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static BuildOptions options(bool check) {
    BuildOptions o;
    o.check_protocol = check;
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
