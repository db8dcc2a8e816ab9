// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem: figures over all slices and channels, and over what the loosely timed estimate counts in their place.
#include <algorithm>

#include "gputlm/system/memory_system.h"

namespace gputlm {
namespace {

void add(L2Totals& sum, const L2Counters& c) {
  sum.loads += c.loads;
  sum.load_hits += c.load_hits;
  sum.stores += c.stores;
  sum.store_hits += c.store_hits;
  sum.write_backs += c.write_backs;
  sum.janitor_cleans += c.janitor_cleans;
  sum.dirty_lines_peak += c.dirty_lines_peak;
  sum.dirty_lines_per_set_peak = std::max(sum.dirty_lines_per_set_peak, c.dirty_lines_per_set_peak);
}

}  // namespace

L2Totals MemorySystem::l2_totals() const {
  L2Totals sum;
  for (const auto& slice : slices) add(sum, slice->counters());
  if (loose) add(sum, loose_timing_->counters());
  return sum;
}

DramBytes MemorySystem::dram_bytes() const {
  DramBytes sum;
  for (const auto& c : channels) {
    sum.read += c->statistics().bytes_read;
    sum.written += c->statistics().bytes_written;
    sum.enabled += c->statistics().bytes_enabled;
  }
  if (loose) {
    const L2Counters& c = loose_timing_->counters();
    sum.read += c.fetched_sectors * kSectorBytes;
    sum.written += loose_timing_->column_bytes_written();
    sum.enabled += c.write_back_bytes;
  }
  return sum;
}

std::uint64_t MemorySystem::dirty_bytes() const {
  std::uint64_t n = loose ? loose_timing_->dirty_bytes() : 0;
  for (const auto& s : slices) n += s->dirty_bytes();
  return n;
}

std::uint64_t MemorySystem::dirty_lines() const {
  std::uint64_t n = loose ? loose_timing_->dirty_lines() : 0;
  for (const auto& s : slices) n += s->dirty_lines();
  return n;
}

double MemorySystem::peak_bytes_per_ns() const {
  const DramTimingSpec& t = config_.dram.timing;
  return static_cast<double>(channels.size()) * kSectorBytes * t.clock_hz / t.burst / 1e9;
}

}  // namespace gputlm
