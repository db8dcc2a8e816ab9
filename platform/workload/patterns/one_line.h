// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gputlm/workload/instructions.h"
#include "gputlm/workload/load_check.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

/// What is done to the one place.
struct OneLineParameters {
  std::uint64_t offset = 0;  ///< Of the first lane's bytes in the buffer.
  std::uint64_t count = 1;   ///< Accesses per warp.
  unsigned lane_bytes = 4;
  bool store = true;
  bool vary = false;  ///< Each store of a warp writes other data than the one before.
  AccessOrder order;
};

/// All warps access the same contiguous bytes, again and again.
class OneLine final : public Kernel {
 public:
  OneLine(const KernelSetup& setup, const Buffer& buffer, const OneLineParameters& parameters);

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override;
  std::vector<ExpectedRange> final_state() const override;

 private:
  class Program;
  std::uint64_t data_seed(std::uint64_t access) const;
  std::uint64_t first() const { return buffer_.virtual_address + p_.offset; }

  OneLineParameters p_;
  Buffer buffer_;
  std::uint64_t seed_;
  std::shared_ptr<const ExpectedMemory> before_;
  LoadCheck check_;
};

}  // namespace gputlm
