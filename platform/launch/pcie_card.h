// SPDX-License-Identifier: Apache-2.0
//
// A whole card for somebody else's platform, behind three sockets of the plain base protocol: what a PCIe slot has.
//
//   pcie       the host's CPU (or its bus) reads and writes the card: the usermode region with the doorbell at
//              Apertures::kUsermodeBase, the card's memory at Apertures::kBar1Base. Any shape of transaction.
//   dma        the card reads and writes the host's memory, by host physical addresses: READ and WRITE of 128 bytes,
//              line-aligned, with byte enables.
//   interrupt  a pulse for each message that the card sends.
//
// With `timing: loose`, b_transport on `pcie` reads and writes BAR1 at once, with an estimate of the time.
//
// The link between is inside: requests are late by its latency, stores are posted, order is PCIe's. What a driver sets
// up through the card's firmware is a call here: the page table, channels, and which code stands where.
#pragma once

#include "gputlm/judge/observer_list.h"
#include "gputlm/launch/card_engines.h"
#include "gputlm/launch/loose_bar.h"
#include "gputlm/loose/loose_port.h"
#include "gputlm/ports/bus_port.h"
#include "gputlm/ports/message_interrupt.h"

namespace gputlm {

class PcieCard : public sc_core::sc_module {
 public:
  /// Where interrupt messages go in the host's physical addresses: what x86 hosts reserve for it. `dma` never carries
  /// a message.
  static constexpr std::uint64_t kMessageAddress = 0xfee0'0000;

  /// `options.hosted` is implied.
  PcieCard(const sc_core::sc_module_name& name, const Config& config, BuildOptions options = {});

  Gpu gpu;
  CardEngines engines;

 private:
  BusPort from_cpu_;
  MessageInterrupt to_host_;
  std::unique_ptr<LooseBar> loose_bar_;  ///< Both null unless `timing: loose`.
  std::unique_ptr<LoosePort> loose_port_;
  WidthAdapters widths_{*this};

 public:
  tlm::tlm_target_socket<32>& pcie;
  InitiatorSocket<MessageInterrupt>& dma;
  sc_core::sc_signal<bool>& interrupt;
  /// The channel's number, with each pulse.
  tlm::tlm_analysis_port<std::uint32_t>& interrupt_messages;

  /// `pcie` and `dma` as sockets of BUSWIDTH bits; the same on every call. During elaboration, in their place.
  template <unsigned BUSWIDTH>
  tlm::tlm_target_socket<BUSWIDTH>& pcie_port() {
    return widths_.of<BUSWIDTH>(pcie, "pcie");
  }
  template <unsigned BUSWIDTH>
  tlm::tlm_initiator_socket<BUSWIDTH>& dma_port() {
    return widths_.of<BUSWIDTH>(dma, "dma");
  }

  /// Told of SMs; add before the first launch.
  WarpObserverList warp_observers;
  LsuObserverList lsu_observers;

  // -- What firmware would do for a driver
  /// Maps GPU virtual addresses to the card's memory, in pages of the card's size. Throws std::invalid_argument.
  void map_device(std::uint64_t gpu_virtual, std::uint64_t physical, std::uint64_t bytes);
  /// Maps them to the host's memory, in pages of 4 KiB.
  void map_host(std::uint64_t gpu_virtual, std::uint64_t host_physical, std::uint64_t bytes);
  /// Throws std::invalid_argument for a number or token that is taken.
  void open_channel(const ChannelSetup& setup) { engines.engine.open(setup); }
  /// Channel errors go to `observer`, besides notifier and interrupt.
  void watch_errors(ChannelErrorObserver& observer) { engines.engine.errors = &observer; }

  /// Nothing is queued or in flight.
  bool idle() const { return gpu.idle(); }
  /// What waits, in the order of the road.
  WaitList waits() const;
};

}  // namespace gputlm
