// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/judged_gpu.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "gputlm/system/line_times.h"
#include "gputlm/system/wait_for_graph.h"

namespace gputlm {

JudgedGpu::JudgedGpu(const Config& config, const BuildOptions& options, LineReader image)
    : gpu("gpu", config, options),
      scoreboard(config.memory_bytes(), image,
                 [this](std::uint64_t line, unsigned char* data) { gpu.mem.debug_read(line, data); }) {
  constexpr Fs kLines = 300'000;
  hang_limit =
      std::max(hang_limit, kLines * slowest_line_time(config)) * std::max(1U, config.sms / config.crossbar.slices);
  gpu.mem.memory.set_image(std::move(image));
  l2_observers.add(scoreboard);
  l1_observers.add(scoreboard);
  lsu_observers.add(scoreboard);
  if (options.check_protocol || options.judge_fences) watch_fences();
  for (const auto& sm : gpu.sms) {
    sm->scheduler.observer = &warp_observers;
    sm->lsu.observer = &lsu_observers;
    sm->l1.observer = &l1_observers;
  }
  for (const auto& slice : gpu.mem.slices) slice->observer = &l2_observers;
  if (gpu.mem.loose) gpu.mem.loose->observer = &l2_observers;
}

void JudgedGpu::watch_fences() {
  fences = std::make_unique<FenceWatch>(gpu);
  if (gpu.mem.host) fences->watch_host(gpu.mem.host->barriers.arrow);
  warp_observers.add(fences->judge);
  lsu_observers.add(fences->judge);
  l1_observers.add(fences->judge);
}

void JudgedGpu::watch_commands(DramObserver& observer) {
  if (!commands_watched_) {
    // A channel has one observer, which may be the command checker already.
    if (gpu.mem.commands) dram_observers_.add(*gpu.mem.commands);
    for (const auto& channel : gpu.mem.channels) channel->set_observer(&dram_observers_);
    commands_watched_ = true;
  }
  dram_observers_.add(observer);
}

namespace {

/// When the next event is due; kNever when there is none.
Fs next_event() {
  return sc_core::sc_pending_activity() ? now() + to_fs(sc_core::sc_time_to_pending_activity()) : kNever;
}

}  // namespace

// Where a run is cut into pieces makes no difference to what happens in it.
void JudgedGpu::run_for(Fs duration) {
  const Fs end = now() + duration;
  do {
    Fs stop = end;
    if (onlooker_ != nullptr) {
      // Until the next event everything stays as it is.
      const Fs unchanged = std::min(next_event(), end);
      while (onlooker_->next_look() <= unchanged) onlooker_->look(std::max(now(), onlooker_->next_look()));
      stop = std::min(end, onlooker_->next_look());
    }
    sc_core::sc_start(to_sc_time(stop - now()), sc_core::SC_EXIT_ON_STARVATION);
  } while (now() < end && next_event() <= end);
}

bool JudgedGpu::hangs() {
  // What is due next may be so far away that whoever waits now has waited too long by then.
  const Fs due = sc_core::sc_pending_activity() ? to_fs(sc_core::sc_time_to_pending_activity()) : 0;
  if (due > hang_limit) return WaitForGraph(gpu).overdue(hang_limit - due);
  if (now() < next_look_) return false;
  next_look_ = now() + hang_limit / 2;
  return WaitForGraph(gpu).overdue(hang_limit);
}

std::string JudgedGpu::explain_stall() const {
  std::ostringstream why;
  why << "the simulation stopped making progress at " << ns_text(now()) << ": "
      << (sc_core::sc_pending_activity() ? "an access has waited for more than " + ns_text(hang_limit)
                                         : "nothing is due any more")
      << "; who waits for whom:\n";
  WaitForGraph(gpu).print(why);
  return why.str();
}

void JudgedGpu::audit_payloads(std::vector<std::string>& problems) {
  if (gpu.mem.pool.outstanding() != 0)
    problems.push_back(
        fmt::format("end audit: {} payloads were not returned to their pool", gpu.mem.pool.outstanding()));
  for (const auto& checker : gpu.mem.wiring.checkers()) checker->finish();
  if (gpu.mem.wiring.checking()) gpu.mem.wiring.log().check_returned(gpu.mem.pool, "gpu.mem.pool");
}

void JudgedGpu::note_findings(std::vector<std::string>& problems) {
  const auto keep = [&](const char* judge, const auto& findings) {
    std::ostringstream text;
    findings.print(text);
    problems.push_back(judge + text.str());
  };
  if (scoreboard.mismatches() != 0) keep("scoreboard: ", scoreboard);
  if (fences && fences->judge.findings() != 0) keep("fence judge: ", fences->judge);
  if (gpu.mem.wiring.log().total() != 0) keep("protocol checker: ", gpu.mem.wiring.log());
  if (gpu.mem.commands) gpu.mem.commands->finish();
  if (gpu.mem.commands && gpu.mem.commands->violation_count() != 0) keep("command checker: ", *gpu.mem.commands);
}

void JudgedGpu::note_pending_faults(std::vector<std::string>& problems) const {
  for (const InjectedFault* fault : gpu.mem.pending_faults())
    problems.push_back("the fault " + fault->text + " never happened: too few of its targets passed there");
}

}  // namespace gputlm
