// SPDX-License-Identifier: Apache-2.0
//
// Methods of the compute class (ADA_COMPUTE_A) that a launch uses.
#pragma once

namespace gputlm {

inline constexpr unsigned kComputeClass = 0xc9c0;

/// Words of a QMD, which is written inline into the stream; the last of them launches.
inline constexpr unsigned kQmdWords = 64;

namespace compute_method {
inline constexpr unsigned no_operation = 0x100;
inline constexpr unsigned set_inline_qmd_address_a = 0x318, set_inline_qmd_address_b = 0x31c;
inline constexpr unsigned load_inline_qmd_data = 0x320;  ///< 64 of them, one per word.
inline constexpr unsigned last_inline_qmd_data = load_inline_qmd_data + 4 * (kQmdWords - 1);
}  // namespace compute_method

}  // namespace gputlm
