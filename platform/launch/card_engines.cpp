// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/card_engines.h"

#include <initializer_list>

#include "gputlm/tlm/host_window.h"

namespace gputlm {
namespace {

/// Ports of the link on the card's side.
enum LinkPort : unsigned { kFromCrossbar, kFromEngine, kFromDistributor, kFromCopies, kFromBarriers, kLinkPorts };
/// Hub ports of the crossbar.
enum HubPort : unsigned { kEngineHub, kDistributorHub, kCopyHub, kBar1Hub };
static_assert(kBar1Hub + 1 == kHubPorts);

}  // namespace

std::optional<GpuLocation> PageTableSpace::locate(std::uint64_t gpu_virtual) const {
  const std::optional<std::uint64_t> physical = pages_.translate(gpu_virtual);
  if (!physical) return std::nullopt;
  if (in_host_window(*physical)) return GpuLocation{true, *physical - kHostWindow};
  return GpuLocation{false, *physical};
}

CardEngines::CardEngines(const sc_core::sc_module_name& name, Gpu& gpu)
    : sc_module(name),
      space_(gpu.pages, gpu.config().memory_bytes()),
      link("link", gpu.config().host, kLinkPorts, gpu.mem.pool),
      engine("engine", gpu.config().host.engine, gpu.mem.pool, space_),
      distributor("distributor", gpu.config().host.distributor, gpu.mem.pool, space_),
      copies("copies", gpu.config().host.copy, gpu.mem.pool, space_),
      apertures("apertures", gpu.config().memory_bytes()),
      operations("operations", gpu),
      blocks(gpu, distributor, codes) {
  wire(gpu);
  engine.compute = &distributor;
  engine.copies = &copies;
  engine.memory = distributor.memory = copies.memory = &operations;
  distributor.sms = &blocks;
  for (Unit* unit : std::initializer_list<Unit*>{&engine, &distributor, &copies, &operations, &apertures, &link})
    gpu.attach(*unit);
}

unsigned CardEngines::bar1_port(const Gpu& gpu) {
  return gpu.config().crossbar.sm_ports + kBar1Hub;
}

void CardEngines::wire(Gpu& gpu) {
  Wiring& w = gpu.mem.wiring;
  MemorySystem& memory = gpu.mem;
  const std::size_t hub = gpu.config().crossbar.sm_ports;
  w.connect(memory.crossbar.system, *link.device[kFromCrossbar]);
  w.connect(engine.dma.host, *link.device[kFromEngine]);
  w.connect(distributor.dma.host, *link.device[kFromDistributor]);
  w.connect(copies.dma.host, *link.device[kFromCopies]);
  w.connect(operations.barriers, *link.device[kFromBarriers]);
  memory.connect(engine.dma.device, hub + kEngineHub);
  memory.connect(distributor.dma.device, hub + kDistributorHub);
  memory.connect(copies.dma.device, hub + kCopyHub);
  memory.connect(apertures.bar1, bar1_port(gpu));
  w.connect(apertures.usermode, engine.doorbell);
  w.connect(link.to_device, apertures.requests);
}

}  // namespace gputlm
