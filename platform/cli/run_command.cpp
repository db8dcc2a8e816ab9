// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/ostream.h>

#include "capture_option.h"
#include "commands.h"
#include "common_options.h"
#include "coverage_option.h"
#include "experiment_overrides.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/coverage/coverage_collector.h"
#include "gputlm/launchspec/launch_experiment.h"
#include "gputlm/report/run_pictures.h"
#include "gputlm/system/one_set.h"
#include "gputlm/trace/access_journey.h"
#include "gputlm/version.h"
#include "input_files.h"
#include "launch_session.h"
#include "run_loop.h"
#include "trace_option.h"

namespace gputlm {
namespace {

struct RunOptions {
  std::string experiment = "die", format = "table";
  std::optional<std::string> config, out;
  std::vector<std::string> set, faults;
  ExperimentOverrides overrides;  ///< Of `set`.
  std::optional<std::uint64_t> seed;
  bool check = false, live = false;
  CoverageOption coverage;
  TraceOption trace;
  CaptureOption capture;
};

/// An experiment with the text it was read from.
struct Source {
  std::string text;
  Experiment experiment;
};

Source read_source(const std::string& file, const DocumentOverrides& overrides, Diagnostics& mistakes) {
  Source source;
  source.text = read_input_file(file, YamlLimits{}.file_bytes);
  source.experiment = parse_experiment(source.text, file, mistakes, overrides);
  return source;
}

std::vector<InjectedFault> read_faults(const std::vector<std::string>& texts, const Config& config,
                                       Diagnostics& mistakes) {
  const FaultPlaces places = fault_places(config);
  std::vector<InjectedFault> faults;
  for (const std::string& text : texts) gather(mistakes, [&] { faults.push_back(parse_fault(text, places)); });
  return faults;
}

/// What an experiment's `report:` prints besides the table.
class Reports {
 public:
  Reports(ReportKind kind, Simulation& simulation) {
    if (kind == ReportKind::store_journey) {
      TraceSelection all;
      all.explain = true;
      journey_ = std::make_unique<TraceRecorder>(simulation, all);
      journey_->add(std::make_unique<AccessJourney>(std::nullopt, simulation.gpu.config(), found_));
    }
    if (kind == ReportKind::one_set) one_set_ = std::make_unique<OneSet>(simulation);
  }
  /// After the run.
  void finish() {
    if (journey_) journey_->finish();
  }
  Json journey() const { return journey_ ? journey_json(found_) : Json(); }
  void print(std::ostream& out) const {
    if (journey_) print_journey(out, found_);
    if (one_set_) one_set_->print(out);
  }

