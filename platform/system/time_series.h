// SPDX-License-Identifier: Apache-2.0
//
// What a run looked like over simulated time: one row per sampling interval.
#pragma once

#include <cstdint>
#include <ostream>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// One sample. Bytes are totals since the start, everything else is the state at that moment.
struct Sample {
  Fs time = 0;
  std::uint64_t bytes_stored = 0;  ///< By stores, as the programs issue them.
  std::uint64_t bytes_loaded = 0;  ///< By loads, likewise.
  std::uint64_t l2_dirty_bytes = 0;
  std::uint64_t dram_bytes_read = 0;
  std::uint64_t dram_bytes_written = 0;
  unsigned sms_throttled = 0;           ///< SMs with an access that waits at their LSU's door.
  std::vector<unsigned> write_backlog;  ///< Lines per controller.
  std::vector<unsigned> read_backlog;   ///< Lines per controller.
};

/// The samples of one run, in order. However long it runs there are at most kMost: when they are reached, every second
/// one goes and the interval doubles.
class TimeSeries {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 16;

  void start(Fs interval) { interval_ = interval; }
  void add(Sample sample);
  /// Time from the last sample to the next.
  Fs interval() const { return interval_; }
  const std::vector<Sample>& samples() const { return samples_; }
  /// Comma-separated values with a header row; times in ns.
  void write_csv(std::ostream& out) const;

 private:
  Fs interval_ = 0;
  std::vector<Sample> samples_;
};

}  // namespace gputlm
