// SPDX-License-Identifier: Apache-2.0
#include "gputlm/bench/bench_case.h"

#include <sys/resource.h>

#include <chrono>
#include <stdexcept>

#include "gputlm/bench/allocation_count.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/system/simulation.h"

namespace gputlm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kBenchFolder = "configs/bench";
constexpr double kSteadyFrom = 0.2, kSteadyTo = 0.8;  // share of the CTAs that have ended

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

std::string find_case(const std::string& name) {
  const bool shipped = name == "vadd" || name == "die";
  return find_yaml(name, shipped ? kExperimentFolder : kBenchFolder);
}

/// Counts between the first and the last look that fall into the steady part of a run.
class SteadyPart {
 public:
  void look(const Progress& p) {
    if (p.share() < kSteadyFrom || p.share() > kSteadyTo) return;
    if (!begun_) first_ = {p.lines(), allocations()};
    begun_ = true;
    last_ = {p.lines(), allocations()};
  }
  double allocations_per_line() const {
    const std::uint64_t lines = last_.lines - first_.lines;
    return lines == 0 ? 0 : static_cast<double>(last_.allocations - first_.allocations) / static_cast<double>(lines);
  }

 private:
  struct Look {
    std::uint64_t lines = 0, allocations = 0;
  };
  Look first_, last_;
  bool begun_ = false;
};

}  // namespace

const std::vector<std::string>& bench_cases() {
  static const std::vector<std::string> names{"store", "load", "vadd", "random_sectors", "die"};
  return names;
}

BenchResult run_bench_case(const std::string& name) {
  const auto start = Clock::now();
  const Experiment experiment = read_experiment(find_case(name));
  Simulation simulation(experiment, Config::load(experiment.config, {}), BuildOptions{});
  BenchResult result;
  result.name = name;
  result.elaboration_ms = nanoseconds_since(start) / 1e6;

  SteadyPart steady;
  const auto begin = Clock::now();
  const Verdict verdict = simulation.run([&](const Progress& p) {
    steady.look(p);
    return true;
  });
  const double wall = nanoseconds_since(begin);
  if (!verdict.clean())
    throw std::runtime_error("bench case " + name + " did not end clean" +
                             (verdict.problems.empty() ? "" : ": " + verdict.problems.front()));
  result.lines = simulation.line_requests();
  const auto lines = static_cast<double>(result.lines);
  result.ns_per_line = wall / lines;
  result.events_per_line = static_cast<double>(Wakeup::runs()) / lines;
  result.allocations_per_line = steady.allocations_per_line();
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  result.memory_peak_mib = static_cast<double>(usage.ru_maxrss) / 1024;
  return result;
}

}  // namespace gputlm
