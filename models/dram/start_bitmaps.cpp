// SPDX-License-Identifier: Apache-2.0
#include "gputlm/dram/start_bitmaps.h"

namespace gputlm {

unsigned StartBitmaps::count(unsigned map, Ck from, Ck end) const {
  unsigned marks = 0;
  for (end = std::min(end, base_ + static_cast<Ck>(size())); from < end; from = (from | 63) + 1) {
    std::uint64_t bits = words(from)[map] >> (from & 63) << (from & 63);
    if ((from | 63) >= end) bits &= (1ULL << (end & 63)) - 1;
    marks += static_cast<unsigned>(__builtin_popcountll(bits));
  }
  return marks;
}

Ck StartBitmaps::nth_from(unsigned map, Ck from, unsigned n) const {
  std::uint64_t bits = words(from)[map] >> (from & 63) << (from & 63);
  for (Ck at = from & ~Ck{63};; at += 64, bits = words(at)[map]) {
    const auto here = static_cast<unsigned>(__builtin_popcountll(bits));
    if (here < n) {
      n -= here;
      continue;
    }
    while (--n > 0) bits &= bits - 1;
    return at + __builtin_ctzll(bits);
  }
}

void StartBitmaps::advance(Ck to) {
  const Ck base = to & ~Ck{63};
  if (base - base_ >= static_cast<Ck>(size())) {
    std::fill(words_.begin(), words_.end(), 0);
    base_ = base;
  }
  for (; base_ < base; base_ += 64) std::fill_n(words(base_), maps_, 0);
}

}  // namespace gputlm