 private:
  Journey found_;
  std::unique_ptr<TraceRecorder> journey_;
  std::unique_ptr<OneSet> one_set_;
};

/// An experiment with a `launch:` section.
int run_as_launch(RunOptions& options, const std::string& file, Diagnostics& mistakes) {
  for (const auto& [option, given] : {std::pair{"--fault", !options.faults.empty()},
                                      {"--coverage", options.coverage.wanted()},
                                      {"--live", options.live}})
    if (given) mistakes.add({file, 0, 0}, option, "does not go with a launch", {}, {});
  LaunchSession session;
  LaunchExperiment experiment;
  gather(mistakes, [&] { experiment = read_launch_experiment(file, options.overrides.document()); });
  mistakes.throw_if_any();
  std::optional<Config> config;
  gather(mistakes, [&] { config = options.overrides.card(options.config, experiment); });
  mistakes.throw_if_any();
  session.spec = std::move(experiment.launch);
  if (options.seed) session.spec.seed = *options.seed;
  session.name = experiment.name;
  session.configuration = options.config.value_or(experiment.config);
  session.overrides = options.overrides.all(experiment);
  session.out = options.out.value_or("runs/" + experiment.name);
  session.experiment_file = file;
  session.experiment_text = read_input_file(file, YamlLimits{}.file_bytes);
  session.format = options.format;
  session.check = options.check;
  session.trace = std::move(options.trace);
  session.capture = std::move(options.capture);
  return run_launch(session, *config);
}

int run(RunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  Diagnostics mistakes;
  const std::string file = find_yaml(options.experiment, kExperimentFolder);
  options.overrides = ExperimentOverrides(options.set, mistakes);
  if (is_launch_file(file)) return run_as_launch(options, file, mistakes);
  Source source = read_source(file, options.overrides.document(), mistakes);
  Experiment& experiment = source.experiment;
  if (options.seed) experiment.seed = *options.seed;
  RunRecord record{GPUTLM_VERSION_STRING, options.config.value_or(experiment.config), options.overrides.all(experiment),
                   0};
  std::optional<Config> loaded;
  gather(mistakes, [&] { loaded = options.overrides.card(options.config, experiment); });
  BuildOptions build;
  if (loaded) build.faults = read_faults(options.faults, *loaded, mistakes);
  std::vector<std::string> inputs = input_files(file, experiment);
  if (loaded) add_input_files(inputs, *loaded);
  gather(mistakes, [&] { options.trace.prepare(inputs, loaded ? &*loaded : nullptr); });
  gather(mistakes, [&] { options.coverage.prepare(inputs); });
  gather(mistakes, [&] { options.capture.prepare(inputs); });
  mistakes.throw_if_any();
  const Config& config = *loaded;
  build.check_protocol = options.check || !build.faults.empty();  // a fault is made to be found
  Simulation simulation(experiment, config, build);
  // Not before everything that was given has been accepted: a run that is refused leaves earlier results alone.
  const OutputDirectory out(options.out.value_or("runs/" + experiment.name), run_files());
  std::optional<CoverageCollector> collector;
  if (options.coverage.wanted()) collector.emplace(simulation);
  options.trace.attach(simulation);
  options.capture.attach(simulation);
  Reports reports(experiment.report, simulation);
  RunPictures pictures(simulation);
  const Verdict verdict = run_to_end(simulation, options.live);
  record.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (collector) options.coverage.add(collector->collect());
  const Json summary = make_summary(experiment, simulation, verdict, record);
  reports.finish();
  write_run(out, simulation, {source.text, pictures.document(), reports.journey(), summary});
  options.trace.finish(std::cerr);
  options.capture.finish(verdict.end == RunEnd::complete);
  if (options.format == "json") {
    std::cout << text_of(summary);
  } else {
    reports.print(std::cout);
    print_summary(std::cout, summary);
    fmt::print(std::cout, "\n  results in {}\n", out.path().string());
  }
  options.coverage.finish(options.format == "json" ? std::cerr : std::cout);
  print_problems(verdict, out);
  return exit_code(verdict);
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run_app = app.add_subcommand("run", "Run an experiment (without a name: the flagship, die)");
  run_app->add_option("experiment", options->experiment, "Name (see gputlm list) or YAML file")->capture_default_str();
  const CLI::Validator named = not_empty("TEXT");
  run_app->add_option("--config", options->config, "Configuration, name or file, instead of the experiment's")
      ->check(named);
  add_overrides(*run_app, options->set, kCardOrExperimentValue);
  run_app->add_option("--out", options->out, "Directory for the results (default: runs/EXPERIMENT)")->check(named);
  add_seed(*run_app, "Seed instead of the experiment's", [options](std::uint64_t seed) { options->seed = seed; });
  run_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  run_app->add_flag(
      "--check", options->check,
      "A base-protocol checker on every arrow, a command checker on every DRAM channel, a judge of fences");
  run_app->add_flag("--live", options->live, "Show the key series as the run goes, on the standard error");
  run_app
      ->add_option("--fault", options->faults,
                   "KIND:TARGET@PLACE: let this go wrong, with --check (repeatable; see gputlm list faults)")
      ->allow_extra_args(false);
  options->coverage.add_to(*run_app);
  options->trace.add_to(*run_app);
  options->capture.add_to(*run_app);
  run_app->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace gputlm
