// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/show.h"
#include "gputlm/system/journey.h"
#include "gputlm/system/one_set.h"
#include "gputlm/system/output_directory.h"
#include "gputlm/system/summary.h"
#include "status_line.h"

namespace gputlm {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct RunOptions {
  std::string experiment = "die", config, out, format = "table";
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  bool check = false;
};

/// How a run gets on, ten times a second at most.
class ProgressLine {
 public:
  void show(const Progress& p) {
    if (!line_.visible() || seconds_since(shown_) < 0.1) return;
    shown_ = Clock::now();
    const double wall = seconds_since(start_);
    const double left = p.share > 0 ? wall * (1 - p.share) / p.share : 0;
    line_.show(fmt::format("{:.2f} us simulated, {} lines, {:.0f} lines/s, {:.0f} % of the blocks done, {:.0f} s left",
                           to_ns(p.time) / 1e3, p.lines, static_cast<double>(p.lines) / wall, 100 * p.share, left));
  }

 private:
  const StatusLine line_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

std::vector<std::string> all_overrides(const Experiment& experiment, const RunOptions& options) {
  std::vector<std::string> all;
  for (const Override& o : experiment.overrides) all.push_back(o.path + "=" + o.value);
  all.insert(all.end(), options.overrides.begin(), options.overrides.end());
  return all;
}

void write_results(const OutputDirectory& out, const Config& config, const Simulation& simulation,
                   const Json& summary) {
  out.write(OutputDirectory::kConfiguration, [&](std::ostream& o) { show_yaml(o, config); });
  out.write(OutputDirectory::kTimeSeries, [&](std::ostream& o) { simulation.series.write_csv(o); });
  out.write(OutputDirectory::kStatistics, [&](std::ostream& o) { o << make_statistics(simulation).dump(1) << '\n'; });
  out.write(OutputDirectory::kSummary, [&](std::ostream& o) { o << summary.dump(2) << '\n'; });
}

// Strict: CLI11 would wrap a negative number and saturate a huge one.
std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw CLI::ValidationError("--seed", "'" + text + "' is no whole number from 0 to 2^64 - 1");
  return seed;
}

std::string find_experiment(const std::string& name_or_path) {
  Diagnostics diagnostics;
  const std::string found = find_yaml(name_or_path, kExperimentFolder, {}, diagnostics);
  diagnostics.throw_if_any();
  return found;
}

int run(const RunOptions& options) {
  const auto start = Clock::now();
  Experiment experiment = read_experiment(find_experiment(options.experiment));
  if (options.seed) experiment.seed = *options.seed;
  const Config config =
      Config::load(options.config.empty() ? experiment.config : options.config, all_overrides(experiment, options));
  const OutputDirectory out(options.out.empty() ? "runs/" + experiment.name : options.out);

  BuildOptions build;
  build.check_protocol = options.check;
  Simulation simulation(experiment, config, build);
  std::unique_ptr<Journey> journey;
  std::unique_ptr<OneSet> one_set;
  if (experiment.report == ReportKind::store_journey) journey = std::make_unique<Journey>(simulation);
  if (experiment.report == ReportKind::one_set) one_set = std::make_unique<OneSet>(simulation);

  Verdict verdict;
  {
    ProgressLine progress;
    verdict = simulation.run([&](const Progress& p) {
      progress.show(p);
      return !stop_requested();
    });
  }
  const Json summary = make_summary(experiment, simulation, verdict, seconds_since(start));
  write_results(out, config, simulation, summary);
  if (options.format == "json") {
    std::cout << summary.dump(2) << '\n';
  } else {
    if (journey) journey->print(std::cout);
    if (one_set) one_set->print(std::cout);
    print_summary(std::cout, summary);
    fmt::print(std::cout, "\n  results in {}\n", out.path().string());
  }
  for (const std::string& problem : verdict.problems) fmt::print(std::cerr, "gputlm: {}\n", problem);
  return verdict.clean() ? kDone : kFound;
}

}  // namespace

void add_run_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* run_app = app.add_subcommand("run", "Run an experiment (without a name: the flagship, die)");
  run_app->add_option("experiment", options->experiment, "Name (see gputlm list) or YAML file")->capture_default_str();
  run_app->add_option("--config", options->config, "Configuration, name or file, instead of the experiment's");
  run_app->add_option("--set", options->overrides, "path=value: override one configuration value (repeatable)")
      ->allow_extra_args(false);
  run_app->add_option("--out", options->out, "Directory for the results (default: runs/EXPERIMENT)");
  run_app
      ->add_option_function<std::string>(
          "--seed", [options](const std::string& text) { options->seed = parse_seed(text); },
          "Seed instead of the experiment's")
      ->type_name("UINT");
  run_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  run_app->add_flag("--check", options->check, "Put a base-protocol checker on every arrow");
  run_app->callback([&action, options] { action = [options] { return run(*options); }; });
}

}  // namespace gputlm
