// SPDX-License-Identifier: Apache-2.0
//
// The compute work distributor: one per GPU. It takes launches as QMDs, hands their blocks to SMs, and ends a kernel.
//
// Kernels are served in the order in which they came; the next one's blocks follow as soon as its predecessor has none
// left, so two kernels share the SMs at the seam. Blocks go round robin over the SMs, one at a time, to the next SM
// with room for it (threads, warps, blocks, registers, shared memory: occupancy.h), and a block that retires makes room
// for another at once. When a kernel's last block has retired, the barrier that its QMD asks for is made, then its
// completion semaphore is written, then whoever launched it is told.
//
// A QMD that asks for more than an SM has, and a kernel that faults, end with a reason; no further block of it is
// handed out. Left out: priorities and preemption, clusters, dependent launches, and the carving of shared memory out
// of L1 (SmArray's business).
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "gputlm/host/dma_master.h"
#include "gputlm/host/engine_ports.h"
#include "gputlm/host/occupancy.h"
#include "gputlm/tlm/unit.h"

namespace gputlm {

/// A block on its way to an SM.
struct BlockStart {
  std::uint32_t launch = 0;            ///< Number of the launch, counted from 0.
  std::uint64_t number = 0;            ///< In the grid, x fastest.
  std::array<std::uint32_t, 3> at{};   ///< The same as x, y, z.
  const LaunchShape* shape = nullptr;  ///< Lives until the launch's last block has retired.
};

/// The SMs. Each block that starts is retired once, later, with WorkDistributor::retire().
class SmArray {
 public:
  virtual ~SmArray() = default;
  virtual void start_block(unsigned sm, const BlockStart& block) = 0;
};

/// When the parts of a launch happened; kNever for what has not.
struct LaunchTimes {
  std::uint32_t launch = 0;
  Fs received = kNever, first_block = kNever, last_retired = kNever, barrier_done = kNever, released = kNever;
};

class LaunchObserver {
 public:
  virtual ~LaunchObserver() = default;
  /// It has ended, or cannot go on: then the times of what is left are kNever.
  virtual void on_launch_ended(const LaunchTimes& times, const LaunchShape& shape) = 0;
};

class WorkDistributor : public Unit, public ComputePort {
 public:
  WorkDistributor(const sc_core::sc_module_name& name, const WorkDistributorSpec& spec, PayloadPool& pool,
                  const GpuAddressSpace& space);

  DmaMaster dma;  ///< For completion semaphores: dma.host to the link, dma.device to the crossbar.

  // Set before the simulation starts.
  SmArray* sms = nullptr;
  MemoryOperations* memory = nullptr;
  LaunchObserver* observer = nullptr;  ///< May stay null.

  void launch(std::uint32_t channel, const Qmd& qmd, WorkDone done) override;

  /// A block has ended and its SM is free of it.
  void retire(unsigned sm, std::uint32_t launch);
  /// The kernel cannot go on. Its blocks on SMs still have to be retired. One that has ended is left alone: a store
  /// may come back with an error after its block has retired.
  void fault(std::uint32_t launch, ChannelErrorKind kind, const std::string& reason);

  /// It has not ended yet.
  bool has_launch(std::uint32_t launch) const { return find(launch) != nullptr; }
  unsigned blocks_on(unsigned sm) const { return occupancy_[sm].blocks(); }

  void reset() override;
  void report(StatisticsSink& sink) const override;
  bool idle() const override { return kernels_.empty() && dma.idle(); }
  void list_waits(WaitList& waits) const override;

 private:
  struct Kernel {
    Kernel(const LaunchShape& s, const WorkDistributorSpec& spec) : shape(s), needs(s, spec) {}
    LaunchShape shape;
    BlockNeeds needs;
    LaunchTimes times;
    WorkDone done;
    std::uint32_t channel = 0;
    std::uint64_t handed_out = 0, retired = 0;
    bool failed = false;
    bool ending = false;  ///< Its barrier, then its semaphore, is under way.
    bool all_out() const { return failed || handed_out == shape.blocks(); }
  };

  void end_of_elaboration() override;
  void hand_out();
  Kernel* next_kernel();
  bool place(Kernel& kernel);
  Kernel* find(std::uint32_t launch) const;
  void end_if_done(Kernel& kernel);
  void make_barrier(std::uint32_t launch);
  void release(std::uint32_t launch);
  void finish(std::uint32_t launch, const WorkResult& result);

  const WorkDistributorSpec spec_;
  std::vector<SmOccupancy> occupancy_;
  std::deque<std::unique_ptr<Kernel>> kernels_;  // in order of arrival
  unsigned next_sm_ = 0;
  Fs next_block_at_ = 0;
  Wakeup wakeup_;
  std::deque<std::pair<WorkDone, std::string>> refusals_;
  Wakeup refuse_;
  unsigned generation_ = 0;  // answers to requests from before a reset are not for these kernels
  std::uint32_t launches_ = 0;
  std::uint64_t blocks_ = 0, refused_ = 0, faulted_ = 0;
};

}  // namespace gputlm
