// SPDX-License-Identifier: Apache-2.0
//
// What the scoreboard writes into a payload's `sideband.judge`: how far the payload has come, when (in its SM's own
// count of events) and a digest of the bytes that it must still carry. 64 bits, so that the scoreboard needs no table
// of what is in flight.
#pragma once

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// Unpacked `sideband.judge`; the field's default of 0 is a payload that the scoreboard has not met.
struct Stamp {
  enum class State : std::uint8_t {
    none,       ///< Not seen yet, or not from a load/store unit.
    requested,  ///< Left the load/store unit.
    served,     ///< Performed: at L2, or by an L1 hit.
    answered    ///< Back at the load/store unit.
  };
  static constexpr unsigned kStateBits = 2, kEventBits = 22;
  static constexpr std::uint64_t kEventMask = (1ULL << kEventBits) - 1;
  static constexpr std::uint64_t kDigestMask = ~0ULL >> (kStateBits + kEventBits);

  std::uint64_t digest = 0;  ///< Low 40 bits count.
  std::uint64_t event = 0;   ///< The SM's event count; its low 22 bits travel.
  State state = State::none;

  static Stamp of(const Sideband& s) {
    return {s.judge >> (kStateBits + kEventBits), (s.judge >> kStateBits) & kEventMask,
            static_cast<State>(s.judge & ((1U << kStateBits) - 1))};
  }
  void write(Sideband& s) const {
    s.judge =
        digest << (kStateBits + kEventBits) | (event & kEventMask) << kStateBits | static_cast<std::uint64_t>(state);
  }
  bool matches(std::uint64_t other) const { return ((digest ^ other) & kDigestMask) == 0; }
  /// The whole event count, given the SM's present one: nothing stays in flight for four million events.
  std::uint64_t event_before(std::uint64_t present) const { return present - ((present - event) & kEventMask); }
};

}  // namespace gputlm
