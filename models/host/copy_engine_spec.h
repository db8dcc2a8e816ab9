// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of the copy engine.
struct CopyEngineSpec {
  unsigned chunk_bytes = 0;       ///< Read and written as one.
  unsigned chunks_in_flight = 0;  ///< Read and not yet written, at most.
  Fs start_latency = 0;           ///< From LAUNCH_DMA to the first read.
};

}  // namespace gputlm
