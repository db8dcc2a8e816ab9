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
  std::uint64_t bytes_stored = 0;  ///< Acknowledged by L2.
  std::uint64_t l2_dirty_bytes = 0;
  std::uint64_t dram_bytes_read = 0;
  std::uint64_t dram_bytes_written = 0;
  unsigned sms_throttled = 0;           ///< SMs with an access that waits at their LSU's door.
  std::vector<unsigned> write_backlog;  ///< Lines per controller.
  std::vector<unsigned> read_backlog;   ///< Lines per controller.
};

/// The samples of one run, in order.
class TimeSeries {
 public:
  void add(Sample sample) { samples_.push_back(std::move(sample)); }
  const std::vector<Sample>& samples() const { return samples_; }
  /// Comma-separated values with a header row; times in ns.
  void write_csv(std::ostream& out) const;

 private:
  std::vector<Sample> samples_;
};

}  // namespace gputlm
