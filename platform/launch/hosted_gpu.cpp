// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/hosted_gpu.h"

#include <algorithm>

namespace gputlm {
namespace {

BuildOptions hosted(BuildOptions options) {
  options.hosted = true;
  return options;
}

void zeros(std::uint64_t, unsigned char* line) {
  std::fill_n(line, kLineBytes, static_cast<unsigned char>(0));
}

/// How long a run goes on before it asks again whether it should.
constexpr Fs kBetweenQuestions = 1000 * kFsPerNs;

}  // namespace

HostedGpu::HostedGpu(const Config& config, BuildOptions options)
    : JudgedGpu(config, hosted(std::move(options)), zeros), host("host", gpu), driver("cpu", gpu, host, *this) {
  scoreboard.leave_out(HostDriver::kHostVirtual, HostDriver::kHostVirtual + config.host.memory.capacity - 1);
  warp_observers.add(host.operations);
  warp_observers.add(host.blocks);
  lsu_observers.add(host.blocks);
  if (fences) fences->watch_host(host.link.device[0]->arrow);
}

void HostedGpu::run_until(const std::function<bool()>& reached) {
  while (!reached()) {
    if (keep_going && !keep_going()) throw DriverInterrupted();
    if (!sc_core::sc_pending_activity() || hangs()) throw DriverError(explain_stall());
    const Fs due = to_fs(sc_core::sc_time_to_pending_activity());
    run_for(due + kBetweenQuestions);
  }
}

unsigned HostedGpu::blocks_on_sms() const {
  unsigned blocks = 0;
  for (unsigned sm = 0; sm < gpu.sms.size(); ++sm) blocks += host.distributor.blocks_on(sm);
  return blocks;
}

void HostedGpu::settle() {
  run_until([] { return !sc_core::sc_pending_activity(); });
}

std::vector<std::string> HostedGpu::settle_and_audit() {
  std::vector<std::string> problems;
  settle();
  if (!gpu.idle()) problems.push_back(explain_stall());
  scoreboard.audit();
  audit_payloads(problems);
  note_findings(problems);
  note_pending_faults(problems);
  return problems;
}

}  // namespace gputlm
