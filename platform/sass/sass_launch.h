// SPDX-License-Identifier: Apache-2.0
//
// What the threads of a launch share: its shape, its constant banks, and which generic addresses are shared and local
// memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "gputlm/warp/sass_spec.h"

namespace gputlm {

inline constexpr unsigned kConstantBanks = 32;

/// What a generic address names.
enum class Space : std::uint8_t { global, shared, local };
Space space_of(const SassSpec& spec, std::uint64_t generic_address);

struct Dimensions {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// One launch of a kernel.
struct SassLaunch {
  SassSpec spec;
  Dimensions grid, block;
  std::uint32_t shared_bytes = 0;  ///< Per CTA, static and dynamic.
  std::uint32_t local_bytes = 0;   ///< Per thread: stack and arrays.
  /// Bytes of the constant banks: bank 0 from make_constant_bank(), others as the user gave them.
  std::array<std::vector<unsigned char>, kConstantBanks> banks;

  unsigned warps_per_cta() const { return static_cast<unsigned>((block.count() + 31) / 32); }
  /// The 32-bit word at `offset` of a bank; zero outside it.
  std::uint32_t constant(unsigned bank, std::uint64_t offset) const;
};

inline constexpr std::uint32_t kParameterOffset = 0x160;  ///< Of a kernel's first parameter in bank 0.

/// Where sm_89 code expects what in bank 0: block and grid dimensions from 0x0, the generic addresses of shared and
/// local memory at 0x18 and 0x20, the initial stack pointer at 0x28, the descriptor of global memory at 0x118 (opaque
/// to the model), parameters from 0x160. Source: code that nvcc emits. `parameters` is laid out by the caller.
std::vector<unsigned char> make_constant_bank(const SassLaunch& launch, const std::vector<unsigned char>& parameters);

/// What the warps of a CTA share. Lives as long as any of them.
struct CtaState {
  CtaState(const SassLaunch& launch, std::uint32_t linear_cta, unsigned sm);

  /// One reduction of BAR.RED in two generations, since a fast warp may arrive at the next barrier while a slow one has
  /// yet to read the result of this one.
  struct Reduction {
    std::uint32_t generation = 0;
    std::uint32_t count = 0;  ///< .POPC: threads whose predicate was true.
    bool holds = false;       ///< .AND, .OR: of all threads' predicates.
  };

  Dimensions index;  ///< blockIdx.
  unsigned sm;
  std::vector<unsigned char> shared;
  std::array<std::array<Reduction, 2>, 16> reductions{};
};

}  // namespace gputlm
