// SPDX-License-Identifier: Apache-2.0
//
// Writes what runs on a card as a trace that gputlm replay, and other readers of the format, take: a kernel-N.traceg
// for each kernel and a kernelslist.g, or one .traceg for a single kernel. The files get their names when all is
// written.
#pragma once

#include <exception>
#include <map>
#include <memory>
#include <vector>

#include "gputlm/replay/capture_target.h"
#include "gputlm/replay/kernel_list.h"
#include "gputlm/replay/warp_recording.h"
#include "gputlm/system/judged_gpu.h"

namespace gputlm {

/// Create between the card and its run. Blocks stand in a file in the order of the grid, whatever the order in which
/// they ended; a block that waits for its turn waits in memory, beyond a bound in a temporary file. What cannot be
/// written while the run goes on does not stop it: finish() says so.
class TracegCapture final : public WarpObserver {
 public:
  /// `kernels`: what is known of them, by number. Throws ConfigError when a single file shall hold several.
  TracegCapture(JudgedGpu& machine, CaptureTarget target, std::vector<TracegHeader> kernels,
                std::vector<ReplayCopy> copies);
  ~TracegCapture() override;

  /// After a run that came to its end. Throws what has kept the trace from being written: std::runtime_error when a
  /// file could not be or the run did not leave it whole. Then nothing of it stays.
  void finish();

  void on_issue(unsigned sm, unsigned warp, std::uint32_t index, const WarpInstruction& instruction) override;
  void on_access_done(unsigned sm, const Payload& access) override;

 private:
  struct Block;
  struct KernelFile;

  template <class Work>
  void attempt(Work&& work);
  Block& block_of(unsigned sm, std::uint32_t kernel, std::uint32_t cta);
  void write_complete(std::uint32_t kernel);
  void write_block(std::uint32_t kernel, std::uint32_t cta, Block& block);

  JudgedGpu& machine_;
  const CaptureTarget target_;
  const std::vector<TracegHeader> kernels_;
  const MadeDirectories made_;  ///< Go after the files.
  const std::vector<ReplayCopy> copies_;
  ChunkStore store_;
  TracegOpcodes opcodes_;
  std::vector<std::map<std::uint32_t, std::unique_ptr<Block>>> blocks_;  ///< By kernel and CTA: not yet written.
  std::vector<std::unique_ptr<KernelFile>> files_;
  std::exception_ptr failure_;  ///< The first one.
};

}  // namespace gputlm
