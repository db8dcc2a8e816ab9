// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/statistics.h"

#include <algorithm>

namespace gputlm {

unsigned Histogram::bucket_of(Fs value) {
  if (value < 8) return static_cast<unsigned>(std::max<Fs>(value, 0));
  const auto v = static_cast<std::uint64_t>(value);
  const unsigned octave = 63U - static_cast<unsigned>(__builtin_clzll(v));
  return 8 * (octave - 2) + static_cast<unsigned>(v >> (octave - 3) & 7U);
}

Fs Histogram::upper_edge(unsigned bucket) {
  if (bucket < 8) return bucket;
  const unsigned octave = bucket / 8 + 2;
  return static_cast<Fs>(((static_cast<std::uint64_t>(8 + bucket % 8) + 1) << (octave - 3)) - 1);
}

void Histogram::add(Fs value) {
  ++buckets_[bucket_of(value)];
  ++count_;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
  sum_ns_ += to_ns(value);
}

Fs Histogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  double seen = 0;
  for (unsigned b = 0; b < buckets_.size(); ++b) {
    if (buckets_[b] == 0 || seen + buckets_[b] < wanted) {
      seen += buckets_[b];
      continue;
    }
    const Fs low = std::max(b == 0 ? 0 : upper_edge(b - 1), min_), high = std::min(upper_edge(b), max_);
    const double part = (wanted - seen) / buckets_[b];
    return part >= 1 ? high : low + static_cast<Fs>(static_cast<double>(high - low) * part);
  }
  return max_;
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t b = 0; b < buckets_.size(); ++b) buckets_[b] += other.buckets_[b];
  count_ += other.count_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
  sum_ns_ += other.sum_ns_;
}

}  // namespace gputlm
