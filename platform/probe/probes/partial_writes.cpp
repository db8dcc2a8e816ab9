// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

void sweep(ProbeRun& run, const std::string& name, const std::string& pattern,
           const std::vector<std::string>& overrides) {
  const Measurement m = run.measure({{"pattern", pattern}}, overrides, Recording::counters);
  run.row(name + ",written_bytes", m.sum("channel", "bytes_written"), "B");
  run.row(name + ",enabled_bytes", m.sum("channel", "bytes_enabled"), "B");
  run.row(name + ",read_bytes", 32 * m.sum("channel", "columns_read"), "B");
  run.row(name + ",unmasked_writes", m.sum("channel", "writes_unmasked"), "command");
  run.row(name + ",double_byte_masked_writes", m.sum("channel", "writes_double_byte"), "command");
  run.row(name + ",single_byte_masked_writes", m.sum("channel", "writes_single_byte"), "command");
  run.row(name + ",time", m.phases.at(0).duration_ns(), "ns");
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
