// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of one SM's L1 data cache.
struct L1Spec {
  double clock_hz = 0;                     ///< SM clock.
  unsigned ways = 0;                       ///< 4.
  unsigned sets = 0;                       ///< 256; a power of two.
  std::vector<std::uint64_t> index_masks;  ///< Set index bit i = parity(virtual address AND mask i); log2(sets) masks.
  std::string write_policy = "write_through";  ///< write_through, write_around or write_back.
  Fs hit_latency = 0;                          ///< Request at L1 to data back at the LSU.
  Fs miss_latency = 0;             ///< Request at L1 to request leaving for translation (also stores, strong loads).
  double hit_bytes_per_cycle = 0;  ///< Data a hit returns per core cycle (64).
  unsigned fill_sectors = 0;       ///< Sectors that may be on their way at once (256).
};

}  // namespace gputlm
