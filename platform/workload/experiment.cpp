// SPDX-License-Identifier: Apache-2.0
#include "gputlm/workload/experiment.h"

#include "gputlm/workload/experiment_reader.h"

namespace gputlm {

namespace {

Experiment finish(bool parsed, const YamlNode& root, const std::string& file, Diagnostics& diagnostics) {
  Experiment experiment;
  if (parsed) experiment = ExperimentReader(root, file, diagnostics).read();
  diagnostics.throw_if_any();
  return experiment;
}

}  // namespace

Place KernelSpec::place_of(const std::string& key) const {
  for (const auto& [name, where] : key_places)
    if (name == key) return where;
  return place;
}

Experiment read_experiment(const std::string& file) {
  Diagnostics diagnostics;
  YamlNode root;
  const bool parsed = load_yaml(file, root, diagnostics);
  return finish(parsed, root, file, diagnostics);
}

Experiment experiment_of(const YamlNode& root, const std::string& file) {
  Diagnostics diagnostics;
  return finish(true, root, file, diagnostics);
}

Experiment parse_experiment(const std::string& text, const std::string& file) {
  Diagnostics diagnostics;
  Experiment experiment = parse_experiment(text, file, diagnostics);
  diagnostics.throw_if_any();
  return experiment;
}

Experiment parse_experiment(const std::string& text, const std::string& file, Diagnostics& diagnostics,
                            const DocumentOverrides& overrides) {
  YamlNode root;
  if (!parse_yaml(text, file, root, diagnostics)) return {};
  overrides.apply(root, diagnostics);
  return ExperimentReader(root, file, diagnostics).read();
}

}  // namespace gputlm
