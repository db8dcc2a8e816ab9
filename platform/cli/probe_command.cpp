// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "common_options.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/probe/probe_report.h"
#include "status_line.h"

namespace gputlm {
namespace {

struct ProbeCommandOptions {
  std::vector<std::string> names;
  bool all = false, list = false;
  std::string format = "table";
  ProbeOptions run;
};

bool made_for_this_card(const std::string& name, const ProbeOptions& options) {
  return is_own_card(find_probe_file(name, options.full), options);
}

void print(const ProbeCommandOptions& options, const std::vector<ProbeRow>& rows, const Config& card) {
  const auto own = [&](const std::string& name) { return made_for_this_card(name, options.run); };
  if (options.format == "json")
    print_rows_json(std::cout, rows);
  else if (options.format == "csv")
    print_rows_csv(std::cout, rows);
  else if (options.format == "table")
    print_rows_table(std::cout, rows);
  else if (std::all_of(options.names.begin(), options.names.end(), own))
    print_calibration(std::cout, rows, card);
  else
    print_card(std::cout, rows, card);
}

/// A probe that does not fit the card: says first that it is the card, where it was made for another one.
void explain_misfit(const std::string& name, const ProbeOptions& options, const Config& card, const char* what) {
  if (!made_for_this_card(name, options))
    fmt::print(std::cerr, "gputlm: probe {} does not apply to {}:\n", name, card.name);
  std::cerr << what << '\n';
}

int probe(ProbeCommandOptions& options) {
  if (options.list) {
    list_probes();
    return kDone;
  }
  if (options.all)
    for (const ProbeFunction& p : probe_functions()) options.names.emplace_back(p.name);
  if (options.names.empty()) {
    std::cerr << "gputlm: name a probe, or all of them with --all; --list lists them\n";
    return kBadInput;
  }
  for (const std::string& name : options.names) find_probe(name);
  Diagnostics mistakes;
  options.run.document = DocumentOverrides::take(options.run.overrides, mistakes);
  mistakes.throw_if_any();
  const Config card =
      Config::load(options.run.config.empty() ? kDefaultConfig : options.run.config, options.run.overrides);
  constexpr std::size_t kWidest = 100;
  const StatusLine status;
  options.run.keep_going = [] { return !stop_requested(); };
  options.run.progress = [&](const std::string& name) { status.show(name.substr(0, kWidest)); };

  std::vector<ProbeRow> rows;
  int code = kDone;
  for (const std::string& name : options.names) {
    try {
      for (ProbeRow& row : run_probe(name, options.run)) rows.push_back(std::move(row));
    } catch (const ProbeDoesNotApply& e) {
      status.clear();
      explain_misfit(name, options.run, card, e.what());
      code = kBadInput;
    } catch (const ProbeError& e) {
      status.clear();
      fmt::print(std::cerr, "gputlm: {}\n", e.what());
      code = std::max(code, kFound);
      if (stop_requested()) break;
    } catch (const ConfigError& e) {  // this probe does not fit the card; another may
      status.clear();
      explain_misfit(name, options.run, card, e.what());
      code = kBadInput;
    }
  }
  status.clear();
  print(options, rows, card);
  for (const ProbeRow& row : rows)
    if (!row.ok()) code = std::max(code, kFound);
  return code;
}

}  // namespace

void add_probe_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ProbeCommandOptions>();
  CLI::App* probe_app = app.add_subcommand("probe", "Run published experiments and compare with silicon");
  probe_app->add_option("names", options->names, "Probes (see --list)");
  probe_app->add_flag("--all", options->all, "All probes");
  probe_app->add_flag("--list", options->list, "List the probes");
  probe_app->add_option("--config", options->run.config, "Configuration, name or file, instead of the probes'");
  add_overrides(*probe_app, options->run.overrides, kCardOrProbeValue);
  probe_app
      ->add_option("--format", options->format,
                   "table, json, csv, or markdown (the calibration document, or a card's predictions)")
      ->check(CLI::IsMember({"table", "json", "csv", "markdown"}));
  probe_app->add_flag("--check", options->run.check,
                      "A base-protocol checker on every arrow, a command checker on every DRAM channel");
  probe_app->add_flag("!--no-references", options->run.compare,
                      "Figures only: no comparison with silicon, no exit code 1 for a missed reference");
  probe_app->add_flag("--full", options->run.full, "Full size where the default is a sample");
  probe_app->callback([&action, options] { action = [options] { return probe(*options); }; });
}

}  // namespace gputlm
