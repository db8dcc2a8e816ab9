// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/ostream.h>

#include "commands.h"
#include "common_options.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/sweep/sweep_run.h"
#include "status_line.h"

namespace gputlm {
namespace {

using Clock = std::chrono::steady_clock;

struct SweepCall {
  std::vector<std::string> sweeps;
  bool all = false, resume = false, retry = false, restart = false, dry_run = false;
  std::string engine = "local", out;
  unsigned jobs = 0;
  std::vector<std::string> task;  ///< Directory and number of a task that Slurm runs.
};

/// What Slurm's tasks call: results stand in the points' folders, what goes wrong here in the task's output.
int run_task(const SweepCall& call) {
  const SlurmJob job(std::filesystem::path(call.task[0]) / kSlurmFolder);
  const auto number = parse_count(call.task[1]);
  if (!number) throw std::runtime_error("no number of a task: " + excerpt(call.task[1]));
  for (const std::filesystem::path& point : job.points_of(static_cast<unsigned>(number.value)))
    if (!stop_requested()) run_point(point);
  return stop_requested() ? kFound : kDone;
}

EarlierResults earlier(const SweepCall& call) {
  if (call.restart) return EarlierResults::discard;
  if (call.retry) return EarlierResults::retry;
  return call.resume ? EarlierResults::resume : EarlierResults::refuse;
}

std::string time_left(const SweepProgress& p, double seconds) {
  const std::size_t ended = p.done + p.failed;
  if (p.ran == 0) return "?";
  return fmt::format("{:.0f}", seconds * static_cast<double>(p.points - ended) / static_cast<double>(p.ran));
}

/// How a sweep gets on.
class SweepLine {
 public:
  explicit SweepLine(std::string name) : name_(std::move(name)) {}
  void show(const SweepProgress& p) {
    constexpr std::chrono::milliseconds kBetween{200};
    if (!line_.visible() || Clock::now() - shown_ < kBetween) return;
    shown_ = Clock::now();
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    line_.show(fmt::format("{}: {} of {} points, {} failed, {} s left{}{}", name_, p.done + p.failed, p.points,
                           p.failed, time_left(p, seconds), p.note.empty() ? "" : "; ", p.note));
  }
  void clear() const { line_.clear(); }

 private:
  const StatusLine line_{};
  const std::string name_;
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_;
};

void print_failures(const SweepPlan& plan, const SweepRun& run) {
  constexpr std::size_t kShown = 20;
  std::size_t failed = 0;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const PointRecord& record = run.records()[i];
    if (!record.end || record.end->done || ++failed > kShown) continue;
    fmt::print(std::cerr, "gputlm: point {} ({}) failed: {}; see {}\n", plan.points[i].number,
               plan.describe(plan.points[i]), record.end->problem, (run.folder(i) / kPointLog).string());
  }
  if (failed > kShown) fmt::print(std::cerr, "gputlm: and {} others\n", failed - kShown);
}

int report(const SweepPlan& plan, const SweepRun& run, const std::string& out) {
  print_failures(plan, run);
  const SweepProgress p = run.progress();
  fmt::print(std::cout,
             "{}: {} points, {} done ({} of them now), {} failed{}\n  results in {}/results.csv and results.db\n",
             plan.file.name, p.points, p.done, p.ran, p.failed,
             p.points == p.done + p.failed ? "" : fmt::format(", {} not run", p.points - p.done - p.failed), out);
  if (p.done != 0)
    for (const std::string& name : run.missing_statistics())
      fmt::print(std::cerr, "gputlm: no point has the statistic {}\n", name);
  if (stop_requested()) {
    fmt::print(std::cerr, "gputlm: stopped by {}; --resume goes on\n", stop_name());
    return 128 + stop_signal();
  }
  return p.failed == 0 ? kDone : kFound;
}

void print_points(const SweepPlan& plan) {
  fmt::print(std::cout, "{}: {} points, {} left out because their values do not go together\n", plan.file.name,
             plan.points.size(), plan.unfit);
  for (const SweepPoint& point : plan.points)
    fmt::print(std::cout, "  {:>4}  {}\n", point.number, plan.describe(point));
}

int sweep_one(const SweepCall& call, const SweepPlan& plan) {
  if (call.dry_run) {
    print_points(plan);
    return kDone;
  }
  SweepLine line(plan.file.name);
  SweepOptions options;
  options.out = call.out.empty() ? "runs/sweeps/" + plan.file.name : call.out;
  options.jobs = call.jobs;
  options.engine = call.engine == "slurm" ? SweepEngine::slurm : SweepEngine::local;
  options.earlier = earlier(call);
  options.keep_going = [] { return !stop_requested(); };
  options.progress = [&line](const SweepProgress& p) { line.show(p); };
  SweepRun run(plan, options);
  run.run();
  line.clear();
  return report(plan, run, options.out.string());
}

int sweep(SweepCall& call) {
  if (!call.task.empty()) return run_task(call);
  if (call.all && !call.sweeps.empty()) {
    std::cerr << "gputlm: --all runs all shipped sweeps: name none beside it\n";
    return kBadInput;
  }
  if (call.all) call.sweeps = list_yaml(kSweepFolder);
  if (call.sweeps.empty()) {
    std::cerr << "gputlm: name a sweep, or all shipped ones with --all\n";
    return kBadInput;
  }
  if (call.sweeps.size() > 1 && !call.out.empty()) {
    std::cerr << "gputlm: --out is for one sweep; several go to runs/sweeps\n";
    return kBadInput;
  }
  // All are checked before the first runs.
  std::vector<SweepPlan> plans;
  Diagnostics mistakes;
  for (const std::string& name : call.sweeps)
    gather(mistakes, [&] { plans.push_back(make_sweep_plan(read_sweep_file(find_yaml(name, kSweepFolder)))); });
  mistakes.throw_if_any();
  int code = kDone;
  for (const SweepPlan& plan : plans) {
    code = std::max(code, sweep_one(call, plan));
    if (stop_requested()) break;
  }
  return code;
}

}  // namespace

void add_sweep_command(CLI::App& app, Action& action) {
  auto call = std::make_shared<SweepCall>();
  CLI::App* const c = app.add_subcommand("sweep", "Run an experiment or a probe at many points, and tabulate");
  c->add_option("sweeps", call->sweeps, "Names (see gputlm list sweeps) or YAML files");
  c->add_flag("--all", call->all, "All shipped sweeps");
  c->add_option("--jobs", call->jobs, "Points at a time (default: one a processor; with Slurm, no limit)")
      ->check(CLI::Range(1, 100000));
  c->add_option("--engine", call->engine, "Who runs the points")
      ->check(CLI::IsMember({"local", "slurm"}))
      ->capture_default_str();
  c->add_option("--out", call->out, "Directory for the results (default: runs/sweeps/NAME)")->check(not_empty("TEXT"));
  CLI::Option* const resume = c->add_flag("--resume", call->resume, "Go on: points that have ended stay");
  CLI::Option* const retry = c->add_flag("--retry-failed", call->retry, "Go on, and run failed points again");
  CLI::Option* const restart = c->add_flag("--restart", call->restart, "Throw earlier results away");
  restart->excludes(resume)->excludes(retry);
  c->add_flag("--dry-run", call->dry_run, "Check, print the points, run nothing");
  c->add_option("--run-task", call->task, "DIRECTORY TASK: what a task of Slurm runs")->expected(2)->group("");
  c->callback([&action, call] { action = [call] { return sweep(*call); }; });
}

}  // namespace gputlm
