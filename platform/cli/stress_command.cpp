// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/ostream.h>

#include "commands.h"
#include "common_options.h"
#include "coverage_option.h"
#include "gputlm/config/config.h"
#include "gputlm/config/quantity.h"
#include "gputlm/config/regular_file.h"
#include "gputlm/process/child_process.h"
#include "gputlm/stress/exhaustive.h"
#include "gputlm/stress/stress_runner.h"
#include "gputlm/system/wiring.h"
#include "status_line.h"

namespace gputlm {
namespace {

using Clock = std::chrono::steady_clock;

// A case takes well under a second; one that takes this long makes no progress.
constexpr unsigned kCaseSeconds = 60;
// What the smallest card is made of.
constexpr const char* kExhaustiveCard = "tiny";
// A drawn case takes some KiB.
constexpr std::uint64_t kLargestCase = std::uint64_t{16} << 20;

struct StressCall {
  std::uint64_t seed = 1;
  double minutes = 1;
  unsigned exhaustive = 0;
  unsigned jobs = 1;
  std::string config = "tiny", replay, out = "stress-failure.txt";
  std::vector<std::string> faults;
  CoverageOption coverage;
};

// A range lets what is no number pass.
std::string check_finite(const std::string& text) {
  const Parsed<double> minutes = parse_real(text);
  return minutes ? std::string() : "'" + text + "': " + minutes.problem;
}

int replay(StressCall& options) {
  const std::string text = read_input_file(options.replay, kLargestCase);
  const StressCase c = parse_stress_case(text, options.replay);
  Config::load(options.config, c.overrides);  // a case whose overrides do not go together is bad input
  const StressResult result = run_in_child(c, options.config, kCaseSeconds, options.coverage.wanted());
  Diagnostics diagnostics;
  if (!result.legal) diagnostics.add({options.replay}, "", "is refused: " + result.refusal);
  diagnostics.throw_if_any();
  options.coverage.add(result.coverage);
  options.coverage.finish(std::cout);
  fmt::print(std::cout, "{} instructions, {} line transactions: {}\n", c.instructions(), result.transactions,
             result.problem.empty() ? "clean" : result.problem);
  return result.problem.empty() ? kDone : kFound;
}

// A mistake in the configuration or a fault is bad input, whatever the programs.
void check_faults(const StressCall& options, const Config& config) {
  for (const std::string& fault : options.faults) parse_fault(fault, fault_places(config));
}

StressCase draw(const StressCall& options, std::uint64_t seed) {
  StressCase c = draw_stress_case(seed, options.config);
  c.faults = options.faults;
  return c;
}

void report_failure(const StressCall& options, const std::string& config, const StressCase& c) {
  std::cout << "making it smaller ...\n";
  const StressCase small = shrink(c, [&](const StressCase& candidate) {
    const StressResult r = run_in_child(candidate, config, kCaseSeconds);
    return r.legal && !r.problem.empty();
  });
  std::ofstream file(options.out);
  file << stress_text(small);
  file.close();
  if (!file) throw std::runtime_error(options.out + " cannot be written; the program is\n" + stress_text(small));
  fmt::print(std::cout, "{} instructions are enough; again: gputlm stress --config {} --replay {}\n{}\n",
             small.instructions(), config, options.out, run_in_child(small, config, kCaseSeconds).problem);
}

void report_programs(const StressCall& options, const ExhaustiveResult& r) {
  const std::string before = r.first == r.failed ? "alone" : fmt::format("behind those from {} on", r.first);
  fmt::print(std::cout, "program {} fails {}: {}\n", r.failed, before, r.problem);
  const StressCase c = failing_case(r, options.exhaustive, options.faults);
  if (run_in_child(c, kExhaustiveCard, kCaseSeconds).problem.empty())
    std::cout << "the same instructions in one program do not fail\n";
  else
    report_failure(options, kExhaustiveCard, c);
}

int exhaust(const StressCall& options) {
  check_faults(options, Config::load(kExhaustiveCard, exhaustive_overrides()));
  const auto start = Clock::now();
  const StatusLine status;
  const std::uint64_t all = exhaustive_programs(options.exhaustive);
  const auto progress = [&](std::uint64_t done) {
    status.show(fmt::format("{} of {} programs", done, all));
    return !stop_requested();
  };
  const ExhaustiveResult r = run_exhaustively(options.exhaustive, options.jobs, progress, options.faults);
  status.clear();
  fmt::print(std::cout,
             "{} of {} programs of two threads with up to {} of {} instructions: {} line transactions, {:.1f} s\n",
             r.programs, all, options.exhaustive, exhaustive_alphabet().size(), r.transactions,
             std::chrono::duration<double>(Clock::now() - start).count());
  if (r.problem.empty()) std::cout << (r.programs == all ? "nothing found\n" : "stopped\n");
  if (!r.problem.empty()) report_programs(options, r);
  return r.problem.empty() && r.programs == all ? kDone : kFound;
}

int stress(StressCall& options) {
  options.coverage.prepare();
  if (!options.replay.empty()) return replay(options);
  if (options.exhaustive > 0) return exhaust(options);
  check_faults(options, Config::load(options.config, {}));
  const auto end = Clock::now() + std::chrono::duration<double>(60 * options.minutes);
  std::uint64_t ran = 0, illegal = 0, transactions = 0, failed_seed = 0;
  std::string problem;
  const StatusLine status;
  const auto seconds_left = [&] { return std::chrono::duration<double>(end - Clock::now()).count(); };
  const auto work = [&](std::size_t n) -> nlohmann::json {
    return to_json(
        run_in_child(draw(options, options.seed + n), options.config, kCaseSeconds, options.coverage.wanted()));
  };
  const auto done = [&](std::size_t n, const nlohmann::json& json) {
    const StressResult r = stress_result_from(json);
    ++ran;
    illegal += r.legal ? 0U : 1U;
    transactions += r.transactions;
    options.coverage.add(r.coverage);
    const std::uint64_t seed = options.seed + n;
    if (!r.problem.empty() && (problem.empty() || seed < failed_seed)) failed_seed = seed, problem = r.problem;
    status.show(fmt::format("{} cases, {} line transactions, {:.0f} s left", ran, transactions, seconds_left()));
  };
  run_in_children(SIZE_MAX, options.jobs, work, done,
                  [&] { return problem.empty() && seconds_left() > 0 && !stop_requested(); });
  status.clear();
  fmt::print(std::cout,
             "{} random programs on {} from seed {}, {} of them void (overrides that do not go together, a fault that "
             "never happened); {} line "
             "transactions\n",
             ran, options.config, options.seed, illegal, transactions);
  options.coverage.finish(std::cout);
  if (problem.empty() && ran == illegal && !stop_requested()) {
    std::cout << "no program ran: nothing is known\n";
    return kFound;
  }
  if (problem.empty()) {
    std::cout << (stop_requested() ? "stopped; nothing found until then\n" : "nothing found\n");
    return stop_requested() ? kFound : kDone;
  }
  fmt::print(std::cout, "case {} fails: {}\n", failed_seed, problem);
  report_failure(options, options.config, draw(options, failed_seed));
  return kFound;
}

}  // namespace

void add_stress_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<StressCall>();
  options->jobs = std::max(1U, std::thread::hardware_concurrency());
  CLI::App* const c =
      app.add_subcommand("stress", "Run random programs on random sizes and policies, every byte checked");
  add_seed(*c, "Number of the first program (default 1)", [options](std::uint64_t seed) { options->seed = seed; });
  c->add_option("--minutes", options->minutes, "How long")
      ->check(CLI::Range(0.01, 10000.0))
      ->check(check_finite)
      ->capture_default_str();
  c->add_option("--config", options->config, "Configuration, a name or a file")->capture_default_str();
  c->add_option("--jobs", options->jobs, "Programs at a time")->check(CLI::Range(1, 1024))->capture_default_str();
  CLI::Option* const exhaustive =
      c->add_option("--exhaustive", options->exhaustive,
                    "Instead, every program of two threads with so many instructions each on the smallest card")
          ->check(CLI::Range(1, 4));
  c->add_option("--replay", options->replay, "Run one program from a file instead");
  c->add_option("--out", options->out, "Where a failing program is written")->capture_default_str();
  c->add_option("--fault", options->faults,
                "KIND:TARGET@PLACE: let this go wrong in every program (repeatable; see gputlm list faults)")
      ->excludes("--replay");
  exhaustive->excludes(options->coverage.add_to(*c));
  c->callback([options, &action] { action = [options] { return stress(*options); }; });
}

}  // namespace gputlm
