// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/pcie_card.h"

#include <utility>

#include "gputlm/tlm/host_window.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kPageOfHost = 4096;
/// The page of messages in the GPU's virtual addresses: the last one but one.
constexpr std::uint64_t kMessagePage = (std::uint64_t{1} << 49U) - 2 * kPageOfHost;

BuildOptions behind_a_link(BuildOptions options) {
  options.hosted = true;
  return options;
}

BusPortSpec aperture_spec(const Config& config) {
  BusPortSpec spec;
  spec.bytes = Apertures::kBar1Base + config.memory_bytes();
  spec.outstanding_lines = config.host.pcie.queue_lines;
  spec.byte_exact_loads = true;  // a register is read alone
  return spec;
}

std::unique_ptr<LooseBar> make_loose_bar(Gpu& gpu, const CardEngines& engines) {
  if (!gpu.config().loosely_timed()) return nullptr;
  return std::make_unique<LooseBar>(*gpu.mem.loose, engines.link, engines.bar1_port(gpu), gpu.config());
}

std::unique_ptr<LoosePort> make_loose_port(LooseBar* bar, BusPort& behind) {
  if (bar == nullptr) return nullptr;
  auto port = std::make_unique<LoosePort>("loose_pcie", bar->range());
  port->out.bind(behind.bus);
  return port;
}

}  // namespace

PcieCard::PcieCard(const sc_core::sc_module_name& name, const Config& config, BuildOptions options)
    : sc_module(name),
      gpu("gpu", config, behind_a_link(std::move(options))),
      engines("engines", gpu),
      from_cpu_("pcie", aperture_spec(config), gpu.mem.pool),
      to_host_("dma", kMessageAddress),
      loose_bar_(make_loose_bar(gpu, engines)),
      loose_port_(make_loose_port(loose_bar_.get(), from_cpu_)),
      pcie(loose_port_ ? loose_port_->in : from_cpu_.bus),
      dma(to_host_.memory),
      interrupt(to_host_.line),
      interrupt_messages(to_host_.values) {
  Wiring& w = gpu.mem.wiring;
  w.show(Wiring::arrow_name(from_cpu_.bus.name()), from_cpu_.bus.arrow);
  w.connect(from_cpu_.lines, engines.link.host);
  w.connect(engines.link.to_host, to_host_.requests);
  gpu.attach(from_cpu_);
  gpu.attach(to_host_);
  warp_observers.add(engines.operations);
  warp_observers.add(engines.blocks);
  lsu_observers.add(engines.blocks);
  for (const auto& sm : gpu.sms) {
    sm->scheduler.observer = &warp_observers;
    sm->lsu.observer = &lsu_observers;
  }
  map_host(kMessagePage, kMessageAddress / kPageOfHost * kPageOfHost, kPageOfHost);
  engines.engine.interrupt_address = kMessagePage + kMessageAddress % kPageOfHost;
}

void PcieCard::map_device(std::uint64_t gpu_virtual, std::uint64_t physical, std::uint64_t bytes) {
  gpu.pages.map(gpu_virtual, physical, bytes);
}

void PcieCard::map_host(std::uint64_t gpu_virtual, std::uint64_t host_physical, std::uint64_t bytes) {
  gpu.pages.map(gpu_virtual, kHostWindow + host_physical, bytes, kPageOfHost);
}

WaitList PcieCard::waits() const {
  WaitList waits;
  for (const Unit* unit : gpu.units()) unit->list_waits(waits);
  return waits;
}

}  // namespace gputlm
