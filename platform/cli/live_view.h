// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "gputlm/system/simulation.h"
#include "gputlm/system/time_series.h"

namespace gputlm {

/// The key series of a run on the standard error, as it goes: on a terminal a block of curves that is redrawn, else a
/// row a second: achieved against capacity, the most that the card can do or hold. Rates are means since the row (or
/// the sample of a curve) before.
class LiveView {
 public:
  /// Both live longer.
  LiveView(const TimeSeries& series, const Config& card);

  void show(const Progress& progress);
  /// The run has ended: the last state stays on the screen.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;

  void draw();
  void print_row();

  const TimeSeries& series_;
  const Config& card_;
  const bool terminal_;
  const Clock::duration between_;
  Clock::time_point shown_;
  bool drawn_ = false;
  Sample last_;  // of the rows
};

}  // namespace gputlm
