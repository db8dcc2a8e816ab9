// SPDX-License-Identifier: Apache-2.0
//
// An experiment brought onto a chip: buffers placed, image made, kernels ready to run, and the expectation of every
// byte of memory at the end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/workload/experiment.h"
#include "gputlm/workload/image.h"

namespace gputlm {

/// What a workload must know of the chip.
struct PlatformFacts {
  unsigned sms = 0;
  unsigned warps_per_sm = 0;
  unsigned scoreboards = 0;  ///< Per warp.
  std::uint64_t page_bytes = 0;
  std::uint64_t memory_bytes = 0;         ///< Device memory.
  const AddressOracle* oracle = nullptr;  ///< For patterns that choose lines by slice and set; used while making only.
};

/// A phase that can be run: its kernels side by side.
struct Phase {
  std::string name;
  std::vector<std::unique_ptr<Kernel>> kernels;

  /// CTAs of all kernels.
  std::uint64_t ctas() const;
  std::uint64_t bytes_stored() const;
  std::uint64_t bytes_loaded() const;
};

/// Everything that runs, and what memory must hold when it has.
class Workload {
 public:
  /// Nothing to run, memory all zeros.
  Workload() = default;
  /// Throws ConfigError when the experiment does not fit the chip.
  Workload(const Experiment& experiment, const PlatformFacts& facts);

  /// Ranges to map, virtual to physical, in whole pages.
  const std::vector<Buffer>& buffers() const { return buffers_; }
  const MemoryImage& image() const { return image_; }
  std::vector<Phase>& phases() { return phases_; }
  const std::vector<Phase>& phases() const { return phases_; }
  /// Physical memory at the end.
  const ExpectedMemory& expected() const { return *expected_; }

  /// CTAs of all kernels, for a progress line.
  std::uint64_t ctas() const;
  /// All kernels' checks of loaded data, summed.
  CheckCounter load_checks() const;
  /// Forgets all counts, for another run.
  void reset();

 private:
  void make_image(const Experiment& experiment, Diagnostics& diagnostics);
  void make_phases(const Experiment& experiment, const PlatformFacts& facts, Diagnostics& diagnostics);

  std::vector<Buffer> buffers_;
  MemoryImage image_;
  std::vector<Phase> phases_;
  std::shared_ptr<const ExpectedMemory> expected_ = std::make_shared<const ExpectedMemory>();
};

/// Reads `length` bytes of physical memory as the chip sees them (a debug read); false when it cannot.
using MemoryReader = std::function<bool(std::uint64_t physical, unsigned char* out, std::size_t length)>;

/// Outcome of the comparison of all buffers with what they must hold.
struct MemoryVerdict {
  CheckCounter checks;
  std::uint64_t bytes_not_determinate = 0;  ///< Left to the scoreboard.
  std::uint64_t bytes_unreadable = 0;
  std::vector<std::string> reasons;  ///< Why bytes were not determinate, each once.
};

/// Compares every byte of every buffer (pages' tails included) with workload.expected(). Reads all of them, also those
/// that are not determinate.
MemoryVerdict verify_memory(const Workload& workload, const MemoryReader& read);
/// verify_memory() reads this byte.
bool is_verified(const Workload& workload, std::uint64_t physical);

}  // namespace gputlm
