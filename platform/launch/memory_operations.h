// SPDX-License-Identifier: Apache-2.0
//
// The barriers and flushes that the host's units ask of the memory system.
//
// A membar waits until what SMs stored before it is acknowledged, and one of system scope then crosses the link as a
// barrier of its own, behind every earlier store to the host. It waits for exactly those stores: each is counted with
// the number of membars before it, so a kernel that never stops storing holds nobody up. The engines' own writes are
// answered before they go on.
//
// A flush starts every slice's and looks again until all dirty lines are in DRAM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gputlm/host/engine_ports.h"
#include "gputlm/system/gpu.h"

namespace gputlm {

/// Add it to the observers of all schedulers.
class HostMemoryOperations : public Unit, public MemoryOperations, public WarpObserver {
 public:
  HostMemoryOperations(const sc_core::sc_module_name& name, Gpu& gpu);

  InitiatorSocket<HostMemoryOperations> barriers;  ///< To the link.

  void membar(bool system, WorkDone done) override;
  void flush_l2(WorkDone done) override;

  void on_issue(unsigned sm, unsigned warp, std::uint32_t index, const WarpInstruction& instruction) override;
  void on_access_done(unsigned sm, const Payload& access) override;

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return membars_.empty() && to_send_.empty() && crossing_.empty() && flushes_.empty(); }
  void list_waits(WaitList& waits) const override;

  // Socket owner.
  void on_accepted(std::size_t port, Payload& p, Fs delay);
  bool on_response(std::size_t port, Payload& p, Fs delay);
  void on_debug_written(std::size_t, std::uint64_t, std::uint64_t) {}

 private:
  /// A warp's store, reduction or atomic.
  struct Store {
    explicit Store(const Origin& o) : kernel(o.kernel), cta(o.cta), instruction(o.instruction), warp(o.warp) {}
    std::uint32_t kernel, cta, instruction;
    std::uint16_t warp;  ///< Slot, in the one SM that has the CTA.
    bool operator==(const Store& o) const {
      return kernel == o.kernel && cta == o.cta && instruction == o.instruction && warp == o.warp;
    }
  };
  struct StoreHash {
    std::size_t operator()(const Store& s) const {
      constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;  // spreads what differs in low bits only
      return ((std::size_t{s.cta} << 32U | s.instruction) * kOdd ^ s.kernel) * kOdd ^ s.warp;
    }
  };
  struct Membar {
    bool system = false;
    WorkDone done;
    Fs since = 0;
    std::uint64_t number = 0;
    std::size_t stores = 0;  ///< Of those before it, not acknowledged.
  };
  struct Crossing {
    PayloadRef barrier;
    WorkDone done;
    Fs since = 0;
  };

  void run();
  void send();
  void look_at_flush();

  Gpu& gpu_;
  std::unordered_map<Store, std::uint64_t, StoreHash> under_way_;  ///< With the number of membars before them.
  std::vector<Membar> membars_;
  Ring<Membar> to_send_;  ///< Their stores are acknowledged.
  std::vector<Crossing> crossing_;
  std::vector<WorkDone> flushes_;
  TimedQueue<WorkDone> done_;
  Wakeup wakeup_, flush_look_;
  std::uint64_t membar_count_ = 0, flush_count_ = 0;
};

}  // namespace gputlm
