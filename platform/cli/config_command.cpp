// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "commands.h"
#include "common_options.h"
#include "gputlm/config/config.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/config/show.h"

namespace gputlm {
namespace {

struct ConfigOptions {
  std::string file = kDefaultConfig, format = "table", only;
  std::vector<std::string> overrides;
};

int show(const ConfigOptions& options) {
  const bool whole_file = options.format == "yaml" || options.format == "markdown";
  if (whole_file && !options.only.empty()) throw std::invalid_argument("--only goes with --format table or json");
  const Config config = Config::load(options.file, options.overrides);
  if (options.format == "json")
    show_json(std::cout, config, options.only);
  else if (options.format == "yaml")
    show_yaml(std::cout, config);
  else if (options.format == "markdown")
    generate_reference(std::cout, config);
  else
    show_table(std::cout, config, options.only);
  return kDone;
}

int check(const ConfigOptions& options) {
  const Config config = Config::load(options.file, options.overrides);
  std::cout << options.file << ": " << config.effective.values().size() << " parameters, nothing to object to\n";
  return kDone;
}

void add_common(CLI::App& app, ConfigOptions& options) {
  app.add_option("file", options.file, "Configuration, name or file")->capture_default_str();
  add_overrides(app, options.overrides);
}

}  // namespace

void add_config_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ConfigOptions>();
  CLI::App* config_app = app.add_subcommand("config", "Show or check a configuration");
  config_app->require_subcommand(1);
  CLI::App* show_app = config_app->add_subcommand("show", "Print every value with its origin and provenance");
  add_common(*show_app, *options);
  show_app->add_option("--format", options->format, "table, json, yaml, or markdown (the reference page)")
      ->check(CLI::IsMember({"table", "json", "yaml", "markdown"}));
  show_app->add_option("--only", options->only, "A parameter or a group, as l2.janitor, instead of all");
  show_app->callback([&action, options] { action = [options] { return show(*options); }; });
  CLI::App* check_app = config_app->add_subcommand("check", "Report everything that is wrong with a configuration");
  add_common(*check_app, *options);
  check_app->callback([&action, options] { action = [options] { return check(*options); }; });
}

}  // namespace gputlm
