// SPDX-License-Identifier: Apache-2.0
//
// A launch as its QMD describes it, checked against what an SM has.
#pragma once

#include <array>
#include <cstdint>

#include "gputlm/host/work_distributor_spec.h"
#include "gputlm/hostformats/qmd.h"

namespace gputlm {

struct LaunchShape {
  struct ConstantBuffer {
    bool valid = false;
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
  };

  std::array<std::uint32_t, 3> grid{}, block{};  ///< x, y, z.
  std::uint32_t registers = 0;                   ///< Per thread.
  std::uint32_t shared_bytes = 0;                ///< Per block, as the kernel asked for.
  std::uint32_t barriers = 0;
  std::uint64_t program = 0;  ///< Address of the first instruction.
  std::array<ConstantBuffer, Qmd::kConstantBuffers> constants{};
  CwdMembar membar = CwdMembar::none;
  bool release_membar = false;  ///< A system barrier before the completion semaphore.
  std::uint64_t semaphore = 0;  ///< 0: none.
  std::uint32_t payload = 0;
  unsigned semaphore_words = 4;

  std::uint64_t blocks() const { return std::uint64_t{grid[0]} * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const;
  /// Of a block's place in the grid, x fastest.
  std::array<std::uint32_t, 3> block_at(std::uint64_t number) const;
};

/// Throws FormatError, naming the field, for a descriptor that makes no sense or asks for more than an SM has.
LaunchShape decode_launch(const Qmd& qmd, const WorkDistributorSpec& sm);

}  // namespace gputlm
