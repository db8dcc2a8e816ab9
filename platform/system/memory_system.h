// SPDX-License-Identifier: Apache-2.0
//
// The memory side of the card, wired: crossbar, L2 slices, memory controllers, DRAM channels, backing store and the
// host's ordering point. Counts come from the configuration, so one slice and one controller are the same code.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/crossbar/crossbar.h"
#include "gputlm/dram/gddr6x_channel.h"
#include "gputlm/dram/memory_controller.h"
#include "gputlm/dram/sparse_memory.h"
#include "gputlm/dram_checker/command_checker.h"
#include "gputlm/host/ordering_point.h"
#include "gputlm/l2/l2_slice.h"
#include "gputlm/ports/bus_port.h"
#include "gputlm/ports/width_adapter.h"
#include "gputlm/system/wiring.h"
#include "gputlm/tlm/hierarchy_scope.h"
#include "gputlm/tlm/tie_off.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

class LoosePort;
class LooseTiming;

/// How a platform is put together; without faults nothing here changes what it computes.
struct BuildOptions {
  bool check_protocol = false;        ///< A protocol checker on every arrow, a command checker on every DRAM channel.
  bool judge_fences = false;          ///< A fence judge on all SMs; comes with check_protocol, too.
  bool hosted = false;                ///< A HostSide follows: it binds the crossbar's hub ports and system port.
  std::vector<InjectedFault> faults;  ///< Each happens at its place.
};

/// Hub ports of a hosted card: host engine, work distributor, copy engine, BAR1.
inline constexpr unsigned kHubPorts = 4;

/// What all channels have moved, 32 bytes a column.
struct DramBytes {
  std::uint64_t read = 0, written = 0;
  std::uint64_t enabled = 0;  ///< Of the writes, those not masked.
};

/// Crossbar to DRAM, with physical addresses. SM ports are `crossbar.sm[i]` for line transactions, port(i) in front of
/// them for any; those that nobody binds are tied off.
class MemorySystem : public sc_core::sc_module, public AddressOracle {
 public:
  MemorySystem(const sc_core::sc_module_name& name, const Config& config, const BuildOptions& options = {});
  ~MemorySystem() override;

 private:
  const Config config_;
  const std::vector<InjectedFault> faults_;

 public:
  PayloadPool pool;
  Wiring wiring;
  SparseMemory memory;
  Crossbar crossbar;
  std::unique_ptr<DramMap> dram_map;
  std::vector<std::unique_ptr<L2Slice>> slices;
  std::vector<std::unique_ptr<MemoryController>> controllers;
  std::unique_ptr<CommandChecker> commands;              ///< Of all channels; null unless checking was asked for.
  std::vector<std::unique_ptr<Gddr6xChannel>> channels;  ///< controller * channels_per_controller + channel
  std::unique_ptr<OrderingPoint> host;                   ///< Stands in for the host; null when the card is hosted.

  const Config& config() const { return config_; }

  // -- For other people's initiators
  /// SM port i as a socket of 32 bits for any base-protocol initiator; made on the first call, during elaboration.
  /// Throws std::out_of_range beyond the SM ports, std::logic_error where something else is bound already.
  TargetSocket<BusPort>& port(std::size_t i) { return bus_port(i).bus; }
  /// The same of another width.
  template <unsigned BUSWIDTH>
  tlm::tlm_target_socket<BUSWIDTH>& port(std::size_t i);
  /// The unit behind port(i).
  BusPort& bus_port(std::size_t i);
  /// SM port i for bringing up software: b_transport of reads and writes is answered loosely timed, at once and with an
  /// estimate of the time; everything else as by port(i). Made on the first call, during elaboration; throws as port().
  tlm::tlm_target_socket<32>& loose_port(std::size_t i);
  // -- Warmed contents
  /// Writes what DRAM and L2 hold to a file (docs/integration.md), which a memory system with the same addresses can be
  /// given. Throws std::logic_error unless idle, ConfigError when the file cannot be written.
  void save(const std::string& file) const;
  /// Holds what the file says and nothing else, from now on; caches above are told. Throws std::logic_error unless
  /// idle, ConfigError for a file that is damaged or of another configuration: then nothing has changed.
  void restore(const std::string& file);

  /// Nothing is queued or in flight anywhere.
  bool idle() const;
  /// What waits, in the order of the road; empty when idle.
  WaitList waits() const;

  unsigned slice_of(std::uint64_t physical) const override { return crossbar.slice_of(physical); }
  unsigned set_of(std::uint64_t physical) const override { return slices[slice_of(physical)]->set_of(physical); }

  /// Coherent bytes of a physical line now: L2 over write-backs over DRAM. No time passes. False beyond memory.
  bool debug_read(std::uint64_t physical_line, unsigned char* data);

  /// Faults whose moment has not come.
  std::vector<const InjectedFault*> pending_faults() const;

  /// Every unit, in the order of the road.
  std::vector<Unit*> units() const;
  /// All units to power-on and every payload back in the pool; the initial image stays.
  void reset();

  DramBytes dram_bytes() const;
  std::uint64_t dirty_bytes() const;
  std::uint64_t dirty_lines() const;
  /// Bytes the DRAM can move per nanosecond, all channels.
  double peak_bytes_per_ns() const;

 private:
  void before_end_of_elaboration() override;
  /// What the slices of a controller may know of it.
  MemoryView view_of(const MemoryController& controller) const;

  std::map<std::size_t, std::unique_ptr<BusPort>> ports_;
  std::map<std::size_t, std::unique_ptr<LoosePort>> loose_ports_;
  std::unique_ptr<LooseTiming> loose_timing_;
  std::vector<std::unique_ptr<sc_core::sc_module>> width_adapters_;
  std::vector<std::unique_ptr<TieOff>> tie_offs_;
};

template <unsigned BUSWIDTH>
tlm::tlm_target_socket<BUSWIDTH>& MemorySystem::port(std::size_t i) {
  BusPort& behind = bus_port(i);
  const HierarchyScope scope(*this);
  const std::string name = "port" + std::to_string(i) + "_of_" + std::to_string(BUSWIDTH);
  auto adapter = std::make_unique<WidthAdapter<BUSWIDTH>>(name.c_str());
  adapter->out.bind(behind.bus);
  tlm::tlm_target_socket<BUSWIDTH>& in = adapter->in;
  width_adapters_.push_back(std::move(adapter));
  return in;
}

}  // namespace gputlm
