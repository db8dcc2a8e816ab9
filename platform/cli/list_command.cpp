// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/schema.h"
#include "gputlm/workload/experiment.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {
namespace {

void list_experiments(std::ostream& out) {
  out << "Experiments (gputlm run NAME)\n";
  for (const std::string& name : list_yaml(kExperimentFolder)) {
    Diagnostics diagnostics;
    const Experiment e = read_experiment(find_yaml(name, kExperimentFolder, {}, diagnostics));
    fmt::print(out, "  {:<16}{}\n", name, e.description);
  }
}

void list_configurations(std::ostream& out) {
  out << "\nConfigurations (--config NAME; gputlm config show NAME)\n";
  for (const std::string& name : list_yaml(kConfigFolder)) fmt::print(out, "  {}\n", name);
}

void list_policies(std::ostream& out) {
  out << "\nPolicies (--set PATH=NAME)\n";
  for (const Parameter& p : Schema::instance().parameters())
    if (p.kind == Kind::choice) fmt::print(out, "  {:<26}{}: {}\n", p.path, p.description, join_names(p.choices));
}

void list_patterns(std::ostream& out) {
  out << "\nAccess patterns (pattern: NAME in an experiment's kernel)\n";
  for (const PatternInfo& pattern : patterns()) {
    fmt::print(out, "  {:<16}{}\n", pattern.name, pattern.summary);
    for (const ParameterInfo& p : parameters_of(pattern))
      fmt::print(out, "    {:<16}{} ({}{})\n", p.name, p.description, p.type,
                 p.default_value.empty() ? ", required" : ", default " + p.default_value);
  }
}

int list() {
  list_experiments(std::cout);
  list_configurations(std::cout);
  list_policies(std::cout);
  list_patterns(std::cout);
  return kDone;
}

}  // namespace

void add_list_command(CLI::App& app, Action& action) {
  app.add_subcommand("list", "List experiments, configurations, policies and access patterns")->callback([&action] {
    action = list;
  });
}

}  // namespace gputlm
