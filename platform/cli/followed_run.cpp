// SPDX-License-Identifier: Apache-2.0
#include "followed_run.h"

#include <functional>
#include <iostream>
#include <utility>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/launch/launch_run.h"
#include "gputlm/system/simulation.h"
#include "input_files.h"
#include "launch_session.h"

namespace gputlm {
namespace {

/// Lets `machine` run as `run` does and gives the sink what is recorded of it; returns the problems.
template <class Machine, class Run>
std::vector<std::string> record(Machine& machine, TraceSelection selection, std::unique_ptr<TraceSink> sink,
                                const std::function<void(TraceRecorder&)>& more, const Run& run) {
  selection.most = ~std::uint64_t{0};  // the filter lets little through
  TraceRecorder recorder(machine, std::move(selection));
  if (more) more(recorder);
  recorder.add(std::move(sink));
  std::vector<std::string> problems = run();
  recorder.finish();
  return problems;
}

std::vector<std::string> run_phases(const Experiment& experiment, const Config& config, TraceSelection selection,
                                    std::unique_ptr<TraceSink> sink) {
  Simulation simulation(experiment, config, {});
  return record(simulation, std::move(selection), std::move(sink), {},
                [&] { return simulation.run([](const Progress&) { return !stop_requested(); }).problems; });
}

std::vector<std::string> run_launch_once(const LaunchSpec& spec, const Config& config, TraceSelection selection,
                                         std::unique_ptr<TraceSink> sink) {
  HostedGpu machine(config, {});
  machine.keep_going = [] { return !stop_requested(); };
  return record(
      machine, std::move(selection), std::move(sink), [&](TraceRecorder& r) { listen_to_link(r, machine); },
      [&] { return LaunchRun(machine, spec, code_of(spec, config)).run().problems; });
}

}  // namespace

FollowedRun::FollowedRun(const std::string& name, const std::optional<std::string>& config,
                         const std::vector<std::string>& set, std::optional<std::uint64_t> seed) {
  Diagnostics mistakes;
  overrides_ = ExperimentOverrides(set, mistakes);
  const std::string file = find_yaml(name, kExperimentFolder);
  if (is_launch_file(file)) {
    LaunchExperiment launch = read_launch_experiment(file, overrides_.document());
    if (seed) launch.seed = launch.launch.seed = *seed;
    inputs_ = input_files(file, launch.launch);
    what_ = std::move(launch);
  } else {
    Experiment experiment =
        parse_experiment(read_input_file(file, YamlLimits{}.file_bytes), file, mistakes, overrides_.document());
    if (seed) experiment.seed = *seed;
    inputs_ = input_files(file, experiment);
    what_ = std::move(experiment);
  }
  gather(mistakes, [&] { config_ = overrides_.card(config, head()); });
  mistakes.throw_if_any();
  add_input_files(inputs_, *config_);
  configuration_ = config.value_or(head().config);
  if (const auto* launch = std::get_if<LaunchExperiment>(&what_)) code_of(launch->launch, *config_);
}

const ExperimentHead& FollowedRun::head() const {
  return std::visit([](const auto& what) -> const ExperimentHead& { return what; }, what_);
}

bool FollowedRun::run(TraceSelection selection, std::unique_ptr<TraceSink> sink) const {
  const auto* experiment = std::get_if<Experiment>(&what_);
  const std::vector<std::string> problems =
      experiment != nullptr
          ? run_phases(*experiment, *config_, std::move(selection), std::move(sink))
          : run_launch_once(std::get<LaunchExperiment>(what_).launch, *config_, std::move(selection), std::move(sink));
  for (const std::string& problem : problems) fmt::print(std::cerr, "gputlm: {}\n", problem);
  return !stop_requested();
}

}  // namespace gputlm
