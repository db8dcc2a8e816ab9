// SPDX-License-Identifier: Apache-2.0
//
// The journey of one launch as a user described it: arrays uploaded, L2 emptied if asked for, the kernel launched, its
// results copied back behind it, and what was measured on the way.
#pragma once

#include <memory>
#include <vector>

#include "gputlm/launch/hosted_gpu.h"
#include "gputlm/launchspec/launch_report.h"

namespace gputlm {

/// Throws ConfigError when listing and launch do not fit each other: an unknown kernel, instructions that are not
/// supported, fewer parameters than the code reads, arrays beyond the card's memory, a block that asks for more than an
/// SM has.
std::unique_ptr<SassCode> code_of(const LaunchSpec& spec, const Config& config);

/// One launch on one machine.
class LaunchRun : private LaunchStartObserver {
 public:
  LaunchRun(HostedGpu& machine, const LaunchSpec& spec, std::unique_ptr<SassCode> code);

  /// A channel that fails, a standstill and what the judges found are problems of the result; one that was stopped from
  /// outside is not complete.
  LaunchResult run();

 private:
  /// What units have counted at one moment.
  struct Counts {
    DramBytes dram;
    double warp_ns = 0;
    std::uint64_t instructions = 0, l1_loads = 0, l1_hits = 0;
    std::uint64_t l2_loads = 0, l2_load_hits = 0, l2_stores = 0, l2_store_hits = 0;
  };
  struct Result {
    std::size_t argument;
    HostBuffer buffer;
    Ticket ticket;
  };

  void on_first_block(const LaunchShape& shape) override;
  void on_kernel_end(const LaunchTimes& times);
  Counts counts() const;
  void allocate();
  void upload();
  void empty_l2();
  void launch_and_copy();
  void read_back();
  void measure();
  void measure_rates(double kernel_ns);
  KernelLaunch kernel_launch(const LoadedKernel& kernel) const;

  HostedGpu& machine_;
  HostDriver& driver_;
  const LaunchSpec& spec_;
  std::unique_ptr<SassCode> code_;
  std::vector<std::uint64_t> addresses_;  ///< By argument; 0 for a scalar.
  std::vector<Result> results_;
  Ticket kernel_;
  Counts before_, after_, at_end_;
  LaunchResult result_;
};

}  // namespace gputlm
