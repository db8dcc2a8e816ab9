// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/memory_system.h"

#include <algorithm>
#include <string>

#include "gputlm/loose/loose_port.h"

namespace gputlm {
namespace {

std::string channel_name(std::size_t number) {
  return "channel" + std::to_string(number);
}

bool befalls(const InjectedFault& fault, std::size_t channel) {
  return fault.kind == FaultKind::early && fault.place == channel_name(channel);
}

// What a channel goes by. The command checker goes by the card's.
DramSpec spec_of_channel(const DramSpec& card, std::size_t channel, const std::vector<InjectedFault>& faults) {
  DramSpec spec = card;
  if (std::none_of(faults.begin(), faults.end(), [&](const InjectedFault& f) { return befalls(f, channel); }))
    return spec;
  for (unsigned* clocks : {&spec.timing.tRCDRD, &spec.timing.tRCDWR}) *clocks -= std::min(*clocks, 1U);
  return spec;
}

CrossbarSpec crossbar_of(const Config& config, const BuildOptions& options) {
  CrossbarSpec spec = config.crossbar;
  if (options.hosted) spec.hub_ports = kHubPorts;
  return spec;
}

}  // namespace

MemorySystem::MemorySystem(const sc_core::sc_module_name& name, const Config& config, const BuildOptions& options)
    : sc_module(name),
      config_(config),
      faults_(options.faults),
      wiring(options.check_protocol, faults_, pool),
      memory(config.dram.capacity),
      crossbar("crossbar", crossbar_of(config_, options)) {
  const DramSpec& dram = config_.dram;
  if (options.check_protocol) commands = std::make_unique<CommandChecker>(dram);
  dram_map = DramMap::make(dram, [this](std::uint64_t physical) {
    return crossbar.slice_of(physical) / config_.crossbar.slices_per_controller;
  });
  for (unsigned s = 0; s < config_.crossbar.slices; ++s) {
    slices.push_back(std::make_unique<L2Slice>(("l2_" + std::to_string(s)).c_str(), config_.l2, s, pool));
    wiring.connect(*crossbar.slice[s], slices[s]->requests);
  }
  if (!options.hosted) {
    host = std::make_unique<OrderingPoint>("host", config_.host);
    wiring.connect(crossbar.system, host->barriers);
  }
  for (unsigned c = 0; c < dram.controllers; ++c) {
    controllers.push_back(
        std::make_unique<MemoryController>(("mc" + std::to_string(c)).c_str(), dram, c, pool, *dram_map));
    MemoryController& controller = *controllers.back();
    for (unsigned i = 0; i < dram.slices_per_controller; ++i) {
      L2Slice& slice = *slices[c * dram.slices_per_controller + i];
      slice.set_memory_view(view_of(controller));
      wiring.connect(slice.reads, *controller.reads[i]);
      wiring.connect(slice.writes, *controller.writes[i]);
    }
    for (unsigned i = 0; i < dram.channels_per_controller; ++i) {
      const std::size_t n = channels.size();
      channels.push_back(std::make_unique<Gddr6xChannel>(channel_name(n).c_str(), spec_of_channel(dram, n, faults_), c,
                                                         i, *dram_map, memory));
      channels.back()->set_observer(commands.get());
      wiring.connect(*controller.channels[i], channels.back()->commands);
    }
  }
  if (config_.loosely_timed()) put_loose_memory_in_front();
}

MemorySystem::~MemorySystem() = default;

MemoryView MemorySystem::view_of(const MemoryController& controller) const {
  const auto row_of = [this](std::uint64_t line) {
    const DramSpec& dram = config_.dram;
    const DramLocation at = dram_map->locate(line);
    return (at.row * dram.bank_groups * dram.banks_per_group + at.bank) * dram.channels_per_controller + at.channel;
  };
  return {row_of, [&controller] { return controller.idle(); }};
}

bool MemorySystem::debug_read(std::uint64_t physical_line, unsigned char* data) {
  if (!memory.contains(physical_line)) return false;
  const PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, physical_line, Operation::load);
  p->set_data_ptr(data);
  return (*crossbar.slice[slice_of(physical_line)])->transport_dbg(*p) == kLineBytes;
}

std::vector<const InjectedFault*> MemorySystem::pending_faults() const {
  std::vector<const InjectedFault*> all = wiring.pending_faults();
  for (const InjectedFault& fault : faults_)
    for (std::size_t i = 0; i < channels.size(); ++i)
      if (befalls(fault, i) && channels[i]->bank_statistics().activates == 0) all.push_back(&fault);
  return all;
}

std::vector<Unit*> MemorySystem::units() const {
  std::vector<Unit*> all;
  for (const auto& [number, port] : ports_) all.push_back(port.get());
  if (loose) all.push_back(loose.get());
  all.push_back(const_cast<Crossbar*>(&crossbar));
  for (const auto& u : slices) all.push_back(u.get());
  for (const auto& u : controllers) all.push_back(u.get());
  for (const auto& u : channels) all.push_back(u.get());
  if (host) all.push_back(host.get());
  return all;
}

void MemorySystem::reset() {
  for (Unit* u : units()) u->reset();
  for (const auto& c : wiring.checkers()) c->reset();
  if (commands) commands->reset();
  if (loose_timing_) loose_timing_->reset();
  memory.clear();
}

void MemorySystem::flush() {
  if (loose) return loose->flush();
  for (const auto& slice : slices) slice->flush();
}

bool MemorySystem::flushing() const {
  if (loose) return loose->flushing();
  const auto rests = [](const auto& unit) { return unit->idle(); };
  return std::any_of(slices.begin(), slices.end(), [](const auto& s) { return s->flushing() || !s->idle(); }) ||
         !std::all_of(controllers.begin(), controllers.end(), rests) ||
         !std::all_of(channels.begin(), channels.end(), rests);
}

void MemorySystem::invalidate_clean() {
  if (loose_timing_) loose_timing_->invalidate_clean();
  for (const auto& slice : slices) slice->invalidate_clean();
}

}  // namespace gputlm
