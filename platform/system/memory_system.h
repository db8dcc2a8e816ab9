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
#include "gputlm/loose/loose_memory.h"
#include "gputlm/ports/bus_port.h"
#include "gputlm/ports/width_adapters.h"
#include "gputlm/system/wiring.h"
#include "gputlm/tlm/tie_off.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

struct SavedState;
struct SavedWay;

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

/// Headline counts of all slices; the peak of a set is the largest, the other peak the sum of the slices'.
struct L2Totals {
  std::uint64_t loads = 0, load_hits = 0, stores = 0, store_hits = 0, write_backs = 0, janitor_cleans = 0;
  std::uint64_t dirty_lines_peak = 0;
  unsigned dirty_lines_per_set_peak = 0;
};

/// Crossbar to DRAM, with physical addresses. SM ports are those of connect() for line transactions, port(i) in front
/// of them for any; those that nobody binds are tied off.
///
/// With `timing: loose` a LooseMemory stands in front of the crossbar and answers for it, the slices and DRAM; they
/// hold nothing then, but for the contents of DRAM.
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
  std::unique_ptr<LooseMemory> loose;                    ///< Null unless `timing: loose`.

  const Config& config() const { return config_; }

  // -- For other people's initiators
  /// Binds an initiator of line transactions to an SM port, or behind those to a hub port. During elaboration.
  template <class Initiator>
  void connect(Initiator& initiator, std::size_t i) {
    if (loose)
      wiring.connect(initiator, *loose->in[i]);
    else
      wiring.connect(initiator, *crossbar.sm[i]);
  }
  /// SM port i as a socket of 32 bits for any base-protocol initiator; made on the first call, during elaboration; the
  /// same one on every call. With `timing: loose` it is that of loose_port(). A port is of one kind: SC_REPORT_ERROR
  /// for another than it was first asked for. Throws std::out_of_range beyond the SM ports, std::logic_error where
  /// something else is bound already.
  tlm::tlm_target_socket<32>& port(std::size_t i);
  /// The same of another width.
  template <unsigned BUSWIDTH>
  tlm::tlm_target_socket<BUSWIDTH>& port(std::size_t i) {
    return widths_.of<BUSWIDTH>(port_behind_adapter(i, BUSWIDTH), "port" + std::to_string(i));
  }
  /// The unit behind port(i).
  BusPort& bus_port(std::size_t i);
  /// SM port i for bringing up software: b_transport of reads and writes is answered loosely timed, at once and with an
  /// estimate of the time; everything else as by port(i). Otherwise as port(i).
  tlm::tlm_target_socket<32>& loose_port(std::size_t i);
  /// The estimate that loose ports and `timing: loose` share; made on the first call.
  LooseTiming& loose_timing();

  // -- The host's side of L2
  /// Starts the write-back of every line that is dirty now; they stay, clean. Done when !flushing().
  void flush();
  bool flushing() const;
  /// Drops every line of L2 that is clean and not on its way in or out.
  void invalidate_clean();

  // -- Warmed contents
  /// Writes what DRAM and L2 hold to a file (docs/integration.md), which a memory system with the same addresses can be
  /// given. Throws std::logic_error unless idle, ConfigError when the file cannot be written.
  void save(const std::string& file) const;
  /// Holds what the file says and nothing else, from now on; caches above are told. Throws std::logic_error unless
  /// idle, ConfigError for a file that is damaged or of another version or configuration: then nothing has changed. How
  /// the two memory systems are timed does not matter.
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

  L2Totals l2_totals() const;
  DramBytes dram_bytes() const;
  std::uint64_t dirty_bytes() const;
  std::uint64_t dirty_lines() const;
  /// Bytes the DRAM can move per nanosecond, all channels.
  double peak_bytes_per_ns() const;

 private:
  void before_end_of_elaboration() override;
  /// What the slices of a controller may know of it.
  MemoryView view_of(const MemoryController& controller) const;
  void put_loose_memory_in_front();
  // memory_state.cpp
  void save_slices(SavedState& state) const;
  void save_directory(SavedState& state) const;
  void restore_slices(const SavedState& state);
  void restore_directory(std::vector<SavedWay>& ways);
  // memory_ports.cpp
  /// The port at the card's edge: of what answers there.
  tlm::tlm_target_socket<32>& entry(std::size_t i);
  bool is_bound(std::size_t i);
  /// Notes that port i is given out as `kind`; reports when it was given out as another one before.
  void give_out(std::size_t i, const std::string& kind);
  LoosePort& loose_port_unit(std::size_t i);
  tlm::tlm_target_socket<32>& port_behind_adapter(std::size_t i, unsigned width);

  std::map<std::size_t, std::unique_ptr<BusPort>> ports_;
  std::map<std::size_t, std::string> kinds_;  ///< As what a port was given out.
  std::map<std::size_t, std::unique_ptr<LoosePort>> loose_ports_;
  std::unique_ptr<LooseTiming> loose_timing_;
  WidthAdapters widths_{*this};
  std::vector<std::unique_ptr<TieOff>> tie_offs_;
};

}  // namespace gputlm
