// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem: its ports for other people's initiators.
#include <algorithm>
#include <stdexcept>
#include <string>

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
