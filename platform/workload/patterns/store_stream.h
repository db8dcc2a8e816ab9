// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gputlm/workload/instructions.h"
#include "gputlm/workload/kernel.h"
#include "gputlm/workload/walk.h"

namespace gputlm {

/// Contiguous stores of pattern data over a whole buffer, with a fence after every so many of a warp.
class StoreStream final : public Kernel {
 public:
  struct Fences {
    std::uint64_t every = 0;  ///< Stores of a warp between two fences; 0: no fences.
    AccessOrder order;
  };

  StoreStream(const KernelSetup& setup, const std::string& buffer, const WalkParameters& walk, AccessOrder order,
              Fences fences);

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override;
  std::vector<ExpectedRange> final_state() const override;

 private:
  class Program;

  Buffer buffer_;
  std::uint64_t seed_;
  unsigned lane_bytes_;
  WalkPlan plan_;
  AccessOrder order_;
  Fences fences_;
};

}  // namespace gputlm
