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
constexpr double kSteadyFrom = 0.2, kSteadyTo = 0.8;  // share of a phase's CTAs that have ended

double nanoseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

std::string find_case(const std::string& name) {
  const bool shipped = name == "vadd" || name == "die";
  return find_yaml(name, shipped ? kExperimentFolder : kBenchFolder);
}

/// Counts between the first and the last look that fall into the steady part of a phase, summed over the phases: at the
/// start of each, whatever holds what is in flight grows to the size that the phase needs.
class SteadyPart {
 public:
  void look(const Progress& p) {
    if (p.phase_share() < kSteadyFrom || p.phase_share() > kSteadyTo) return;
    const Look look{p.lines(), allocations()};
    if (p.phase() == phase_) {
      lines_ += look.lines - last_.lines;
      allocations_ += look.allocations - last_.allocations;
    }
    phase_ = p.phase();
    last_ = look;
  }
  double allocations_per_line() const {
    return lines_ == 0 ? 0 : static_cast<double>(allocations_) / static_cast<double>(lines_);
  }

 private:
  static constexpr std::size_t kNoPhase = ~std::size_t{0};
  struct Look {
    std::uint64_t lines = 0, allocations = 0;
  };
  std::size_t phase_ = kNoPhase;  // of the last look
  Look last_;
  std::uint64_t lines_ = 0, allocations_ = 0;
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
