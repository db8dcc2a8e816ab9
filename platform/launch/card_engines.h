// SPDX-License-Identifier: Apache-2.0
//
// The card's own end of the link, wired to its memory system: the PCIe link, host engine, work distributor and copy
// engine, the apertures through which the CPU sees the card, and what runs blocks on SMs.
//
// The card must have been built `hosted`. Its system port leads to the link, so system barriers and accesses of SMs to
// the host's memory travel there; engines reach the card's memory through the crossbar's hub ports, so through L2.
#pragma once

#include "gputlm/host/apertures.h"
#include "gputlm/host/copy_engine.h"
#include "gputlm/host/host_engine.h"
#include "gputlm/host/pcie_link.h"
#include "gputlm/host/work_distributor.h"
#include "gputlm/launch/block_runner.h"
#include "gputlm/launch/code_store.h"
#include "gputlm/launch/memory_operations.h"

namespace gputlm {

/// Where a GPU virtual address lies, by the card's page table.
class PageTableSpace : public GpuAddressSpace {
 public:
  PageTableSpace(const PageTable& pages, std::uint64_t device_bytes) : pages_(pages), device_bytes_(device_bytes) {}
  std::optional<GpuLocation> locate(std::uint64_t gpu_virtual) const override;
  std::uint64_t device_bytes() const override { return device_bytes_; }

 private:
  const PageTable& pages_;
  const std::uint64_t device_bytes_;
};

/// `link.host` is left to be bound to whoever is the CPU, `link.to_host` to the host's memory. `operations` and
/// `blocks` want to be told what the SMs' schedulers and load/store units do.
class CardEngines : public sc_core::sc_module {
 public:
  CardEngines(const sc_core::sc_module_name& name, Gpu& gpu);

 private:
  const PageTableSpace space_;

 public:
  PcieLink link;
  HostEngine engine;
  WorkDistributor distributor;
  CopyEngine copies;
  Apertures apertures;
  HostMemoryOperations operations;
  CodeStore codes;
  BlockRunner blocks;

  /// The port of the card's memory at which BAR1 comes in.
  static unsigned bar1_port(const Gpu& gpu);

 private:
  void wire(Gpu& gpu);
};

}  // namespace gputlm
