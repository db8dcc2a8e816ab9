// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "gputlm/bench/bench_report.h"
#include "gputlm/bench/bench_suite.h"
#include "gputlm/config/regular_file.h"
#include "status_line.h"

namespace gputlm {
namespace {

struct BenchOptions {
  std::string format = "table";
  std::vector<std::string> cases, compare;
};

constexpr std::uint64_t kLargestReport = std::uint64_t{1} << 20;

BenchJson read_report(const std::string& file) {
  return BenchJson::parse(read_input_file(file, kLargestReport));
}

int compare(const std::string& before, const std::string& after) {
  try {
    print_bench_comparison(std::cout, read_report(before), read_report(after));
    return kDone;
  } catch (const BenchJson::exception& e) {
    throw std::runtime_error("one of the files is no report of gputlm bench --format json: " + std::string(e.what()));
  }
}

int bench(const BenchOptions& options) {
  if (!options.compare.empty()) return compare(options.compare[0], options.compare[1]);
  const StatusLine status;
  const auto starting = [&](const std::string& name) { status.show(name); };
  const BenchJson report =
      bench_report(run_bench_suite(options.cases.empty() ? bench_cases() : options.cases, starting));
  status.clear();
  if (options.format == "json")
    std::cout << report.dump(2) << '\n';
  else
    print_bench_table(std::cout, report);
  return kDone;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* bench_app =
      app.add_subcommand("bench", "Measure what a simulated line costs the host, each case in a process of its own");
  bench_app->add_option("--format", options->format, "What to print")->check(CLI::IsMember({"table", "json"}));
  bench_app->add_option("--case", options->cases, "Only this case (repeatable)")
      ->check(CLI::IsMember(bench_cases()))
      ->allow_extra_args(false);
  bench_app->add_option("--compare", options->compare, "Two results in JSON, before and after: print them side by side")
      ->expected(2)
      ->check(CLI::ExistingFile);
  bench_app->callback([&action, options] { action = [options] { return bench(*options); }; });
}

}  // namespace gputlm
