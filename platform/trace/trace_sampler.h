// SPDX-License-Identifier: Apache-2.0
//
// Counters of the card over time: queues, what stands still and why, bandwidth.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gputlm/system/gpu.h"
#include "gputlm/trace/trace_record.h"

namespace gputlm {

/// Asked from outside, at moments at which something happens anyway: it has no process, so a card that is at rest stays
/// at rest.
class TraceSampler {
 public:
  explicit TraceSampler(const Gpu& gpu);

  std::vector<TraceSeries> series() const;
  /// Rates count from now on.
  void start() { sample(); }
  /// The state now, and rates since the sample before or start().
  TraceSample sample();
  /// Time has passed since then.
  bool elapsed() const { return now() > last_; }

 private:
  /// A state, or a total whose growth is shown as a rate: per nanosecond, times `scale`.
  struct Counter {
    TraceSeries series;
    std::function<double()> read;
    bool rate = false;
    double last = 0;
  };

  void state(const char* name, const char* unit, std::function<double()> read);
  void rate(const char* name, const char* unit, std::function<double()> read);
  void add_queues();
  void add_stalls();
  void add_bandwidth();

  const Gpu& gpu_;
  std::vector<Counter> counters_;
  Fs last_ = 0;
};

}  // namespace gputlm
