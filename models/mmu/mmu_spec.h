// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of one SM's address translation.
struct MmuSpec {
  unsigned entries = 0;          ///< TLB entries, fully associative, LRU (16).
  std::uint64_t page_bytes = 0;  ///< 2 MiB; a power of two.
  Fs hit_latency = 0;            ///< Not visible (0).
  Fs miss_latency = 0;           ///< 4.4 ns, flat.
};

}  // namespace gputlm
