// SPDX-License-Identifier: Apache-2.0
//
// Runs the blocks that the work distributor hands out: finds the kernel's code, reads its constant banks from memory,
// makes its warps and gives them to the SM's schedulers; tells the distributor when a block has retired or a kernel
// cannot go on. An SM's L1 is emptied when a launch's first block comes to it, and gives up ways to shared memory.
//
// Left out: the time that constant banks and code take to reach an SM (it is in the distributor's launch latency), and
// the caches for both: code does not change while it runs, and constants are read when a launch's first block starts.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/host/work_distributor.h"
#include "gputlm/launch/code_store.h"
#include "gputlm/sass/sass_program.h"
#include "gputlm/system/gpu.h"

namespace gputlm {

/// Told when the first block of a launch starts.
class LaunchStartObserver {
 public:
  virtual ~LaunchStartObserver() = default;
  virtual void on_first_block(const LaunchShape& shape) = 0;
};

/// Add it to the observers of all schedulers and load/store units.
class BlockRunner : public SmArray, public WarpObserver, public LsuObserver {
 public:
  BlockRunner(Gpu& gpu, WorkDistributor& distributor, const CodeStore& codes);

  LaunchStartObserver* observer = nullptr;

  void start_block(unsigned sm, const BlockStart& block) override;

  void on_cta_retired(unsigned sm, std::uint32_t kernel, std::uint32_t cta) override;
  void on_fault(unsigned sm, const Payload& access, std::uint64_t address, tlm::tlm_response_status status) override;

  /// The SMs have been reset: nothing runs.
  void reset();

 private:
  /// A launch with blocks on SMs.
  struct Running {
    SassContext context;
    std::string refusal;       ///< Why no block of it can start; empty: they can.
    std::uint64_t on_sms = 0;  ///< Blocks that have started and not retired.
  };
  struct SmState {
    std::uint32_t last_launch = ~0U;
    unsigned carve_out = 0;  ///< Bytes of L1 that are shared memory.
  };

  Running& running(const BlockStart& block);
  void prepare(Running& r, std::uint32_t launch, const LaunchShape& shape);
  void read_banks(Running& r, const LaunchShape& shape) const;
  bool read(std::uint64_t address, unsigned char* to, std::uint64_t bytes) const;
  void carve(unsigned sm, const LaunchShape& shape);
  void forget_ended();
  void retire(unsigned sm, std::uint32_t kernel);

  Gpu& gpu_;
  WorkDistributor& distributor_;
  const CodeStore& codes_;
  std::map<std::uint32_t, std::unique_ptr<Running>> running_;  ///< By launch.
  std::vector<SmState> sms_;
};

}  // namespace gputlm
