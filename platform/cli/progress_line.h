// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "gputlm/system/simulation.h"
#include "status_line.h"

namespace gputlm {

/// How a run gets on, shown ten times a second at most.
class ProgressLine {
 public:
  void show(const Progress& progress);

 private:
  using Clock = std::chrono::steady_clock;

  const StatusLine line_{};
  const Clock::time_point start_ = Clock::now();
  Clock::time_point shown_ = start_;
};

}  // namespace gputlm
