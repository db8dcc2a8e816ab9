// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
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

/// Reports a file that is not what bench_report() writes.
BenchJson read_report(const std::string& file, Diagnostics& mistakes) {
  const std::string text = read_input_file(file, kLargestReport);
  try {
    BenchJson report = BenchJson::parse(text);
    for (const BenchJson& one : report.at("cases")) bench_result_from(one);
    return report;
  } catch (const BenchJson::exception&) {
    mistakes.add({file}, {}, "is no benchmark result", {}, "what gputlm bench --format json prints");
    return {};
  }
}

int compare(const std::string& before, const std::string& after) {
  Diagnostics mistakes;
  const BenchJson first = read_report(before, mistakes), second = read_report(after, mistakes);
  mistakes.throw_if_any();
  print_bench_comparison(std::cout, first, second);
  return kDone;
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
