// SPDX-License-Identifier: Apache-2.0
//
// Statistics: units count in plain members and describe them, name, unit and meaning, when asked.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Distribution of durations in logarithmic buckets, eight per octave, 1 fs to 2 hours. A bucket is 6 to 12 % wide, so
/// that is how well a quantile is known; count, mean and maximum are exact.
class Histogram {
 public:
  void add(Fs value);
  std::uint64_t count() const { return count_; }
  Fs max() const { return max_; }
  double mean_ns() const { return count_ == 0 ? 0.0 : sum_ns_ / static_cast<double>(count_); }
  /// The value below which the given share (0 to 1) of all values lies, taking those of a bucket as evenly spread over
  /// it; never below the smallest or above the largest.
  Fs quantile(double share) const;
  /// As if all values of the other one had been added to this one.
  void merge(const Histogram& other);
  void reset() { *this = Histogram{}; }

 private:
  static unsigned bucket_of(Fs value);
  static Fs upper_edge(unsigned bucket);
  std::array<std::uint32_t, 512> buckets_{};
  std::uint64_t count_ = 0;
  Fs min_ = kNever, max_ = 0;
  double sum_ns_ = 0;
};

/// Receives the statistics of one unit. Names are lower_case, units are "line", "byte", "ns", "request", ...
class StatisticsSink {
 public:
  virtual ~StatisticsSink() = default;
  virtual void count(std::string_view name, std::string_view unit, std::string_view description,
                     std::uint64_t value) = 0;
  virtual void value(std::string_view name, std::string_view unit, std::string_view description, double value) = 0;
  virtual void histogram(std::string_view name, std::string_view description, const Histogram& values) = 0;
};

/// Time lost, by cause. A place (a port, a queue) is stalled for one cause at a time.
template <class Cause, std::size_t Causes>
class StallClock {
 public:
  bool stalled() const { return since_ != kNever; }
  Cause cause() const { return cause_; }
  /// Starts, or changes the cause of, a stall.
  void begin(Cause cause, Fs at) {
    if (stalled()) end(at);
    cause_ = cause;
    since_ = at;
    ++counts_[static_cast<std::size_t>(cause)];
  }
  void end(Fs at) {
    if (!stalled()) return;
    total_[static_cast<std::size_t>(cause_)] += at - since_;
    since_ = kNever;
  }
  /// Time lost to the cause up to `at`, a stall in progress included.
  Fs total(Cause cause, Fs at) const {
    return total_[static_cast<std::size_t>(cause)] + (stalled() && cause == cause_ ? at - since_ : 0);
  }
  std::uint64_t count(Cause cause) const { return counts_[static_cast<std::size_t>(cause)]; }
  void reset() { *this = StallClock{}; }

 private:
  std::array<Fs, Causes> total_{};
  std::array<std::uint64_t, Causes> counts_{};
  Cause cause_{};
  Fs since_ = kNever;
};

}  // namespace gputlm
