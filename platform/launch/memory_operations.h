// SPDX-License-Identifier: Apache-2.0
//
// The barriers and flushes that the host's units ask of the memory system.
//
// A membar waits until what was stored before it is acknowledged, and one of system scope then crosses the link as a
// barrier of its own, behind every earlier store to the host. "Before" is told by kernel: a membar waits until each
// kernel that has stores under way has been seen without any. The engines' own writes are answered before they go on.
//
// A flush starts every slice's and looks again until all dirty lines are in DRAM.
#pragma once

#include <map>
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
  struct Membar {
    bool system = false;
    WorkDone done;
    Fs since = 0;
    std::vector<std::uint32_t> kernels;  ///< Those whose stores it still waits for.
  };
  struct Crossing {
    PayloadRef barrier;
    WorkDone done;
    Fs since = 0;
  };

  void stores_acknowledged(std::uint32_t kernel);
  void run();
  void send();
  void look_at_flush();
  bool all_in_dram() const;

  Gpu& gpu_;
  std::map<std::uint32_t, std::uint64_t> under_way_;  ///< Memory accesses by kernel, none of them 0.
  std::vector<Membar> membars_;
  Ring<Membar> to_send_;  ///< Their stores are acknowledged.
  std::vector<Crossing> crossing_;
  std::vector<WorkDone> flushes_;
  TimedQueue<WorkDone> done_;
  Wakeup wakeup_, flush_look_;
  std::uint64_t membar_count_ = 0, flush_count_ = 0;
};

}  // namespace gputlm
