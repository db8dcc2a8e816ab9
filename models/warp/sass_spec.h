// SPDX-License-Identifier: Apache-2.0
//
// Parameters of executing compiled code that are not the memory system's: they belong to the SM, as the warp
// schedulers' do, so that the configuration has them without knowing the front end that reads listings.
#pragma once

#include <cstdint>

namespace gputlm {

/// What an SM needs for instructions whose latency the compiler does not know. No defaults: the configuration has them.
struct SassSpec {
  double clock_hz = 0;                   ///< SM clock: clock registers, NANOSLEEP.
  double shared_cycles = 0;              ///< LDS, ATOMS: issue to scoreboard clear, without bank conflicts.
  double shuffle_cycles = 0;             ///< SHFL, REDUX, MATCH.
  double special_function_cycles = 0;    ///< MUFU, conversions, POPC, FLO, BREV: the quarter-rate pipe.
  double double_cycles = 0;              ///< DADD, DMUL, DFMA, DSETP: the fp64 pipe.
  double special_register_cycles = 0;    ///< S2R, S2UR, CS2R, B2R.
  double constant_cycles = 0;            ///< LDC, hit in the constant cache.
  double local_cycles = 0;               ///< LDL: local memory is taken to hit L1.
  double arithmetic_cycles = 0;          ///< Main pipes, issue to dependent issue; code in a listing says it itself.
  double tensor_cycles = 0;              ///< Tensor cores, likewise.
  std::uint64_t instruction_budget = 0;  ///< A warp that has issued more is a fault (an endless loop).
  std::uint32_t spin_patience = 0;  ///< Jumps back after which threads of a warp no longer wait for the jumping ones.
  std::uint64_t shared_window = 0;  ///< Generic address of shared memory, a multiple of 16 MiB.
  std::uint64_t local_window = 0;   ///< Generic address of local memory, likewise.
};

/// Bytes of generic addresses that a window takes.
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 24U;

}  // namespace gputlm
