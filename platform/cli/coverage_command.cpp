// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/config/diagnostics.h"
#include "gputlm/coverage/coverage.h"

namespace gputlm {
namespace {

struct CoverageCall {
  std::vector<std::string> files, required;
  std::string out;
};

/// The bins that have to be hit: all, or those named.
std::vector<std::string> required_bins(const CoverageCall& options) {
  std::vector<std::string> all;
  for (const CoverageBin& bin : coverage_bins()) all.push_back(bin.name);
  std::vector<std::string> required;
  Diagnostics diagnostics;
  for (const std::string& name : options.required) {
    if (name == "all") return all;
    if (std::find(all.begin(), all.end(), name) == all.end())
      diagnostics.add({"--require", 0, 0}, "", "no such bin", excerpt(name),
                      "all, or a bin's name" + did_you_mean(name, all));
    required.push_back(name);
  }
  diagnostics.throw_if_any();
  return required;
}

int merge(const CoverageCall& options) {
  const std::vector<std::string> required = required_bins(options);
  Coverage sum;
  for (const std::string& file : options.files) sum.add(Coverage::read(file));
  if (!options.out.empty()) sum.write(options.out);
  sum.print(std::cout);
  const std::vector<std::string> unhit = sum.unhit();
  int result = kDone;
  for (const std::string& name : required) {
    if (std::find(unhit.begin(), unhit.end(), name) == unhit.end()) continue;
    fmt::print(std::cerr, "gputlm: never hit: {}\n", name);
    result = kFound;
  }
  for (const std::string& name : sum.impossible()) {
    fmt::print(std::cerr, "gputlm: hit although it is excluded as impossible: {}\n", name);
    result = kFound;
  }
  return result;
}

}  // namespace

void add_coverage_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<CoverageCall>();
  CLI::App* const c = app.add_subcommand("coverage", "What runs have met (see --coverage of run, litmus and stress)");
  c->require_subcommand(1);
  CLI::App* const m = c->add_subcommand("merge", "Add up the files of several runs and print the sum");
  m->add_option("FILE", options->files, "Written by --coverage")->required();
  m->add_option("--require", options->required,
                "all, or a bin (repeatable): exit with 1 and name it when it was never hit")
      ->allow_extra_args(false);
  m->add_option("--out", options->out, "Write the sum to this file");
  m->callback([options, &action] { action = [options] { return merge(*options); }; });
}

}  // namespace gputlm
