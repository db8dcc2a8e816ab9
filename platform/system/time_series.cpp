// SPDX-License-Identifier: Apache-2.0
#include "gputlm/system/time_series.h"

#include <fmt/ostream.h>

namespace gputlm {

void TimeSeries::add(Sample sample) {
  samples_.push_back(std::move(sample));
  if (samples_.size() < kMost) return;
  // The last one stays, so that the new interval counts from a sample that is there.
  std::size_t kept = 0;
  for (std::size_t i = 1; i < samples_.size(); i += 2) samples_[kept++] = std::move(samples_[i]);
  samples_.resize(kept);
  interval_ *= 2;
}

void TimeSeries::write_csv(std::ostream& out) const {
  out << "time_ns,bytes_stored,bytes_loaded,l2_dirty_bytes,dram_bytes_read,dram_bytes_written,sms_throttled";
  const std::size_t controllers = samples_.empty() ? 0 : samples_.front().write_backlog.size();
  for (std::size_t c = 0; c < controllers; ++c) fmt::print(out, ",write_backlog_{0},read_backlog_{0}", c);
  out << '\n';
  for (const Sample& s : samples_) {
    fmt::print(out, "{:.3f},{},{},{},{},{},{}", to_ns(s.time), s.bytes_stored, s.bytes_loaded, s.l2_dirty_bytes,
               s.dram_bytes_read, s.dram_bytes_written, s.sms_throttled);
    for (std::size_t c = 0; c < controllers; ++c) fmt::print(out, ",{},{}", s.write_backlog[c], s.read_backlog[c]);
    out << '\n';
  }
}

}  // namespace gputlm
