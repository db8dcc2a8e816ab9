// SPDX-License-Identifier: Apache-2.0
//
// What the host engine asks of the units behind it. Each request is answered once, later, through its Done; units know
// nothing of channels beyond a number for messages.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "gputlm/host/channel_error.h"
#include "gputlm/hostformats/qmd.h"

namespace gputlm {

/// Told when work has ended; a reason when it failed.
struct WorkResult {
  bool ok = true;
  ChannelErrorKind kind = ChannelErrorKind::graphics_exception;
  std::string reason;
};
using WorkDone = std::function<void(const WorkResult&)>;

/// A copy as LAUNCH_DMA and the registers before it describe it.
struct CopyRequest {
  std::uint64_t source = 0, destination = 0;  ///< Virtual unless marked.
  bool source_physical = false, destination_physical = false;
  std::uint32_t line_length = 0;  ///< Bytes.
  std::uint32_t line_count = 1;
  std::int32_t pitch_in = 0, pitch_out = 0;  ///< Bytes from a line to the next.
  bool transfer = true;                      ///< False: only flush and semaphore.
  bool flush = false, flush_system = true;
  unsigned semaphore_words = 0;  ///< 0 none, 1, or 4 with a timestamp.
  std::uint64_t semaphore = 0;
  std::uint32_t payload = 0;
  bool interrupt = false;
};

class ComputePort {
 public:
  virtual ~ComputePort() = default;
  /// Done when the kernel has ended and its completion semaphore is written.
  virtual void launch(std::uint32_t channel, const Qmd& qmd, WorkDone done) = 0;
};

class CopyPort {
 public:
  virtual ~CopyPort() = default;
  virtual void copy(std::uint32_t channel, const CopyRequest& request, WorkDone done) = 0;
};

/// The memory system as MEM_OP sees it.
class MemoryOperations {
 public:
  virtual ~MemoryOperations() = default;
  /// Done when every earlier store of the GPU's units is visible to the GPU, or to the system.
  virtual void membar(bool system, WorkDone done) = 0;
  /// Done when every line that was dirty in L2 is in DRAM.
  virtual void flush_l2(WorkDone done) = 0;
};

}  // namespace gputlm
