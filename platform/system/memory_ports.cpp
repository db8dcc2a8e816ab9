// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem: its ports for other people's initiators.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "gputlm/loose/loose_port.h"
#include "gputlm/system/memory_system.h"
#include "gputlm/tlm/hierarchy_scope.h"

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

tlm::tlm_target_socket<32>& MemorySystem::entry(std::size_t i) {
  if (loose) return *loose->in[i];
  return *crossbar.sm[i];
}

bool MemorySystem::is_bound(std::size_t i) {
  return entry(i).get_base_port().bind_count() > 0;
}

void MemorySystem::give_out(std::size_t i, const std::string& kind) {
  bus_port(i);  // first of all, there has to be one
  const std::string& first = kinds_.emplace(i, kind).first->second;
  if (first == kind) return;
  refuse_second_binding(name(), "port " + std::to_string(i) + " was given out as " + first +
                                    " and is now asked for as " + kind + ": one port, one socket");
}

BusPort& MemorySystem::bus_port(std::size_t i) {
  if (const auto made = ports_.find(i); made != ports_.end()) return *made->second;
  const std::string port = std::string(name()) + ".port(" + std::to_string(i) + ")";
  if (i >= config_.crossbar.sm_ports)
    throw std::out_of_range(port + ": the crossbar has " + std::to_string(config_.crossbar.sm_ports) + " SM ports");
  if (is_bound(i)) throw std::logic_error(port + ": the crossbar's port is bound to something else");
  const HierarchyScope scope(*this);
  auto made = std::make_unique<BusPort>(("port" + std::to_string(i)).c_str(), port_spec(config_), pool);
  wiring.show(Wiring::arrow_name(made->bus.name()), made->bus.arrow);
  connect(made->lines, i);
  return *(ports_[i] = std::move(made));
}

tlm::tlm_target_socket<32>& MemorySystem::port(std::size_t i) {
  if (loose) return loose_port(i);
  give_out(i, "port()");
  return bus_port(i).bus;
}

tlm::tlm_target_socket<32>& MemorySystem::port_behind_adapter(std::size_t i, unsigned width) {
  give_out(i, "port<" + std::to_string(width) + ">()");
  if (loose) return loose_port_unit(i).in;
  return bus_port(i).bus;
}

tlm::tlm_target_socket<32>& MemorySystem::loose_port(std::size_t i) {
  give_out(i, "loose_port()");
  return loose_port_unit(i).in;
}

LoosePort& MemorySystem::loose_port_unit(std::size_t i) {
  if (const auto made = loose_ports_.find(i); made != loose_ports_.end()) return *made->second;
  BusPort& behind = bus_port(i);
  LooseTiming& timing = loose_timing();
  const auto number = static_cast<unsigned>(i);
  LooseRange range{0, config_.memory_bytes(), {}};
  if (loose) {
    range.access = [this, number](const LoosePiece& piece, Fs at) { return loose->access(number, piece, at); };
  } else {
    // The slices behind hold bytes: debug access is the way past them that is coherent.
    range.access = [this, &behind, &timing, number](const LoosePiece& piece, Fs at) {
      as_line(piece, pool, [&behind](Payload& line) { behind.lines->transport_dbg(line); });
      const Operation operation = piece.reads ? Operation::load : Operation::store;
      return timing.access({number, piece.line, timing.place_of(piece.line), piece.mask, operation}, at).answered;
    };
  }
  const HierarchyScope scope(*this);
  auto made = std::make_unique<LoosePort>(("loose_port" + std::to_string(i)).c_str(), range);
  made->out.bind(behind.bus);
  return *(loose_ports_[i] = std::move(made));
}

LooseTiming& MemorySystem::loose_timing() {
  if (loose_timing_) return *loose_timing_;
  LooseSpec spec = loose_spec(config_, static_cast<unsigned>(crossbar.sm.size()) - config_.crossbar.sm_ports);
  spec.place_of = [this](std::uint64_t line) {
    const unsigned slice = slice_of(line);
    const unsigned controller = slice / config_.crossbar.slices_per_controller;
    const unsigned channel = controller * config_.dram.channels_per_controller + dram_map->locate(line).channel;
    return LoosePlace{slice, set_of(line), channel};
  };
  loose_timing_ = std::make_unique<LooseTiming>(spec);
  return *loose_timing_;
}

void MemorySystem::put_loose_memory_in_front() {
  const auto ports = static_cast<unsigned>(crossbar.sm.size());
  loose =
      std::make_unique<LooseMemory>("loose", ports, config_.crossbar.sm_request_depth, loose_timing(), memory, pool);
  for (unsigned i = 0; i < ports; ++i) wiring.connect(*loose->out[i], *crossbar.sm[i]);
}

void MemorySystem::before_end_of_elaboration() {
  for (std::size_t i = 0; i < config_.crossbar.sm_ports; ++i) {
    if (is_bound(i)) continue;
    tie_offs_.push_back(std::make_unique<TieOff>("tie_off_" + std::to_string(i)));
    tie_offs_.back()->bind(entry(i));
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
