// SPDX-License-Identifier: Apache-2.0
#include "gputlm/loose/booked_time.h"

#include <algorithm>

namespace gputlm {

Fs BookedTime::book(Fs at, Fs duration) {
  duration = std::min(duration, kWindow);
  for (std::int64_t number = at / kWindow;; ++number) {
    const Fs first = number * kWindow, from = std::max(at, first);
    Window& w = windows_[static_cast<std::size_t>(number) % kWindows];
    if (w.number < number) w = {number, 0, first, first};
    if (w.number > number) return at;  // too far back to be known
    if (from < w.run_begin) {
      const Fs begin = std::max(from, first + w.booked_before);
      if (begin + duration <= w.run_begin) {
        w.booked_before += duration;
        return begin;
      }
    }
    const Fs begin = std::max(from, w.run_end);
    if (begin + duration > first + kWindow) continue;
    if (begin > w.run_end) {
      w.booked_before += w.run_end - w.run_begin;
      w.run_begin = begin;
    }
    w.run_end = begin + duration;
    return begin;
  }
}

}  // namespace gputlm
