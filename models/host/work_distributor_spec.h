// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// What an SM offers to blocks, and how fast the work distributor hands them out.
struct WorkDistributorSpec {
  unsigned sms = 0;                       ///< 128.
  unsigned sub_partitions = 0;            ///< Per SM (4): registers and warps are shared out to them evenly.
  unsigned warps_per_sub_partition = 0;   ///< 12.
  unsigned max_threads = 0;               ///< Per SM (1536).
  unsigned max_blocks = 0;                ///< Per SM (24).
  unsigned max_threads_per_block = 0;     ///< 1024.
  unsigned registers = 0;                 ///< 32-bit ones per SM (65536).
  unsigned register_unit = 0;             ///< Registers are allotted to a warp in units of this many (256).
  unsigned max_registers_per_thread = 0;  ///< 255.
  unsigned shared_bytes = 0;              ///< Shared memory per SM (100 KiB).
  std::vector<unsigned> carve_outs;       ///< What L1 can give up for shared memory, in bytes, ascending.
  unsigned max_shared_per_block = 0;      ///< 99 KiB.
  unsigned shared_reserved = 0;           ///< The system's own share per block (1 KiB).
  unsigned shared_unit = 0;               ///< Shared memory is allotted in units of this many bytes (128).
  unsigned max_barriers = 0;              ///< Block barriers a block may use (16).
  Fs launch_latency = 0;                  ///< From a QMD to its first block.
  Fs block_interval = 0;                  ///< From a block handed out to the next.
};

}  // namespace gputlm
