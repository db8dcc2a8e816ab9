// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gputlm/workload/instructions.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

/// Where the elements of a strided access lie, and what is done to each.
struct StridedParameters {
  std::string buffer;
  std::uint64_t offset = 0;  ///< Of the first element.
  std::uint64_t stride = 0;  ///< From one element to the next.
  unsigned lane_bytes = 4;
  bool blocked = false;
  bool store = true;
  std::uint64_t repeat = 1;
  unsigned unroll = 1;
  AccessOrder order;

  /// Elements that lie wholly within `size` bytes.
  std::uint64_t elements(std::uint64_t size) const {
    return size < offset + lane_bytes ? 0 : (size - offset - lane_bytes) / stride + 1;
  }
};

/// Lane i of a warp accesses the i-th element of a regular grid of places; every place is visited by one lane.
class Strided final : public Kernel {
 public:
  Strided(const KernelSetup& setup, const StridedParameters& parameters);

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override;
  std::vector<ExpectedRange> final_state() const override;

 private:
  class Program;

  StridedParameters p_;
  Buffer buffer_;
  std::uint64_t seed_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
  WalkPlan plan_;
};

}  // namespace gputlm
