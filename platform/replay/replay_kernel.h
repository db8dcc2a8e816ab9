// SPDX-License-Identifier: Apache-2.0
//
// A kernel of a trace. Its blocks start in the order in which they stand in the file, and each is read when it starts.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "gputlm/replay/replay_program.h"
#include "gputlm/replay/replay_source.h"

namespace gputlm {

/// What the kernels of a replay share.
struct ReplayState {
  explicit ReplayState(std::uint64_t memory_bytes) : chunks(memory_bytes) {}

  ChunkStore chunks;
  TracegOpcodes opcodes;
  ReplayCounters counters;
  /// The trace could not be read again as it was read at first, or not be kept: the run is to be given up.
  std::optional<ConfigError> failure;
};

/// Does not know what its stores leave: the scoreboard judges every byte of them.
class ReplayKernel final : public Kernel {
 public:
  /// `trace` and `state` outlive it. `written`: what becomes of memory, told once for all kernels of a trace.
  ReplayKernel(KernelShape shape, const ReplayedKernel& traced, bool lenient, const SassSpec& instructions,
               unsigned scoreboards, std::uint64_t seed, ReplayState& state, std::vector<ExpectedRange> written);

  std::unique_ptr<WarpProgram> make_program(std::uint32_t cta, unsigned warp) override;
  std::vector<ExpectedRange> final_state() const override { return written_; }

 private:
  void read_block();
  void make_blank();

  const ReplayedKernel& traced_;
  ReplayState& state_;
  ReplayContext context_;
  std::vector<ExpectedRange> written_;
  const bool lenient_;
  std::unique_ptr<ReplaySource> source_;  ///< Between the first block and the last.
  std::vector<WarpTape> block_;           ///< Of the block being started, by warp.
};

}  // namespace gputlm
