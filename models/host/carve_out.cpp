// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/carve_out.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace gputlm {

unsigned carve_out(const WorkDistributorSpec& sm, std::uint64_t shared_bytes_needed) {
  const auto least = std::lower_bound(sm.carve_outs.begin(), sm.carve_outs.end(), shared_bytes_needed);
  if (least == sm.carve_outs.end())
    throw std::invalid_argument("no carve-out of L1 holds " + std::to_string(shared_bytes_needed) +
                                " bytes of shared memory");
  return *least;
}

unsigned l1_ways_left(unsigned carve_out_bytes, unsigned l1_bytes, unsigned ways) {
  const unsigned cache_bytes = l1_bytes - std::min(carve_out_bytes, l1_bytes);
  return std::max(1U, cache_bytes / (l1_bytes / ways));
}

}  // namespace gputlm
