// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "common_options.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/quantity.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/config/show.h"
#include "gputlm/launchspec/launch_experiment.h"
#include "gputlm/process/child_process.h"
#include "gputlm/system/simulation.h"
#include "gputlm/system/summary.h"
#include "gputlm/trace/access_journey.h"
#include "gputlm/trace/trace_recorder.h"

namespace gputlm {
namespace {

struct FollowOptions {
  std::string experiment = "store-journey", address, format = "table";
  std::optional<std::string> config, keep;
  std::vector<std::string> overrides;
  std::optional<std::uint64_t> seed;
  std::int64_t nth = 1;
  FollowWish wish;
};

/// What is to be run, twice.
struct FollowedRun {
  Experiment experiment;
  Config config;
  std::string configuration;           ///< Its name or file.
  std::vector<std::string> overrides;  ///< path=value, the experiment's own first.
};

FollowedRun read_run(FollowOptions& o) {
  Diagnostics mistakes;
  const std::string file = find_yaml(o.experiment, kExperimentFolder);
  if (is_launch_file(file))
    mistakes.add({file}, {}, "a launch cannot be followed", {}, "an experiment with phases; record a launch instead");
  mistakes.throw_if_any();
  Experiment experiment = parse_experiment(read_input_file(file, YamlLimits{}.file_bytes), file, mistakes);
  if (o.seed) experiment.seed = *o.seed;
  std::optional<Config> config;
  gather(mistakes, [&] {
    config = Config::load(o.config ? *o.config : find_config(experiment), experiment.overrides, o.overrides);
  });
  if (!o.address.empty()) {
    const Parsed<std::uint64_t> address = parse_count(o.address);
    if (!address) mistakes.add({}, "--address", address.problem, excerpt(o.address), "a virtual address, e.g. 0x7f40");
    o.wish.address = address.value;
  }
  std::error_code ignored;
  if (o.keep && !std::filesystem::is_directory(*o.keep, ignored))
    mistakes.add({}, "--keep", "there is no such directory", excerpt(*o.keep), "the output directory of gputlm run");
  if (o.nth < 1)
    mistakes.add({}, "--nth", "accesses are counted from 1", std::to_string(o.nth), "1 or more");
  else
    o.wish.nth = static_cast<std::uint64_t>(o.nth);
  if (config && o.wish.sm && *o.wish.sm >= config->sms)
    mistakes.add({}, "--sm", "no such SM", std::to_string(*o.wish.sm), fmt::format("0 to {}", config->sms - 1));
  if (config) {
    const unsigned warps = config->warp.sub_partitions * config->warp.warps_per_sub_partition;
    if (o.wish.warp && *o.wish.warp >= warps)
      mistakes.add({}, "--warp", "no such warp slot", std::to_string(*o.wish.warp), fmt::format("0 to {}", warps - 1));
  }
  mistakes.throw_if_any();
  std::vector<std::string> overrides;
  for (const Override& own : experiment.overrides) overrides.push_back(own.path + "=" + own.value);
  overrides.insert(overrides.end(), o.overrides.begin(), o.overrides.end());
  const std::string configuration = o.config.value_or(experiment.config);
  return {std::move(experiment), std::move(*config), configuration, std::move(overrides)};
}

/// Runs it with a recorder and one sink; false when it was stopped.
bool run_recorded(const FollowedRun& what, TraceSelection selection, std::unique_ptr<TraceSink> sink) {
  Simulation simulation(what.experiment, what.config, {});
  selection.most = ~std::uint64_t{0};  // the filter lets little through
  TraceRecorder recorder(simulation, std::move(selection));
  recorder.add(std::move(sink));
  const Verdict verdict = simulation.run([](const Progress&) { return !stop_requested(); });
  recorder.finish();
  for (const std::string& problem : verdict.problems) fmt::print(std::cerr, "gputlm: {}\n", problem);
  return verdict.end != RunEnd::interrupted;
}

/// The first run, in a process of its own; nothing when no access is what was wished.
std::optional<FollowedAccess> find_access(const FollowedRun& what, const FollowWish& wish) {
  const nlohmann::json answer = ChildProcess([&] {
                                  std::optional<FollowedAccess> found;
                                  TraceSelection selection;
                                  selection.filter = wish.filter();
                                  run_recorded(what, selection, std::make_unique<AccessFinder>(wish, found));
                                  return found ? found->to_json() : nlohmann::json();
                                }).result();
  if (answer.is_null()) return std::nullopt;
  return FollowedAccess::from_json(answer);
}

/// Where gputlm report finds it.
std::string journey_file(const std::string& directory, const FollowedAccess& access) {
  return fmt::format("{}/journey-{}-sm{}-warp{}-{}.json", directory, access.operation, access.origin.sm,
                     access.origin.warp, access.origin.instruction);
}

/// What tells a report whether a run is the one that was followed: names do not, a run's config.yaml has another one.
Json parameters_of(const Config& config) {
  std::ostringstream text;
  show_json(text, config);
  Json values = Json::object();
  for (const Json& row : Json::parse(text.str())) values[row.at("path").get<std::string>()] = row.at("value");
  return values;
}

void keep_journey(const std::string& directory, const FollowedAccess& access, const Json& journey) {
  const std::string file = journey_file(directory, access);
  check_output_file(file);
  if (!replace_file(file, text_of(journey))) throw std::runtime_error("cannot write " + file);
}

int follow(FollowOptions& o) {
  const FollowedRun what = read_run(o);
  const std::optional<FollowedAccess> access = find_access(what, o.wish);
  if (stop_requested()) return 128 + stop_signal();
  if (!access) {
    Diagnostics mistakes;
    mistakes.add({o.experiment}, {}, "the run makes no such access", {},
                 "what --sm, --warp, --nth, --address or --slowest name");
    mistakes.throw_if_any();
  }
  Journey found;
  TraceSelection selection;
  selection.window.begin = access->begin;
  selection.filter = access->filter();
  if (!run_recorded(what, selection, std::make_unique<AccessJourney>(*access, what.config, found)))
    return 128 + stop_signal();
  Json journey = journey_json(found);
  journey["experiment"] = what.experiment.name;
  journey["seed"] = what.experiment.seed;
  journey["config"] = what.configuration;
  journey["set"] = what.overrides;
  journey["parameters"] = parameters_of(what.config);
  if (o.keep) keep_journey(*o.keep, *access, journey);
  if (o.format == "json") {
    std::cout << text_of(journey);
  } else {
    print_headline(std::cout, *access);
    print_journey(std::cout, found);
  }
  return kDone;
}

}  // namespace

void add_follow_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<FollowOptions>();
  CLI::App* follow_app = app.add_subcommand("follow", "Follow one access of an experiment, from its warp into DRAM");
  follow_app->add_option("experiment", options->experiment, "Name (see gputlm list) or YAML file")
      ->capture_default_str();
  follow_app->add_option("--sm", options->wish.sm, "Of this SM");
  follow_app->add_option("--warp", options->wish.warp, "Of this warp slot");
  CLI::Option* nth = follow_app->add_option("--nth", options->nth, "The n-th of those, from 1")->capture_default_str();
  CLI::Option* address = follow_app->add_option("--address", options->address,
                                                "That wants something of the line of this byte (virtual address)");
  follow_app->add_option("--slowest", options->wish.slowest, "The access of this kind that took longest")
      ->check(CLI::IsMember({"load", "store", "reduction", "atomic", "fence"}))
      ->excludes(address)
      ->excludes(nth);
  follow_app->add_option("--config", options->config, "Configuration, name or file, instead of the experiment's");
  add_overrides(*follow_app, options->overrides);
  add_seed(*follow_app, "Seed instead of the experiment's", [options](std::uint64_t seed) { options->seed = seed; });
  follow_app->add_option("--keep", options->keep,
                         "Directory of the run's results: keep the journey there, for gputlm report");
  follow_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  follow_app->callback([&action, options] { action = [options] { return follow(*options); }; });
}

}  // namespace gputlm
