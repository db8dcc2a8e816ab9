// SPDX-License-Identifier: Apache-2.0
//
// Which of the waiting requests of one direction goes to the channel next, and which rows are worth opening ahead.
#pragma once

#include <memory>

#include "gputlm/dram/bank_forecast.h"
#include "gputlm/dram/request_queue.h"

namespace gputlm {

class DramScheduler {
 public:
  virtual ~DramScheduler() = default;
  /// The next request of a queue with queued() > 0.
  virtual QueueSlot pick(const RequestQueue& queue, const BankForecast& banks) const = 0;
  /// A request of `next` whose row should be opened now, while requests of `current` (possibly the same queue) use the
  /// bus; kNoSlot: none.
  virtual QueueSlot pick_row(const RequestQueue& next, const RequestQueue& current,
                             const BankForecast& banks) const = 0;

  /// The strategy that spec.scheduler names (fr_fcfs, fcfs), or null for an unknown name.
  static std::unique_ptr<DramScheduler> make(const DramSpec& spec, const DramTiming& timing);
};

/// Strategies, one file each. `lines_to_open`: a group with so few row hits left wants its next row opened.
std::unique_ptr<DramScheduler> make_fr_fcfs(unsigned lines_to_open);
std::unique_ptr<DramScheduler> make_fcfs();

}  // namespace gputlm
