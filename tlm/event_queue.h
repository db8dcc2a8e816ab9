// SPDX-License-Identifier: Apache-2.0
//
// How a unit does something later: a Wakeup (one kernel event and one method process) and TimedQueues of what is due.
// A unit with a constant delay pushes in time order, which costs a store; arrivals out of order are inserted from the
// back, which costs the distance. The tlm_utils payload event queues insert in linear time from the front instead.
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>

#include "gputlm/tlm/ring.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// One method process that runs a callback at the earliest time asked for. Create during elaboration or later.
class Wakeup {
 public:
  template <class Callback>
  Wakeup(const std::string& name, Callback callback) : event_((name + "_event").c_str()) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event_);
    sc_core::sc_spawn(
        [this, callback]() {
          due_ = kNever;
          ++runs_;
          callback();
        },
        name.c_str(), &options);
  }
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  /// Runs the callback at time t (absolute, not in the past) unless it is due earlier already. Between two ticks of a
  /// coarse kernel it runs at the later one: never before t, so that what is due at t is found due.
  void at(Fs t) {
    if (t >= due_) return;
    due_ = t;
    const Fs delay = t - now();
    assert(delay > -fs_per_tick());  // a time between two ticks may just have passed
    event_.notify(to_sc_time_up(delay));
  }
  void cancel() {
    due_ = kNever;
    event_.cancel();
  }
  /// Time of the next run, kNever when none is due.
  Fs due() const { return due_; }

  /// Runs of all wakeups of this process so far, for benchmarks.
  static std::uint64_t runs() { return runs_; }

 private:
  inline static std::uint64_t runs_ = 0;
  sc_core::sc_event event_;
  Fs due_ = kNever;
};

/// Stable queue ordered by time: equal times leave in the order they came.
template <class T>
class TimedQueue {
 public:
  bool empty() const { return ring_.empty(); }
  std::size_t size() const { return ring_.size(); }
  /// Time of the first entry, kNever when empty.
  Fs next() const { return ring_.empty() ? kNever : ring_.front().first; }
  T& front() { return ring_.front().second; }

  void push(Fs t, T value) {
    ring_.push_back({t, std::move(value)});
    for (std::size_t i = ring_.size() - 1; i > 0 && ring_[i - 1].first > t; --i) std::swap(ring_[i], ring_[i - 1]);
  }
  T pop() { return ring_.pop_front().second; }
  void clear() { ring_.clear(); }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < ring_.size(); ++i) visit(ring_[i].first, ring_[i].second);
  }

 private:
  Ring<std::pair<Fs, T>> ring_;
};

}  // namespace gputlm
