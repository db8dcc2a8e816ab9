// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

double dram_bytes(const SeriesRow& row) {
  return row.dram_bytes_read + row.dram_bytes_written;
}

/// Bytes per ns between a quarter and three quarters of the phase.
std::optional<double> steady_rate(const Measurement& m, const PhaseResult& phase) {
  const double begin = phase.start_ns + phase.duration_ns() / 4, end = phase.end_ns - phase.duration_ns() / 4;
  const SeriesRow *first = nullptr, *last = nullptr;
  for (const SeriesRow& row : m.series) {
    if (row.time_ns < begin || row.time_ns > end) continue;
    if (first == nullptr) first = &row;
    last = &row;
  }
  if (first == last) return std::nullopt;
  return (dram_bytes(*last) - dram_bytes(*first)) / (last->time_ns - first->time_ns);
}

}  // namespace

void dram_bandwidth(ProbeRun& run) {
  const Measurement m = run.measure({}, run.texts("overrides"), Recording::counters);
  for (const PhaseResult& phase : m.phases) run.row(phase.name, steady_rate(m, phase), "GB/s");
}

}  // namespace gputlm::probes
