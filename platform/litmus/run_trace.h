// SPDX-License-Identifier: Apache-2.0
//
// What happened in one run of a litmus test, for people: where everything was, what each thread did when, and in which
// order L2 took the accesses to the test's lines.
#pragma once

#include <string>

#include "gputlm/litmus/thread_program.h"
#include "gputlm/system/simulation.h"

namespace gputlm {

/// Adds L2's view to the events of a run. Create before Simulation::load(); listens until it is destroyed.
class RunTrace : private L2Observer {
 public:
  RunTrace(Simulation& simulation, const LitmusContext& context, LitmusRun& run);

 private:
  void on_store(unsigned slice, const Payload& p) override { note(slice, p, "store is served"); }
  void on_load(unsigned slice, const Payload& p) override { note(slice, p, "load takes its place"); }
  void on_atomic(unsigned slice, const Payload& p) override { note(slice, p, "atomic is performed"); }
  void note(unsigned slice, const Payload& p, const char* what);
  std::string who(const Payload& p) const;

  const LitmusContext& context_;
  LitmusRun& run_;
};

/// The run as lines of text: seed, places, timings, then the events in time order.
std::string describe_run(const LitmusContext& context, std::uint64_t seed, std::size_t index, const LitmusRun& run);

}  // namespace gputlm
