// SPDX-License-Identifier: Apache-2.0
//
// A trace replayed on the small card under all checkers; a test process makes one.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "gputlm/replay/line_counter.h"
#include "gputlm/replay/replay_experiment.h"
#include "gputlm/system/simulation.h"
#include "gputlm/test_support/temp_folder.h"

namespace gputlm::test {

/// An access as it reached the load/store unit, in an order that no timing changes.
struct SeenAccess {
  std::uint32_t kernel = 0, cta = 0, instruction = 0;
  Operation operation = Operation::load;
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;
  unsigned lane_bytes = 0;
  std::uint32_t active = 0;
  std::vector<std::uint64_t> addresses;  ///< Of the active lanes.

  auto key() const {
    return std::tie(kernel, cta, instruction, operation, semantics, scope, lane_bytes, active, addresses);
  }
  bool operator<(const SeenAccess& o) const { return key() < o.key(); }
  bool operator==(const SeenAccess& o) const { return key() == o.key(); }
};

/// Writes down every access and fence that has been answered.
struct AccessList final : WarpObserver {
  void on_access_done(unsigned, const Payload& p) override {
    const Sideband& s = *find_sideband(p);
    SeenAccess a{s.origin.kernel, s.origin.cta, s.origin.instruction, s.operation, s.semantics, s.scope, 0, 0, {}};
    if (s.operation != Operation::fence) {
      a.lane_bytes = s.lanes->lane_bytes;
      a.active = s.lanes->active;
      for_each_lane_of(a.active, [&](unsigned lane) { a.addresses.push_back(s.lanes->address[lane]); });
    }
    seen.push_back(std::move(a));
  }
  std::vector<SeenAccess> sorted() const {
    std::vector<SeenAccess> all = seen;
    std::sort(all.begin(), all.end());
    return all;
  }
  std::vector<SeenAccess> seen;
};

struct ReplayBench {
  explicit ReplayBench(const std::string& file, bool lenient = false, std::uint64_t tape_bytes = 1 << 20)
      : config(Config::load("tiny")),
        trace(survey_trace(file, lenient, {config.mmu.page_bytes, config.memory_bytes()}, {})),
        state(tape_bytes),
        simulation(make_replay_experiment(trace, config, 1, state), config, checked()) {
    simulation.lsu_observers.add(lines);
    simulation.warp_observers.add(accesses);
  }

  Verdict run() {
    return simulation.run([](const Progress&) { return true; });
  }
  const KernelCounters& counters(std::size_t kernel = 0) const {
    return simulation.workload.phases()[kernel].kernels[0]->counters;
  }

  static BuildOptions checked() {
    BuildOptions o;
    o.check_protocol = true;
    return o;
  }

  const Config config;
  const ReplayTrace trace;
  ReplayState state;
  Simulation simulation;
  LineCounter lines;
  AccessList accesses;
};

}  // namespace gputlm::test
