// SPDX-License-Identifier: Apache-2.0
#include "gputlm/trace/background_sink.h"

#include <pthread.h>
#include <csignal>
#include <utility>

namespace gputlm {
namespace {

/// A thread that is started within its life has no part in signals: they interrupt whoever waits for a file or a pipe.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

BackgroundSink::~BackgroundSink() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    waiting_.clear();
  }
  stop();
}

void BackgroundSink::begin(const TraceDescription& description) {
  sink_->begin(description);
  const SignalsBlocked blocked;
  thread_ = std::thread([this] { work(); });
}

void BackgroundSink::take(const SharedBatch& batch) {
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < kWaiting || failure_; });
  if (failure_) return;
  waiting_.push_back(batch);
  changed_.notify_all();
}

void BackgroundSink::finish(const TraceLoss& loss) {
  stop();
  if (failure_) std::rethrow_exception(failure_);
  sink_->finish(loss);
}

void BackgroundSink::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    last_given_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void BackgroundSink::work() try {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return !waiting_.empty() || last_given_; });
    if (waiting_.empty()) return;
    const SharedBatch batch = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    lock.unlock();
    sink_->take(batch);
    lock.lock();
  }
} catch (...) {
  const std::lock_guard<std::mutex> lock(mutex_);
  failure_ = std::current_exception();
  changed_.notify_all();
}

}  // namespace gputlm
