// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/dram/request_queue.h"

namespace gputlm {

/// Finds the request of a queue that has waited past the age cap, looking no more often than it must.
class AgeWatch {
 public:
  explicit AgeWatch(Fs cap) : cap_(cap) {}
  /// The oldest queued request if it has waited for longer than the cap; kNoSlot: it has not, or there is none.
  QueueSlot overdue(const RequestQueue& queue) {
    if (now() < check_ || queue.queued() == 0) return kNoSlot;
    const QueueSlot oldest = queue.oldest();
    check_ = queue[oldest].arrival + cap_;
    return now() > check_ ? oldest : kNoSlot;
  }
  void reset() { check_ = 0; }

 private:
  Fs cap_;
  Fs check_ = 0;  ///< No request is overdue before.
};

}  // namespace gputlm
