// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "gputlm/trace/trace_sink.h"

namespace gputlm {

/// Lets another sink work on a thread of its own while the simulation goes on. It is given the same batches in the same
/// order, so that what it keeps is the same to the byte. begin() and finish() run on the caller's thread, finish()
/// after the last batch has been dealt with: there the sink may look at the simulation.
class BackgroundSink : public TraceSink {
 public:
  /// Batches that wait at most; who brings one more waits until the sink has begun with the oldest.
  static constexpr std::size_t kWaiting = 4;

  explicit BackgroundSink(std::unique_ptr<TraceSink> sink) : sink_(std::move(sink)) {}
  /// Batches that still wait are dropped.
  ~BackgroundSink() override;

  void begin(const TraceDescription& description) override;
  /// Throws nothing: it is called from within the simulation, whose processes must not fail for a full disk.
  void take(const SharedBatch& batch) override;
  /// Throws what the sink has thrown at a batch; it was given none after that.
  void finish(const TraceLoss& loss) override;

 private:
  void work();
  void stop();

  const std::unique_ptr<TraceSink> sink_;
  std::mutex mutex_;
  std::condition_variable changed_;  ///< Any of what follows.
  std::deque<SharedBatch> waiting_;
  std::exception_ptr failure_;
  bool last_given_ = false;
  std::thread thread_;
};

}  // namespace gputlm
