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
#include "followed_run.h"
#include "gputlm/config/quantity.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/config/show.h"
#include "gputlm/process/child_process.h"
#include "gputlm/system/summary.h"
#include "gputlm/trace/access_journey.h"

namespace gputlm {
namespace {

struct FollowOptions {
  std::string experiment = "store-journey", address, format = "table";
  std::optional<std::string> config, keep;
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::int64_t nth = 1;
  FollowWish wish;
};

void check_options(FollowOptions& o, const Config* config, Diagnostics& mistakes) {
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
  if (config == nullptr) return;
  if (o.wish.sm && *o.wish.sm >= config->sms)
    mistakes.add({}, "--sm", "no such SM", std::to_string(*o.wish.sm), fmt::format("0 to {}", config->sms - 1));
  const unsigned warps = config->warp.sub_partitions * config->warp.warps_per_sub_partition;
  if (o.wish.warp && *o.wish.warp >= warps)
    mistakes.add({}, "--warp", "no such warp slot", std::to_string(*o.wish.warp), fmt::format("0 to {}", warps - 1));
}

FollowedRun read_run(FollowOptions& o) {
  Diagnostics mistakes;
  std::optional<FollowedRun> run;
  gather(mistakes, [&] { run.emplace(o.experiment, o.config, o.set, o.seed); });
  check_options(o, run ? &run->config() : nullptr, mistakes);
  mistakes.throw_if_any();
  return std::move(*run);
}

/// The first run, in a process of its own; nothing when no access is what was wished.
std::optional<FollowedAccess> find_access(const FollowedRun& what, const FollowWish& wish) {
  const nlohmann::json answer = ChildProcess([&] {
                                  std::optional<FollowedAccess> found;
                                  TraceSelection selection;
                                  selection.filter = wish.filter();
                                  what.run(selection, std::make_unique<AccessFinder>(wish, found));
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

void keep_journey(const std::string& file, const Json& journey, const std::vector<std::string>& inputs) {
  check_output_file(file, inputs);
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
  selection.explain = true;
  if (!what.run(selection, std::make_unique<AccessJourney>(*access, what.config(), found))) return 128 + stop_signal();
  Json journey = journey_json(found);
  journey["experiment"] = what.head().name;
  journey["seed"] = what.head().seed;
  journey["config"] = what.configuration();
  journey["set"] = what.overrides();
  journey["parameters"] = parameters_of(what.config());
  if (o.keep) keep_journey(journey_file(*o.keep, *access), journey, what.inputs());
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
  CLI::App* follow_app =
      app.add_subcommand("follow", "Follow one access of an experiment or launch, from its warp into DRAM");
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
  add_overrides(*follow_app, options->set, kCardOrExperimentValue);
  add_seed(*follow_app, "Seed instead of the experiment's", [options](std::uint64_t seed) { options->seed = seed; });
  follow_app->add_option("--keep", options->keep,
                         "Directory of the run's results: keep the journey there, for gputlm report");
  follow_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  follow_app->callback([&action, options] { action = [options] { return follow(*options); }; });
}

}  // namespace gputlm
