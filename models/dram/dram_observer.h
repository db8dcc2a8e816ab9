// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/dram/dram_timing.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

/// How a column write is masked on the command bus (GDDR6 truth table): not at all, per pair of bytes, per byte.
enum class WriteMask : std::uint8_t { none, double_byte, single_byte };

/// One command as booked by a channel.
struct BookedCommand {
  CommandKind kind = CommandKind::activate;
  unsigned bank = 0;                 ///< Within the channel; of a refresh, the lower bank of its pair.
  std::uint64_t row = 0;             ///< Activate, read, write.
  unsigned column = 0;               ///< Read, write.
  WriteMask mask = WriteMask::none;  ///< Write.
  unsigned slots = 1;                ///< Command clocks it holds its command lane; 0: an auto-precharge.
  Ck clock = 0;                      ///< Its first command clock.
  Fs time = 0;                       ///< When that starts.
};

/// What a channel tells whoever watches it.
class DramObserver {
 public:
  virtual ~DramObserver() = default;
  /// A command has got its place. Commands are booked ahead and out of the order of their times: a watcher that needs
  /// that order sorts, and may rely on `watermark`: no command booked later will lie before it.
  virtual void on_command(unsigned /*controller*/, unsigned /*channel*/, const BookedCommand& /*command*/,
                          Ck /*watermark*/) {}
};

}  // namespace gputlm
