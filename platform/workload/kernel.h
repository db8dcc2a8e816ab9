// SPDX-License-Identifier: Apache-2.0
//
// One kernel of a phase: a grid of CTAs, the programs of its warps, what it asked of memory and what it leaves there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gputlm/warp/warp_program.h"
#include "gputlm/workload/check_counter.h"
#include "gputlm/workload/expectation.h"

namespace gputlm {

/// Grid, block and place of a kernel.
struct KernelShape {
  std::string name;
  std::uint32_t number = 0;   ///< Counted over the experiment from 0; goes into Origin::kernel.
  std::uint32_t grid = 1;     ///< CTAs.
  unsigned block = 32;        ///< Threads per CTA.
  std::vector<unsigned> sms;  ///< SMs it may run on, ascending; empty: all.
  unsigned ctas_per_sm =
      0;                 ///< On one SM at once, by registers and shared memory; 0: as many as warps and slots allow.
  unsigned l1_ways = 0;  ///< What its shared memory leaves of L1; 0: all.

  unsigned warps_per_cta() const { return (block + kLanes - 1) / kLanes; }
  std::uint64_t warps() const { return std::uint64_t{grid} * warps_per_cta(); }
  std::uint64_t threads() const { return std::uint64_t{grid} * block; }
  /// Threads of the CTA's warp: 32, or fewer in the last one.
  unsigned lanes_of(unsigned warp) const { return std::min(block - warp * kLanes, kLanes); }
  bool runs_on(unsigned sm) const { return sms.empty() || std::binary_search(sms.begin(), sms.end(), sm); }
};

/// What the programs asked for: active lanes times lane bytes, and warp instructions.
struct KernelCounters {
  std::uint64_t bytes_stored = 0;  ///< By stores.
  std::uint64_t bytes_loaded = 0;  ///< By loads.
  std::uint64_t bytes_atomic = 0;  ///< Operand bytes of atomics and reductions.
  std::uint64_t stores = 0, loads = 0, atomics = 0, fences = 0;
};

/// A kernel that can be run. Programs refer to their kernel: it must outlive them.
class Kernel {
 public:
  explicit Kernel(KernelShape shape) : shape_(std::move(shape)) {}
  virtual ~Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const KernelShape& shape() const { return shape_; }

  /// The program of warp `warp` (0 to warps_per_cta() - 1) of CTA `cta`.
  virtual std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) = 0;
  /// What its writes leave behind: every range it may write, with the bytes there once it has ended. Asked at most once
  /// per experiment, before it runs.
  virtual std::vector<ExpectedRange> final_state() const = 0;

  /// Forgets counts and checks, for another run.
  void reset() { counters = {}, checks.reset(); }

  KernelCounters counters;
  CheckCounter checks;  ///< Loads whose value is known beforehand, checked by the programs as they return.

 private:
  KernelShape shape_;
};

/// The CTAs of one kernel that have yet to run, in order.
class CtaSource {
 public:
  explicit CtaSource(Kernel& kernel) : kernel_(&kernel) {}

  Kernel& kernel() const { return *kernel_; }
  /// No CTA left to start.
  bool exhausted() const { return started_ == kernel_->shape().grid; }
  /// Every CTA has started and ended.
  bool finished() const { return ended_ == kernel_->shape().grid; }
  bool runs_on(unsigned sm) const { return kernel_->shape().runs_on(sm); }

  /// Starts the next CTA and returns its index; not when exhausted().
  std::uint32_t take() { return started_++; }
  /// One of the started CTAs has ended.
  void retire() { ++ended_; }

  std::uint32_t started() const { return started_; }
  std::uint32_t ended() const { return ended_; }

 private:
  Kernel* kernel_;
  std::uint32_t started_ = 0, ended_ = 0;
};

}  // namespace gputlm
