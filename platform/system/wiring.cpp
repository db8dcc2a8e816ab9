// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/wiring.h"

namespace gputlm {

std::string Wiring::arrow_name(const std::string& initiator) {
  std::string name = initiator.substr(initiator.find('.') + 1);  // without the card's
  constexpr std::string_view kMemory = "mem.";
  return name.compare(0, kMemory.size(), kMemory) == 0 ? name.substr(kMemory.size()) : name;
}

FaultyArrow* Wiring::add_faults(const std::string& initiator) {
  FaultyArrow* faulty = nullptr;
  for (const InjectedFault& fault : faults_) {
    if (fault.place != arrow_name(initiator)) continue;
    if (faulty == nullptr) {
      const std::string name = "faults" + std::to_string(faulty_.size());
      faulty_.push_back(std::make_unique<FaultyArrow>(name.c_str(), pool_));
      faulty = faulty_.back().get();
    }
    faulty->add(fault);
  }
  return faulty;
}

std::vector<const InjectedFault*> Wiring::pending_faults() const {
  std::vector<const InjectedFault*> all;
  for (const auto& arrow : faulty_)
    for (const InjectedFault* fault : arrow->pending()) all.push_back(fault);
  return all;
}

FaultPlaces fault_places(const Config& config) {
  FaultPlaces places;
  std::vector<std::string>& names = places.arrows;
  const auto add = [&names](unsigned count, const auto& name) {
    for (unsigned i = 0; i < count; ++i) names.push_back(name(std::to_string(i)));
  };
  for (unsigned s = 0; s < config.sms; ++s) {
    const std::string sm = "sm" + std::to_string(s);
    add(config.warp.sub_partitions, [&](const std::string& i) { return sm + ".warps.access_" + i; });
    for (const char* arrow : {".lsu.line", ".l1.misses", ".mmu.physical"}) names.push_back(sm + arrow);
  }
  add(config.crossbar.slices, [](const std::string& i) { return "crossbar.slice" + i; });
  names.emplace_back("crossbar.system");
  for (const char* arrow : {".reads", ".writes"})
    add(config.crossbar.slices, [arrow](const std::string& i) { return "l2_" + i + arrow; });
  for (unsigned c = 0; c < config.dram.controllers; ++c)
    add(config.dram.channels_per_controller,
        [c](const std::string& i) { return "mc" + std::to_string(c) + ".channel_" + i; });
  for (unsigned i = 0; i < config.dram.controllers * config.dram.channels_per_controller; ++i)
    places.channels.push_back("channel" + std::to_string(i));
  return places;
}

}  // namespace gputlm
