// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Time that is booked of one resource, in windows. Of a window's bookings the last ones that follow each other without
/// a gap are known by their place: a booking that begins in them goes behind them. One that begins earlier finds the
/// room that is left before them, wherever in the window it was.
class BookedTime {
 public:
  /// Books `duration` from `at` on, in the first window with room for it; returns when it starts.
  Fs book(Fs at, Fs duration);

 private:
  static constexpr Fs kWindow = 200 * kFsPerNs;
  static constexpr std::size_t kWindows = 1024;  ///< Farther back or ahead counts as free.
  struct Window {
    std::int64_t number = -1;
    Fs booked_before = 0;           ///< Ahead of the run.
    Fs run_begin = 0, run_end = 0;  ///< The last bookings without a gap.
  };
  std::vector<Window> windows_ = std::vector<Window>(kWindows);
};

}  // namespace gputlm
