// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/line_times.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

Fs slowest_line_time(const Config& c) {
  constexpr double kFsPerSecond = 1e15;
  const double lines_per_second[] = {c.lsu.clock_hz * c.lsu.exit_bytes_per_cycle / kLineBytes,
                                     c.lsu.clock_hz * c.lsu.exit_loads_per_cycle,
                                     c.l1.clock_hz * c.l1.hit_bytes_per_cycle / kLineBytes,
                                     c.crossbar.clock_hz * c.crossbar.sm_requests_per_cycle,
                                     c.crossbar.clock_hz * c.crossbar.sm_request_bytes_per_cycle / kLineBytes,
                                     c.crossbar.clock_hz * c.crossbar.sm_response_bytes_per_cycle / kLineBytes,
                                     c.l2.clock_hz * c.l2.requests_per_cycle,
                                     c.l2.clock_hz * c.l2.store_bytes_per_cycle / kLineBytes,
                                     c.l2.clock_hz * c.l2.load_bytes_per_cycle / kLineBytes,
                                     c.dram.timing.clock_hz / c.dram.timing.burst * kSectorBytes / kLineBytes};
  return std::llround(kFsPerSecond / *std::min_element(std::begin(lines_per_second), std::end(lines_per_second)));
}

}  // namespace gputlm
