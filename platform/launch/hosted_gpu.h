// SPDX-License-Identifier: Apache-2.0
//
// A card with its host, under judgement, and a driver. For a testbench:
//
//     HostedGpu machine(Config::load("rtx4090"), {});
//     HostDriver& cuda = machine.driver;
//     const std::uint64_t c = cuda.malloc(bytes);
//     cuda.launch(0, {&cuda.load(listing.kernel("vadd"), ...), ...});
//     cuda.synchronize(0);
#pragma once

#include <functional>

#include "gputlm/launch/host_driver.h"
#include "gputlm/launch/host_side.h"
#include "gputlm/system/judged_gpu.h"

namespace gputlm {

class HostedGpu : public JudgedGpu, private DriverClock {
 public:
  /// `options.hosted` is implied.
  HostedGpu(const Config& config, BuildOptions options);

  HostSide host;
  HostDriver driver;

  /// Asked once per microsecond of simulated time in which something happens; false ends the run.
  std::function<bool()> keep_going;

  unsigned blocks_on_sms() const;

  /// Runs until nothing is due any more.
  void settle();
  /// The same at the end of all work, and what the judges found with everything at rest: DRAM commands that are booked
  /// ahead are judged then, so nothing may follow.
  std::vector<std::string> settle_and_audit();

 private:
  void run_until(const std::function<bool()>& reached) override;
};

}  // namespace gputlm
