// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/workload/pattern_data.h"

namespace gputlm {

/// Numbers for one purpose; the same key gives the same numbers.
class Draw {
 public:
  explicit Draw(std::uint64_t key) : key_(key) {}
  std::uint64_t next() { return mix64(count_++, key_); }
  /// 0 to n - 1; n is at least 1.
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  /// True once in n.
  bool once_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace gputlm
