// SPDX-License-Identifier: Apache-2.0
//
// A channel as the host engine keeps it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "gputlm/hostformats/gpfifo_entry.h"
#include "gputlm/hostformats/method_header.h"
#include "gputlm/hostformats/method_table.h"
#include "gputlm/hostformats/qmd.h"
#include "gputlm/tlm/ring.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// A channel as its driver made it. All addresses are GPU virtual ones.
struct ChannelSetup {
  std::uint32_t number = 0;
  std::uint32_t token = 0;   ///< What the driver writes to the doorbell.
  std::uint64_t userd = 0;   ///< USERD page: cursors GP_GET and GP_PUT.
  std::uint64_t gpfifo = 0;  ///< Ring of entries.
  std::uint32_t entries = 0;
  std::uint64_t notifier = 0;  ///< Error notifier; 0: none.
};

/// What a channel does now.
enum class ChannelState : std::uint8_t {
  idle,
  reading_put,
  reading_entries,
  reading_segment,
  executing,
  waiting,    ///< For an answer of another unit, a semaphore's memory, or its own work.
  acquiring,  ///< Between two looks at a semaphore.
  failed
};
const char* name_of(ChannelState state);

struct HostChannel {
  ChannelSetup setup;
  ChannelState state = ChannelState::idle;
  Fs since = 0;       ///< In this state.
  bool rung = false;  ///< The doorbell was rung since GP_PUT was last read.
  std::uint32_t get = 0, put = 0, read_up_to = 0;
  Ring<std::pair<std::uint32_t, std::array<std::uint32_t, 2>>> entries;  ///< Place in the ring, words; not yet decoded.
  std::uint32_t entry = 0;                                               ///< Place in the ring of the one at work.
  GpfifoEntry span;                                                      ///< Of it, the part that is not fetched yet.
  std::vector<std::uint32_t> words;
  std::size_t next_word = 0;

  MethodReader reader;
  std::array<const MethodClass*, MethodHeader::kMostSubchannel + 1> bound{};
  std::map<unsigned, std::uint32_t> own;  ///< The channel's registers.
  std::array<std::map<unsigned, std::uint32_t>, MethodHeader::kMostSubchannel + 1> registers;  ///< Of bound classes.
  Qmd::Words qmd{};
  std::optional<MethodCall> call;  ///< Decoded, to be executed when its time has come.
  Fs acquire_since = kNever;
  unsigned work = 0;                     ///< Launches and copies that have not ended.
  std::optional<MethodCall> after_work;  ///< Waits until there is none.
};

}  // namespace gputlm
