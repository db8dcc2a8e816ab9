// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace gputlm {

/// Calls of operator new in this process so far. A program that asks is given operators that count.
std::uint64_t allocations();

}  // namespace gputlm
