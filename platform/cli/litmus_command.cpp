// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "common_options.h"
#include "coverage_option.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/litmus/litmus_runner.h"
#include "status_line.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;

struct LitmusCall {
  std::vector<std::string> files, overrides;
  std::string config = kDefaultConfig, filter, format = "table";
  bool histogram = false;
  LitmusOptions run;
  CoverageOption coverage;
};

std::vector<LitmusTest> read_all(const LitmusCall& options) {
  std::vector<LitmusTest> tests;
  for (const std::string& file : options.files)
    for (LitmusTest& t : read_litmus_tests(file)) tests.push_back(std::move(t));
  if (options.filter.empty()) return tests;
  try {
    const std::regex wanted(options.filter);
    tests.erase(std::remove_if(tests.begin(), tests.end(),
                               [&](const LitmusTest& t) { return !std::regex_search(t.name, wanted); }),
                tests.end());
  } catch (const std::regex_error& e) {
    Diagnostics diagnostics;
    diagnostics.add({"--filter", 0, 0}, "", e.what(), options.filter, "a regular expression");
    diagnostics.throw_if_any();
  }
  Diagnostics diagnostics;
  if (tests.empty()) diagnostics.add({}, "--filter", "finds no test's name", excerpt(options.filter));
  diagnostics.throw_if_any();
  return tests;
}

Json to_json(const LitmusTest& test, const LitmusOutcome& outcome, std::uint64_t seed) {
  const bool skipped = !test.skip_reason.empty();
  std::string reason = test.skip_reason;
  for (const std::string& p : outcome.problems) reason += (reason.empty() ? "" : "; ") + p;
  return {{"name", test.name},
          {"section", test.section},
          {"verdict", name_of(test.verdict)},
          {"runs", outcome.runs},
          {"hits", outcome.hits},
          {"skipped", skipped},
          {"reason", reason},
          {"ok", outcome.ok(test)},
          {"seed", seed},
          {"class", skipped ? "skipped" : outcome.reach()},
          {"condition", test.condition_text},
          {"seen", test.seen},
          {"histogram", outcome.histogram},
          {"witness", outcome.witness}};
}

void print_row(const LitmusTest& test, const LitmusOutcome& outcome, bool histogram) {
  if (!test.skip_reason.empty()) {
    fmt::print(std::cout, "skip  {:<9} {}: {}\n", name_of(test.verdict), test.name, test.skip_reason);
    return;
  }
  const bool unseen = test.verdict == LitmusVerdict::allowed && outcome.hits == 0;
  const bool never = unseen && !outcome.reachable.value_or(true);
  fmt::print(std::cout, "{}  {:<9} {:>6} of {:<6} {}{}\n", outcome.ok(test) ? "ok  " : "FAIL", name_of(test.verdict),
             outcome.hits, outcome.runs, test.name,
             never    ? " (allowed, and this machine never shows it)"
             : unseen ? " (allowed, and not seen in these runs)"
                      : "");
  if (outcome.ok(test) && !histogram) return;
  for (const auto& [state, count] : outcome.histogram) fmt::print(std::cout, "      {:>6}  {}\n", count, state);
  for (const std::string& p : outcome.problems) fmt::print(std::cout, "      {}\n", p);
  std::cout << outcome.witness;
}

void print_totals(const std::vector<LitmusTest>& tests, const std::vector<LitmusOutcome>& outcomes) {
  unsigned skipped = 0, failed = 0, allowed = 0, reached = 0, never = 0, forbidden = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (!tests[i].skip_reason.empty()) {
      ++skipped;
      continue;
    }
    failed += outcomes[i].ok(tests[i]) ? 0U : 1U;
    if (tests[i].verdict == LitmusVerdict::forbidden) ++forbidden;
    if (tests[i].verdict == LitmusVerdict::allowed) {
      ++allowed;
      reached += outcomes[i].hits > 0 ? 1U : 0U;
      never += outcomes[i].hits == 0 && !outcomes[i].reachable.value_or(true) ? 1U : 0U;
    }
  }
  fmt::print(std::cout, "\n{} test{}: {} forbidden, {} allowed of which {} were reached, {} skipped; {} failed\n",
             tests.size(), tests.size() == 1 ? "" : "s", forbidden, allowed, reached, skipped, failed);
  if (never > 0)
    fmt::print(std::cout,
               "{} allowed outcome{} this machine never shows: {} two accesses of one warp that L2 serves in another "
               "order than the program's, or an old value behind a strong access or an invalidate "
               "(docs/memory-model.md)\n",
               never, never == 1 ? "" : "s", never == 1 ? "it needs" : "they need");
  if (allowed > reached + never)
    fmt::print(std::cout, "{} allowed outcome{} not seen in these runs\n", allowed - reached - never,
               allowed == reached + never + 1 ? " was" : "s were");
}

int litmus(LitmusCall& options) {
  options.coverage.prepare();
  options.run.coverage = options.coverage.wanted();
  const Config config = Config::load(options.config, options.overrides);
  const std::vector<LitmusTest> tests = read_all(options);
  std::vector<LitmusOutcome> outcomes(tests.size());
  const StatusLine status;
  std::size_t finished = 0;
  const auto done = [&](std::size_t i, LitmusOutcome outcome) {
    options.coverage.add(outcome.coverage);
    outcomes[i] = std::move(outcome);
    status.show(fmt::format("{} of {} tests, last {}", ++finished, tests.size(), tests[i].name));
  };
  run_litmus_tests(tests, config, options.run, done, [] { return !stop_requested(); });
  status.clear();
  if (stop_requested()) return kFound;
  bool ok = true;
  Json rows = Json::array();
  for (std::size_t i = 0; i < tests.size(); ++i) {
    ok = ok && outcomes[i].ok(tests[i]);
    if (options.format == "json")
      rows.push_back(to_json(tests[i], outcomes[i], options.run.seed));
    else
      print_row(tests[i], outcomes[i], options.histogram || tests.size() == 1);
  }
  if (options.format == "json")
    std::cout << rows.dump(1) << '\n';
  else
    print_totals(tests, outcomes);
  options.coverage.finish(options.format == "json" ? std::cerr : std::cout);
  return ok ? kDone : kFound;
}

}  // namespace

void add_litmus_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<LitmusCall>();
  options->run.jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* const c = app.add_subcommand("litmus", "Run litmus tests of the memory model under many timings");
  c->add_option("FILE", options->files, "Tables of tests (.tsv), or files with one test")->required();
  c->add_option("--runs", options->run.runs, "Runs of each test")->check(CLI::Range(1, 1000000))->capture_default_str();
  add_seed(*c, "Seed of all timings and places (default 1)",
           [options](std::uint64_t seed) { options->run.seed = seed; });
  c->add_option("--config", options->config, "Configuration, a name or a file")->capture_default_str();
  add_overrides(*c, options->overrides);
  c->add_option("--filter", options->filter, "Only tests whose name this regular expression finds");
  c->add_option("--jobs", options->run.jobs, "Tests at a time")->check(CLI::Range(1, 1024))->capture_default_str();
  c->add_option("--format", options->format, "table or json")->check(CLI::IsMember({"table", "json"}));
  c->add_flag("--histogram", options->histogram, "Print how often each test ended in which state");
  c->add_flag("--check", options->run.check_protocol,
              "A base-protocol checker on every arrow, a command checker on every DRAM channel");
  options->coverage.add_to(*c);
  c->callback([options, &action] { action = [options] { return litmus(*options); }; });
}

}  // namespace gputlm
