// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gputlm/trace/trace_record.h"

namespace gputlm {

/// What never changes while a recording goes on.
struct TraceDescription {
  std::vector<TraceTrack> tracks;
  std::vector<TraceSeries> series;
};

/// What was left out, and since when.
struct TraceLoss {
  std::uint64_t transactions = 0, events = 0;
  Fs since = kNever;

  bool any() const { return transactions + events != 0; }
};

/// All sinks of a recorder get the same batch, which nobody changes any more.
using SharedBatch = std::shared_ptr<const TraceBatch>;

/// Somebody who keeps a recording. Nothing of it is seen by others before finish(), and without it nothing stays.
class TraceSink {
 public:
  virtual ~TraceSink() = default;
  /// Once, before the first batch; the description lives as long as the recorder.
  virtual void begin(const TraceDescription& description) = 0;
  /// Throws std::runtime_error when it cannot be kept.
  virtual void take(const SharedBatch& batch) = 0;
  /// The last batch has been given.
  virtual void finish(const TraceLoss& loss) = 0;
};

}  // namespace gputlm
