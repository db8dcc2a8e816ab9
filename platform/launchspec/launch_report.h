// SPDX-License-Identifier: Apache-2.0
//
// What came of a launch, for programs and for people. docs/host.md explains each figure.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "gputlm/launchspec/launch_spec.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Moments of a launch; kNever: did not happen.
struct LaunchTimeline {
  Fs doorbell = kNever;      ///< The host rang it.
  Fs fetched = kNever;       ///< The QMD reached the work distributor.
  Fs first_block = kNever;   ///< Handed to an SM.
  Fs last_block = kNever;    ///< Retired.
  Fs barrier_done = kNever;  ///< What the kernel wrote can be seen.
  Fs semaphore = kNever;     ///< Written.
  Fs copy_start = kNever;    ///< The copy engine begins with the results.
  Fs copy_done = kNever;
  Fs done = kNever;  ///< The host has seen the end.
};

/// One array that the host copied back.
struct ReadBack {
  std::string name;
  ElementType type = ElementType::int32;
  std::uint64_t count = 0;
  std::string first, last;                             ///< text_of_element().
  std::uint64_t mismatches = 0;                        ///< Elements that differ from what was expected.
  bool expected = false;                               ///< There was an expectation.
  std::vector<unsigned char> first_bytes, last_bytes;  ///< JSON has its numbers from these; without, from the texts.
};

struct LaunchResult {
  std::string kernel;
  LaunchTimeline t;
  std::uint64_t blocks = 0, warps = 0;
  unsigned blocks_per_sm = 0;  ///< At most at once.
  std::string limited_by;      ///< What sets blocks_per_sm.
  double theoretical_occupancy_pct = 0, warps_active_pct = 0, issue_active_pct = 0;
  std::uint64_t instructions = 0;  ///< Of warps.
  double kernel_ns = 0, launch_to_done_ns = 0, barrier_ns = 0;
  std::uint64_t dram_bytes_read = 0, dram_bytes_written = 0;            ///< During the kernel.
  double dram_read_utilisation = 0, dram_write_utilisation = 0;         ///< Shares of the peak rate during the kernel.
  double l1_hit_rate = 0, l2_load_hit_rate = 0, l2_store_hit_rate = 0;  ///< Shares.
  std::uint64_t copy_dram_bytes_read = 0;                               ///< While the results were copied.
  std::uint64_t l2_dirty_bytes_at_kernel_end = 0, copy_bytes = 0;
  std::vector<ReadBack> reads;
  bool complete = true;  ///< False: it was stopped.
  std::vector<std::string> problems;
  double wall_seconds = 0;
};

/// What the host got of an argument's array (`bytes`, all of it), compared with what was expected, if anything was.
/// Elements are compared by their bytes.
ReadBack make_read_back(const LaunchArgument& argument, const std::vector<unsigned char>& bytes,
                        const Expectation* expectation);

/// Times in ns; a moment that did not happen and a number that is none are null.
nlohmann::ordered_json json_of(const LaunchResult& result);

/// The arrays' first and last elements, the timeline and the figures.
void print_launch(std::ostream& out, const LaunchResult& result);

}  // namespace gputlm
