// SPDX-License-Identifier: Apache-2.0
//
// How the host hears of a channel that can no longer run.
#pragma once

#include <cstdint>
#include <string>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// What kind of error, by the number under which NVIDIA's drivers report it (Xid).
enum class ChannelErrorKind : std::uint16_t {
  graphics_exception = 13,  ///< An engine refused what it was asked to do, or a kernel failed.
  mmu_fault = 31,           ///< A virtual address that is not mapped, or memory refused the access.
  pushbuffer_error = 32,    ///< A malformed GPFIFO entry, header or method; an unknown token; an overrun ring.
  acquire_timeout = 8       ///< A semaphore was waited for in vain.
};

/// One error; the channel stands still from then on, others go on.
struct ChannelError {
  static constexpr std::uint32_t kNoChannel = 0xffffffff, kNoEntry = 0xffffffff;

  std::uint32_t channel = kNoChannel;  ///< Its number; kNoChannel: a token that no channel has.
  std::uint32_t entry = kNoEntry;      ///< Place in the ring of the GPFIFO entry at work; kNoEntry: none yet.
  ChannelErrorKind kind = ChannelErrorKind::pushbuffer_error;
  std::string reason;  ///< What was found and what is allowed.
  Fs time = 0;

  /// "channel 3, GPFIFO entry 1: reason".
  std::string text() const;
};

/// Who listens: a driver. The error is also in the channel's notifier in memory.
class ChannelErrorObserver {
 public:
  virtual ~ChannelErrorObserver() = default;
  virtual void on_channel_error(const ChannelError& error) = 0;
};

/// A notifier in memory, 16 bytes: time in ns (8), kind (4), entry (2), status (2), which is 0xffff after an error.
inline constexpr unsigned kNotifierBytes = 16, kNotifierKind = 8, kNotifierEntry = 12, kNotifierStatus = 14;
inline constexpr std::uint16_t kNotifierError = 0xffff;

}  // namespace gputlm
