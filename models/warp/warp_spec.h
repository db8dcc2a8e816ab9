// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace gputlm {

/// Parameters of one SM's warp schedulers.
struct WarpSpec {
  double clock_hz = 0;                   ///< SM clock.
  unsigned sub_partitions = 0;           ///< Schedulers per SM (4).
  unsigned warps_per_sub_partition = 0;  ///< Warp slots per scheduler (12).
  unsigned max_ctas = 0;                 ///< CTAs resident per SM (24).
  unsigned scoreboards = 0;              ///< Scoreboard barriers per warp (6).
  double issue_interval = 0;             ///< Core cycles between two issues of one scheduler (1).
  double memory_issue_interval = 0;      ///< Core cycles between two memory instructions of one scheduler (4).
};

}  // namespace gputlm
