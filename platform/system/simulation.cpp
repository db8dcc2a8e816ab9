// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/simulation.h"

#include <algorithm>

#include <fmt/format.h>

namespace gputlm {
namespace {

PlatformFacts facts_of(const Gpu& gpu) {
  const Config& c = gpu.config();
  PlatformFacts facts;
  facts.sms = c.sms;
  facts.warps_per_sm = c.warp.sub_partitions * c.warp.warps_per_sub_partition;
  facts.scoreboards = c.warp.scoreboards;
  facts.page_bytes = c.mmu.page_bytes;
  facts.memory_bytes = c.memory_bytes();
  facts.oracle = &gpu.mem;
  return facts;
}

constexpr std::size_t kProblemsKept = 20;

/// How long a run goes on before it asks again whether it should.
constexpr Fs kBetweenQuestions = 1000 * kFsPerNs;
constexpr std::uint64_t kLinesBetweenQuestions = 1 << 14;

}  // namespace

Simulation::Simulation(const Config& config, const BuildOptions& options)
    : JudgedGpu(config, options,
                [this](std::uint64_t line, unsigned char* data) { workload.image().fill(line, data, kLineBytes); }),
      dispatcher("dispatcher", gpu) {
  lsu_observers.add(dispatcher);
  warp_observers.add(dispatcher);
}

Simulation::Simulation(const Experiment& experiment, const Config& config, const BuildOptions& options)
    : Simulation(config, options) {
  load(experiment);
}

void Simulation::load(const Experiment& experiment) {
  workload = Workload(experiment, facts_of(gpu));
  for (const Buffer& b : workload.buffers())
    if (b.mapped) gpu.pages.map(b.virtual_address, b.physical_address, b.mapped_bytes);
  sample_interval_ = experiment.sample_interval;
  flush_due_ = experiment.end == EndKind::flush;
}

Verdict Simulation::run(const std::function<bool(const Progress&)>& keep_going) {
  Verdict verdict;
  dispatcher.start(workload.phases());
  series.start(sample_interval_);
  for (Fs next = now();; next += series.interval()) {
    const bool go_on = advance_to(next, keep_going);
    series.add(sample(go_on && sc_core::sc_pending_activity() ? next : now()));
    if (!go_on) {
      count_checks(verdict, workload.load_checks());
      finish(verdict);
      return verdict;
    }
    if (dispatcher.fault() || hangs() || (!sc_core::sc_pending_activity() && !flush_if_due())) break;
  }
  if (dispatcher.fault()) {
    verdict.end = RunEnd::fault;
    verdict.problems.push_back(dispatcher.fault()->text());
  } else if (!dispatcher.finished() || !gpu.idle()) {
    verdict.end = RunEnd::stalled;
    verdict.problems.push_back(explain_stall());
  } else {
    audit(verdict, keep_going);
  }
  finish(verdict);
  return verdict;
}

// Starts the flush once everything else has ended; true when it has begun.
bool Simulation::flush_if_due() {
  if (!flush_due_ || dispatcher.fault() || !dispatcher.finished() || !gpu.idle()) return false;
  flush_due_ = false;
  gpu.mem.flush();
  return true;
}

// Runs everything due before `t`; when nothing more is due at all, time stays at the last event. False when it was
// asked to stop on the way.
bool Simulation::advance_to(Fs t, const std::function<bool(const Progress&)>& keep_going) {
  if (!keep_going(Progress(*this))) return false;
  while (now() < t && sc_core::sc_pending_activity() && !dispatcher.fault()) {
    const Fs due = to_fs(sc_core::sc_time_to_pending_activity());
    if (due > t - now() || (due > hang_limit && hangs())) break;
    run_for(std::min(t - now(), due + kBetweenQuestions));
    if (!keep_going(Progress(*this))) return false;
  }
  return true;
}

std::uint64_t Progress::lines() const {
  return simulation_.line_requests();
}

double Progress::share() const {
  const std::uint64_t ctas = simulation_.workload.ctas();
  return ctas == 0 ? 1 : static_cast<double>(simulation_.dispatcher.ctas_ended()) / static_cast<double>(ctas);
}

std::size_t Progress::phase() const {
  return simulation_.dispatcher.phase();
}

double Progress::phase_share() const {
  const std::vector<Phase>& phases = simulation_.workload.phases();
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < phase(); ++i) before += phases[i].ctas();
  return phase() == phases.size() ? 1
                                  : static_cast<double>(simulation_.dispatcher.ctas_ended() - before) /
                                        static_cast<double>(phases[phase()].ctas());
}

