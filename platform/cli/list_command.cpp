// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/calibrate/targets_file.h"
#include "gputlm/config/config.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/schema.h"
#include "gputlm/faults/fault.h"
#include "gputlm/launchspec/launch_experiment.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/replay/kernel_list.h"
#include "gputlm/sass/listing.h"
#include "gputlm/sweep/sweep_file.h"
#include "gputlm/workload/experiment.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {
namespace {

struct Row {
  std::string name, text;
};

void print_rows(const std::string& heading, const std::vector<Row>& rows) {
  std::size_t width = 0;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  fmt::print(std::cout, "{}\n", heading);
  for (const Row& row : rows)
    fmt::print(std::cout, row.text.empty() ? "  {0}\n" : "  {0:<{1}}  {2}\n", row.name, width, row.text);
}

/// The file of a name that was listed.
std::string find_listed(const std::string& name, const std::string& folder, const std::string& extension) {
  Diagnostics diagnostics;
  std::string file = find_shipped(name, folder, extension, {}, diagnostics);
  diagnostics.throw_if_any();
  return file;
}

/// Of either kind.
std::string description_of(const std::string& file) {
  YamlNode root;
  Diagnostics diagnostics;
  load_yaml(file, root, diagnostics);
  diagnostics.throw_if_any();
  if (!is_launch_experiment(root)) return experiment_of(root, file).description;
  std::string description = launch_experiment_of(root, file, diagnostics).description;
  diagnostics.throw_if_any();
  return description;
}

void list_experiments() {
  std::vector<Row> rows;
  for (const std::string& name : list_yaml(kExperimentFolder))
    rows.push_back({name, description_of(find_yaml(name, kExperimentFolder))});
  print_rows("Experiments (gputlm run NAME)", rows);
}

void list_configurations() {
  std::vector<Row> rows;
  for (const std::string& name : list_yaml(kConfigFolder)) rows.push_back({name, Config::load(name).description});
  print_rows("Configurations (--config NAME; gputlm config show NAME)", rows);
}

void list_policies() {
  const Config card = Config::load(kDefaultConfig);
  std::vector<Row> rows;
  for (const Parameter& p : Schema::instance().parameters()) {
    if (p.kind != Kind::choice) continue;
    std::string names;
    for (const std::string& choice : p.choices)
      names += (names.empty() ? "" : " | ") + choice + (choice == p.value_text(card) ? " (default)" : "");
    rows.push_back({p.path, names});
    rows.push_back({"", p.description});
  }
  print_rows("Policies (--set PATH=NAME)", rows);
}

void list_patterns() {
  std::vector<Row> rows;
  for (const PatternInfo& pattern : patterns()) rows.push_back({pattern.name, pattern.summary});
  print_rows("Access patterns (pattern: NAME in an experiment's kernel; gputlm list NAME for its parameters)", rows);
}

void list_faults() {
  std::vector<Row> rows;
  for (const FaultInfo& fault : fault_kinds()) {
    std::string form = std::string(fault.name) + ':';
    for (std::size_t i = 0; i < fault.targets.size(); ++i)
      form += (i == 0 ? "" : "|") + std::string(name_of(fault.targets[i]));
    for (std::size_t i = 0; i < fault.options.size(); ++i)
      form += (i == 0 ? " :" : ",") + std::string(fault.options[i]) + '=';
    rows.push_back({form, fault.summary});
  }
  rows.push_back(
      {"n=, by=, bit=, byte=", "the n-th one (1), a duration (1us), a bit of the data (0), a byte of the line (0)"});
  rows.push_back(
      {"PLACE", "sm<N>.warps.access_<N>, sm<N>.lsu.line, sm<N>.l1.misses, sm<N>.mmu.physical, crossbar.slice<N>,"});
  rows.push_back({"", "crossbar.system, l2_<N>.reads, l2_<N>.writes, mc<N>.channel_<N>;"});
  rows.push_back({"", "channel<N> of commands"});
  print_rows("Faults (gputlm run NAME --fault KIND:TARGET@PLACE[:OPTION=VALUE,...])", rows);
}

void list_parameters(const PatternInfo& pattern) {
  std::vector<Row> rows;
  for (const ParameterInfo& p : parameters_of(pattern))
    rows.push_back({p.name, fmt::format("{} ({}, {})", p.description, p.type,
                                        p.default_value.empty() ? "required" : "default " + p.default_value)});
  print_rows(fmt::format("{}: {}", pattern.name, pattern.summary), rows);
}

void list_sweeps() {
  std::vector<Row> rows;
  for (const std::string& name : list_yaml(kSweepFolder))
    rows.push_back({name, read_sweep_file(find_yaml(name, kSweepFolder)).description});
  print_rows("Sweeps (gputlm sweep NAME)", rows);
}

void list_targets() {
  std::vector<Row> rows;
  for (const std::string& name : list_yaml(kTargetsFolder)) rows.push_back({name, read_targets(name).description});
  print_rows("Targets (gputlm calibrate CONFIG --targets NAME)", rows);
}

void list_traces() {
  std::vector<Row> rows;
  Damage damage(false);
  for (const std::string& name : list_shipped(kTraceFolder, kTraceExtension)) {
    const std::string file = find_listed(name, kTraceFolder, kTraceExtension);
    TraceLines lines(file, open_trace(file));
    const KernelList list = read_kernel_list(lines, damage);
    rows.push_back(
        {name, fmt::format("kernels: {}, copies from the host: {}", list.kernels.size(), list.copies.size())});
  }
  print_rows("Traces (gputlm replay NAME)", rows);
}

void list_listings() {
  std::vector<Row> rows;
  for (const std::string& name : list_shipped(kListingFolder, kListingExtension)) {
    std::vector<std::string> kernels;
    for (const SassKernel& k : read_listing(find_listed(name, kListingFolder, kListingExtension)).kernels)
      kernels.push_back(k.name);
    rows.push_back({name, join_names(kernels)});
  }
  print_rows("Listings of compiled kernels (gputlm launch NAME --kernel KERNEL)", rows);
}

const std::vector<std::pair<std::string, void (*)()>>& kinds() {
  static const std::vector<std::pair<std::string, void (*)()>> all{
      {"experiments", list_experiments}, {"configurations", list_configurations},
      {"policies", list_policies},       {"patterns", list_patterns},
      {"probes", list_probes},           {"sweeps", list_sweeps},
      {"targets", list_targets},         {"traces", list_traces},
      {"listings", list_listings},       {"faults", list_faults}};
  return all;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& [kind, print] : kinds()) names.push_back(kind);
  return names;
}

int list(const std::string& what) {
  bool found = false;
  for (const auto& [kind, print] : kinds()) {
    if (!what.empty() && what != kind) continue;
    if (found) std::cout << '\n';
    print();
    found = true;
  }
  for (const PatternInfo& pattern : patterns())
    if (pattern.name == what) {
      list_parameters(pattern);
      found = true;
    }
  if (found) return kDone;
  fmt::print(std::cerr, "gputlm: nothing to list is called '{}' (allowed {}, or a pattern's name)\n", excerpt(what),
             join_names(kind_names()));
  return kBadInput;
}

}  // namespace

void list_probes() {
  std::vector<Row> rows;
  for (const ProbeFunction& p : probe_functions()) rows.push_back({p.name, find_probe_file(p.name, false).description});
  print_rows("Probes (gputlm probe NAME)", rows);
}

void add_list_command(CLI::App& app, Action& action) {
  auto what = std::make_shared<std::string>();
  CLI::App* list_app =
      app.add_subcommand("list", "List what is shipped and what has a name: " + join_names(kind_names()));
  list_app->add_option("what", *what, join_names(kind_names()) + ", or a pattern's name");
  list_app->callback([&action, what] { action = [what] { return list(*what); }; });
}

}  // namespace gputlm
