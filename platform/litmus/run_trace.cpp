// SPDX-License-Identifier: Apache-2.0
#include "gputlm/litmus/run_trace.h"

#include <algorithm>

#include <fmt/format.h>

#include "gputlm/litmus/litmus_workload.h"

namespace gputlm {

RunTrace::RunTrace(Simulation& simulation, const LitmusContext& context, LitmusRun& run)
    : context_(context), run_(run) {
  simulation.l2_observers.add(*this);
}

void RunTrace::note(unsigned slice, const Payload& p, const char* what) {
  if (run_.begin == kNever) return;
  // The tests' memory begins at physical address 0.
  const std::uint64_t line = p.get_address() & ~kLineOffsetMask;
  for (std::size_t i = 0; i < run_.plan.offsets.size(); ++i)
    if (context_.test->storage_of(static_cast<unsigned>(i)) == i && (run_.plan.offsets[i] & ~kLineOffsetMask) == line)
      run_.events.push_back({now(), fmt::format("L2 slice {}", slice),
                             fmt::format("{}: {} {}", context_.test->locations[i].name, who(p), what)});
}

// The thread, where its SM has no other.
std::string RunTrace::who(const Payload& p) const {
  const Sideband* s = find_sideband(p);
  if (s == nullptr || s->origin.sm == Origin{}.sm) return "somebody's";
  std::vector<unsigned> threads;
  for (std::size_t c = 0; c < context_.test->ctas.size(); ++c)
    if (run_.plan.sms[c] == s->origin.sm)
      threads.insert(threads.end(), context_.test->ctas[c].begin(), context_.test->ctas[c].end());
  if (threads.size() == 1) return fmt::format("P{}'s", threads[0]);
  return fmt::format("SM {} warp {}'s", s->origin.sm, s->origin.warp);
}

std::string describe_run(const LitmusContext& context, std::uint64_t seed, std::size_t index, const LitmusRun& run) {
  const LitmusTest& test = *context.test;
  std::string text =
      fmt::format("{}: run {} with seed {} ends where {} holds\n", test.name, index, seed, test.condition_text);
  text += fmt::format("  locations ({}, {} chip):", name_of(run.plan.placement),
                      run.plan.noise.empty() ? "idle" : "loaded");
  for (std::size_t i = 0; i < test.locations.size(); ++i)
    text += fmt::format(" {} at +{:#x}", test.locations[i].name, run.plan.offsets[i]);
  text += '\n';
  for (std::size_t c = 0; c < test.ctas.size(); ++c)
    for (const unsigned t : test.ctas[c]) {
      const ThreadPlan& plan = run.plan.threads[t];
      text +=
          fmt::format("  P{} on SM {}, starts after {} cycles, L1 warmed with", t, run.plan.sms[c], plan.start_cycles);
      for (const unsigned l : plan.warmed) text += " " + test.locations[l].name;
      text += plan.warmed.empty() ? " nothing\n" : "\n";
      for (std::size_t i = 0; i < plan.delays.size(); ++i)
        text += fmt::format("    {}{}\n", test.threads[t].instructions[i].text,
                            plan.delays[i] > 1 ? fmt::format("  then {} cycles", plan.delays[i]) : "");
    }
  std::vector<LitmusEvent> events = run.events;
  std::stable_sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.time < b.time; });
  const Fs start = run.begin + static_cast<Fs>(kLitmusLeadNs * static_cast<double>(kFsPerNs));
  for (const LitmusEvent& e : events)
    if (e.time >= start)  // before, lines are warmed
      text += fmt::format("  {:>10.3f} ns  {:<12}{}\n", to_ns(e.time - run.begin), e.who, e.what);
  return text;
}

}  // namespace gputlm
