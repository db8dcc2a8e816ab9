// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gputlm/replay/replay_trace.h"
#include "gputlm/replay/warp_tape.h"

namespace gputlm {

/// Where a kernel's blocks come from when they start.
class ReplaySource {
 public:
  virtual ~ReplaySource() = default;
  /// Tapes of the next block's warps, closed. Throws ConfigError when the trace is no longer what it was.
  virtual std::vector<WarpTape> next_block() = 0;
};

/// The store, the opcodes and the kernel outlive it. A .traceg is read block by block; a text, whose warps are mixed,
/// as a whole when its first block starts.
std::unique_ptr<ReplaySource> open_source(const ReplayedKernel& kernel, bool lenient, ChunkStore& store,
                                          TracegOpcodes& opcodes);

}  // namespace gputlm
