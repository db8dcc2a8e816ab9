// SPDX-License-Identifier: Apache-2.0
//
// Shared memory is carved out of L1's data memory, in one of a few sizes per SM; what is left is cache.
#pragma once

#include <cstdint>

#include "gputlm/host/work_distributor_spec.h"

namespace gputlm {

/// Bytes of the least carve-out that holds `shared_bytes_needed`: what the SM's blocks take, the system's share of each
/// and rounding included (BlockNeeds::shared_bytes). Throws std::invalid_argument if none does.
unsigned carve_out(const WorkDistributorSpec& sm, std::uint64_t shared_bytes_needed);

/// Ways of an L1 of `l1_bytes` in `ways` equal ways (at least one) that lie wholly outside the carve-out. The cache has
/// one at least: a miss needs a place to return to.
unsigned l1_ways_left(unsigned carve_out_bytes, unsigned l1_bytes, unsigned ways);

}  // namespace gputlm
