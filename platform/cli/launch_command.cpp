// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "common_options.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/launchspec/launch_experiment.h"
#include "launch_session.h"

namespace gputlm {
namespace {

struct LaunchOptions {
  std::string listing, kernel, grid = "1", block = "32", config = kDefaultConfig, cache_control = "all", shared = "0",
                               local = "0";
  std::vector<std::string> arguments, read, expect;
  std::uint64_t seed = 1;
  LaunchSession session;
};

/// All mistakes at once.
LaunchSpec spec_of(const LaunchOptions& o, Diagnostics& mistakes) {
  LaunchSpec spec;
  spec.listing = find_listing(o.listing, {}, mistakes);
  spec.kernel = o.kernel;
  gather(mistakes, [&] { spec.grid = parse_dimensions(o.grid, "--grid"); });
  gather(mistakes, [&] { spec.block = parse_dimensions(o.block, "--block"); });
  const std::size_t before = mistakes.count();
  for (const std::string& text : o.arguments)
    gather(mistakes, [&] { spec.arguments.push_back(parse_argument(text, "--arg")); });
  for (const std::string& text : o.expect)
    gather(mistakes, [&] { spec.expect.push_back(parse_expectation(text, "--expect")); });
  spec.read = o.read;
  gather(mistakes, [&] { spec.shared_bytes = parse_memory(o.shared, "--shared"); });
  gather(mistakes, [&] { spec.local_bytes = parse_memory(o.local, "--local"); });
  spec.cache_control = o.cache_control == "all";
  spec.seed = o.seed;
  if (mistakes.count() == before) check_launch(spec, mistakes);
  return spec;
}

int launch(LaunchOptions& o) {
  Diagnostics mistakes;
  o.session.spec = spec_of(o, mistakes);
  o.session.configuration = o.config;
  std::optional<Config> config;
  gather(mistakes, [&] { config = Config::load(o.config, o.session.overrides); });
  mistakes.throw_if_any();
  return run_launch(o.session, *config);
}

void add_launch_options(CLI::App& app, LaunchOptions& o) {
  app.add_option("listing", o.listing, "cuobjdump -sass listing: a file, or a shipped one by name")->required();
  app.add_option("--kernel", o.kernel, "Kernel of the listing")->required();
  app.add_option("--grid", o.grid, "Blocks: X[,Y[,Z]]")->capture_default_str();
  app.add_option("--block", o.block, "Threads of a block: X[,Y[,Z]]")->capture_default_str();
  app.add_option("--arg", o.arguments, "NAME=TYPE[COUNT][:CONTENTS] or NAME=[TYPE:]VALUE, in the kernel's order")
      ->allow_extra_args(false);
  app.add_option("--read", o.read, "Array to copy back and print (repeatable)")->allow_extra_args(false);
  app.add_option("--expect", o.expect, "NAME=FILE: compare the array with the bytes of a file (repeatable)")
      ->allow_extra_args(false);
  app.add_option("--shared", o.shared, "Bytes of shared memory of a block, static and dynamic")->capture_default_str();
  app.add_option("--local", o.local, "Bytes of local memory of a thread")->capture_default_str();
  app.add_option("--cache-control", o.cache_control,
                 "all: L2 is written back and invalidated between the uploads and the kernel")
      ->check(CLI::IsMember({"all", "none"}))
      ->capture_default_str();
}

}  // namespace

void add_launch_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<LaunchOptions>();
  CLI::App* launch_app = app.add_subcommand(
      "launch", "Run a compiled kernel, from the driver's doorbell to the copy back (see docs/host.md)");
  add_launch_options(*launch_app, *options);
  launch_app->add_option("--config", options->config, "Configuration, name or file")->capture_default_str();
  add_overrides(*launch_app, options->session.overrides);
  add_seed(*launch_app, "Of random contents (default: 1)", [options](std::uint64_t seed) { options->seed = seed; });
  launch_app->add_option("--format", options->session.format, "What to print")->check(CLI::IsMember({"table", "json"}));
  launch_app->add_option("--dump-pushbuffer", options->session.dump,
                         "File for what the driver wrote; see gputlm decode");
  launch_app->add_flag(
      "--check", options->session.check,
      "A base-protocol checker on every arrow, a command checker on every DRAM channel, a judge of fences");
  options->session.trace.add_to(*launch_app);
  options->session.capture.add_to(*launch_app);
  launch_app->callback([&action, options] { action = [options] { return launch(*options); }; });
}

}  // namespace gputlm
