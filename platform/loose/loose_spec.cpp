// SPDX-License-Identifier: Apache-2.0
#include "gputlm/loose/loose_spec.h"

#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

std::vector<Fs> positions(const std::vector<double>& cycles, double clock_hz) {
  std::vector<Fs> times;
  for (const double c : cycles) times.push_back(c == 0 ? 0 : cycles_to_fs(c, clock_hz));
  return times;
}

void describe_network(LooseSpec& spec, const CrossbarSpec& x) {
  spec.request_latency = x.request_latency;
  spec.response_latency = x.response_latency;
  spec.port_position = positions(x.sm_position, x.clock_hz);
  spec.slice_position = positions(x.slice_position, x.clock_hz);
  spec.port_header = cycles_to_fs(1.0 / x.sm_requests_per_cycle, x.clock_hz);
  spec.port_sector_in = cycles_to_fs(kSectorBytes / x.sm_request_bytes_per_cycle, x.clock_hz);
  spec.port_sector_out = cycles_to_fs(kSectorBytes / x.sm_response_bytes_per_cycle, x.clock_hz);
}

void describe_slices(LooseSpec& spec, const L2Spec& l2) {
  spec.sets = l2.sets;
  spec.ways = l2.ways;
  spec.load_latency = l2.load_latency;
  spec.store_latency = l2.store_latency;
  spec.atomic_latency = l2.atomic_latency;
  spec.atomic_interval = cycles_to_fs(l2.atomic_same_word_cycles, l2.clock_hz);
  spec.slice_request = cycles_to_fs(1.0 / l2.requests_per_cycle, l2.clock_hz);
  spec.slice_sector_in = cycles_to_fs(kSectorBytes / l2.store_bytes_per_cycle, l2.clock_hz);
  spec.slice_sector_out = cycles_to_fs(kSectorBytes / l2.load_bytes_per_cycle, l2.clock_hz);
  spec.serve_valid = l2.partial_sector_load != "fetch";
}

void describe_dram(LooseSpec& spec, const DramSpec& dram) {
  const DramTimingSpec& t = dram.timing;
  const auto clocks = [&t](unsigned n) { return cycles_to_fs(n, t.clock_hz); };
  spec.channels = dram.controllers * dram.channels_per_controller;
  spec.fetch_latency = dram.request_latency + clocks(t.tRCDRD + t.tCL + t.burst) + dram.response_latency;
  spec.fetch_sector = clocks(t.tCCDL);
  spec.channel_sector = clocks(t.burst);
  spec.write_backlog = dram.write_queue_entries / dram.channels_per_controller * kSectorsPerLine * spec.channel_sector;
}

}  // namespace

LooseSpec loose_spec(const Config& config, unsigned hub_ports) {
  LooseSpec spec;
  spec.ports = config.crossbar.sm_ports + hub_ports;
  spec.slices = config.crossbar.slices;
  describe_network(spec, config.crossbar);
  describe_slices(spec, config.l2);
  describe_dram(spec, config.dram);
  return spec;
}

}  // namespace gputlm
