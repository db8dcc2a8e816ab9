// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of one SM's load/store unit.
struct LsuSpec {
  double clock_hz = 0;                 ///< SM clock.
  unsigned sub_partitions = 0;         ///< Queues in front of the exit, one per scheduler (4).
  unsigned queue_entries = 0;          ///< Memory instructions each queue holds (24).
  double store_issue_interval = 0;     ///< Core cycles between stores leaving one queue, up to 4 bytes a lane (6.1).
  double store_issue_interval_8 = 0;   ///< The same for 8 bytes a lane (8.3).
  double store_issue_interval_16 = 0;  ///< The same for 16 bytes a lane (12.3).
  double load_issue_interval = 0;      ///< Core cycles between loads leaving one queue (2).
  double exit_bytes_per_cycle = 0;     ///< Store data the SM's exit carries per core cycle (32).
  double exit_min_store_cycles = 0;    ///< Least cycles a store request takes of the exit (2).
  double exit_loads_per_cycle = 0;     ///< Load requests the exit carries per core cycle (2).
  Fs gpu_fence_round_trip = 0;  ///< L2 round trip of a gpu- or sys-scope fence, in parallel with the acks; a load's.
  double cta_fence_cycles = 0;  ///< Core cycles of membar.cta after the stores reached L1 (3).
  Fs sys_fence_sm_share = 0;    ///< SM-side share of membar.sys, on top of the host's round trip.
  bool byte_exact_loads =
      false;  ///< A load's enables mark its bytes, not whole sectors (l2.partial_sector_load: serve_valid).
};

}  // namespace gputlm
