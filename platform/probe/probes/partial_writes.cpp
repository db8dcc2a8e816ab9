// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm::probes {
namespace {

/// Rows of one sweep, each for a line of it, so that they do not depend on its length.
void sweep(ProbeRun& run, const std::string& name, const std::string& pattern,
           const std::vector<std::string>& overrides) {
  const Measurement m = run.measure({{"pattern", pattern}}, overrides, Recording::counters);
  const double lines = static_cast<double>(run.count("bytes")) / kLineBytes;
  const auto per_line = [&](const char* statistic) { return m.sum("channel", statistic) / lines; };
  run.row(name + ",written_bytes", per_line("bytes_written"), "B per line");
  run.row(name + ",enabled_bytes", per_line("bytes_enabled"), "B per line");
  run.row(name + ",read_bytes", kSectorBytes * per_line("columns_read"), "B per line");
  run.row(name + ",unmasked_writes", per_line("writes_unmasked"), "per line");
  run.row(name + ",double_byte_masked_writes", per_line("writes_double_byte"), "per line");
  run.row(name + ",single_byte_masked_writes", per_line("writes_single_byte"), "per line");
  run.row(name + ",time", m.phases.at(0).duration_ns() / lines, "ns per line");
}

}  // namespace

void partial_writes(ProbeRun& run) {
  std::vector<std::string> overrides = run.texts("overrides");
  sweep(run, "full", "stream_store", overrides);
  sweep(run, "one_byte", "byte_per_sector", overrides);
  overrides.emplace_back("dram.ecc=codeword");
  sweep(run, "ecc,full", "stream_store", overrides);
  sweep(run, "ecc,one_byte", "byte_per_sector", overrides);
}

}  // namespace gputlm::probes
