// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem: its ports for other people's initiators.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "gputlm/ports/loose_port.h"
#include "gputlm/system/memory_system.h"

namespace gputlm {
namespace {

BusPortSpec port_spec(const Config& config) {
  BusPortSpec spec;
  spec.bytes = config.memory_bytes();
  spec.outstanding_lines = config.l1.fill_sectors / kSectorsPerLine;  // what an SM may have on its way
  spec.byte_exact_loads = config.lsu.byte_exact_loads;
  return spec;
}

LooseSpec loose_spec(const Config& config) {
  const CrossbarSpec& x = config.crossbar;
  const DramTimingSpec& t = config.dram.timing;
  const auto clocks = [&t](unsigned n) { return cycles_to_fs(n, t.clock_hz); };
  LooseSpec spec;
  spec.ports = x.sm_ports;
  spec.slices = x.slices;
  spec.channels = config.dram.controllers * config.dram.channels_per_controller;
  spec.sets = config.l2.sets;
  spec.ways = config.l2.ways;
  spec.request_latency = x.request_latency;
  spec.response_latency = x.response_latency;
  spec.load_latency = config.l2.load_latency;
  spec.store_latency = config.l2.store_latency;
  spec.fetch_latency = config.dram.request_latency + clocks(t.tRCDRD + t.tCL + t.burst) + config.dram.response_latency;
  spec.fetch_sector = clocks(t.tCCDL);
  spec.port_header = cycles_to_fs(1.0 / x.sm_requests_per_cycle, x.clock_hz);
  spec.port_sector_in = cycles_to_fs(kSectorBytes / x.sm_request_bytes_per_cycle, x.clock_hz);
  spec.port_sector_out = cycles_to_fs(kSectorBytes / x.sm_response_bytes_per_cycle, x.clock_hz);
  spec.slice_request = cycles_to_fs(1.0 / config.l2.requests_per_cycle, config.l2.clock_hz);
  spec.channel_sector = clocks(t.burst);
  return spec;
}

}  // namespace

BusPort& MemorySystem::bus_port(std::size_t i) {
  if (const auto made = ports_.find(i); made != ports_.end()) return *made->second;
  const std::string port = std::string(name()) + ".port(" + std::to_string(i) + ")";
  if (i >= config_.crossbar.sm_ports)
    throw std::out_of_range(port + ": the crossbar has " + std::to_string(config_.crossbar.sm_ports) + " SM ports");
  if (crossbar.sm[i]->get_base_port().bind_count() > 0)
    throw std::logic_error(port + ": the crossbar's port is bound to something else");
  const HierarchyScope scope(*this);
  auto made = std::make_unique<BusPort>(("port" + std::to_string(i)).c_str(), port_spec(config_), pool);
  wiring.show(Wiring::arrow_name(made->bus.name()), made->bus.arrow);
  wiring.connect(made->lines, *crossbar.sm[i]);
  return *(ports_[i] = std::move(made));
}

tlm::tlm_target_socket<32>& MemorySystem::loose_port(std::size_t i) {
  if (const auto made = loose_ports_.find(i); made != loose_ports_.end()) return made->second->in;
  BusPort& behind = bus_port(i);
  if (!loose_timing_) {
    LooseSpec spec = loose_spec(config_);
    spec.place_of = [this](std::uint64_t line) {
      const unsigned slice = slice_of(line);
      const unsigned controller = slice / config_.crossbar.slices_per_controller;
      const unsigned channel = controller * config_.dram.channels_per_controller + dram_map->channel_of(line);
      return LoosePlace{slice, set_of(line), channel};
    };
    loose_timing_ = std::make_unique<LooseTiming>(spec);
  }
  const HierarchyScope scope(*this);
  auto made = std::make_unique<LoosePort>(("loose_port" + std::to_string(i)).c_str(), *loose_timing_,
                                          static_cast<unsigned>(i), config_.memory_bytes());
  made->out.bind(behind.bus);
  return (loose_ports_[i] = std::move(made))->in;
}

void MemorySystem::before_end_of_elaboration() {
  for (std::size_t i = 0; i < config_.crossbar.sm_ports; ++i) {
    if (crossbar.sm[i]->get_base_port().bind_count() > 0) continue;
    tie_offs_.push_back(std::make_unique<TieOff>("tie_off_" + std::to_string(i)));
    tie_offs_.back()->bind(*crossbar.sm[i]);
  }
}

bool MemorySystem::idle() const {
  const auto all = units();
  return std::all_of(all.begin(), all.end(), [](const Unit* u) { return u->idle(); });
}

WaitList MemorySystem::waits() const {
  WaitList waits;
  for (const Unit* u : units()) u->list_waits(waits);
  return waits;
}

}  // namespace gputlm