// The three judges: the scoreboard's digests, the kernels' own statements about memory and loads, the housekeeping.
void Simulation::audit(Verdict& verdict, const std::function<bool(const Progress&)>& keep_going) {
  struct Stopped {};
  MemoryVerdict memory;
  std::uint64_t lines = 0;
  scoreboard.audit([&](std::uint64_t line) { return is_verified(workload, line); });
  try {
    memory = verify_memory(workload, [&](std::uint64_t at, unsigned char* out, std::size_t n) {
      for (; n > 0; at += kLineBytes, out += kLineBytes, n -= std::min<std::size_t>(n, kLineBytes)) {
        if (++lines % kLinesBetweenQuestions == 0 && !keep_going(Progress(*this, true))) throw Stopped();
        if (!gpu.mem.debug_read(at, out)) return false;
        scoreboard.audit_line(at, out);  // one sweep for both
      }
      return true;
    });
    verdict.end = RunEnd::complete;
  } catch (const Stopped&) {  // the end stays `interrupted`
  }
  const CheckCounter loads = workload.load_checks();
  verdict.bytes_in_memory = memory.checks.bytes_checked();
  verdict.mismatches = memory.checks.mismatches();
  count_checks(verdict, loads);
  const auto keep = [&](std::string text) {
    if (verdict.problems.size() < kProblemsKept) verdict.problems.push_back(std::move(text));
  };
  for (const Mismatch& m : memory.checks.first()) keep("memory at the end: " + m.text());
  for (const Mismatch& m : loads.first()) keep("load: " + m.text());
  if (memory.bytes_unreadable != 0) keep(fmt::format("end audit: {} bytes could not be read", memory.bytes_unreadable));
  audit_payloads(verdict.problems);
}

// What was noticed while the run went on, however it ended.
void Simulation::finish(Verdict& verdict) {
  note_findings(verdict.problems);
  // An injected fault might have happened yet.
  if (verdict.end != RunEnd::interrupted) note_pending_faults(verdict.problems);
}

// What has been compared and found so far, besides memory at the end.
void Simulation::count_checks(Verdict& verdict, const CheckCounter& loads) const {
  verdict.bytes_on_the_road = scoreboard.bytes_checked();
  verdict.bytes_by_programs = loads.bytes_checked();
  verdict.bytes_checked = verdict.bytes_on_the_road + verdict.bytes_by_programs + verdict.bytes_in_memory;
  verdict.mismatches += scoreboard.mismatches() + loads.mismatches();
}

std::uint64_t Simulation::line_requests() const {
  std::uint64_t lines = 0;
  for (const auto& sm : gpu.sms) lines += sm->lsu.line_requests();
  return lines;
}

Sample Simulation::sample(Fs at) const {
  Sample s;
  s.time = at;
  for (const Phase& p : workload.phases()) {
    s.bytes_stored += p.bytes_stored();
    s.bytes_loaded += p.bytes_loaded();
  }
  s.l2_dirty_bytes = gpu.mem.dirty_bytes();
  const DramBytes dram = gpu.mem.dram_bytes();
  s.dram_bytes_read = dram.read;
  s.dram_bytes_written = dram.written;
  s.write_backlog.reserve(gpu.mem.controllers.size());
  s.read_backlog.reserve(gpu.mem.controllers.size());
  for (const auto& c : gpu.mem.controllers) {
    s.write_backlog.push_back(c->write_backlog());
    s.read_backlog.push_back(c->read_backlog());
  }
  s.sms_throttled = dispatcher.throttled();
  return s;
}

}  // namespace gputlm
