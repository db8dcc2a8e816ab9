// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/tlm/sideband.h"

namespace gputlm {

/// New value of a word after one read-modify-write, as the PTX ISA defines `atom`: a second opinion, kept apart from
/// the unit that performs atomics. Values are little-endian words of `word_bytes` (4 or 8) in the low bits.
std::uint64_t atomic_result(AtomicFunction function, unsigned word_bytes, std::uint64_t old, std::uint64_t operand,
                            std::uint64_t compare);

}  // namespace gputlm
