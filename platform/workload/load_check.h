// SPDX-License-Identifier: Apache-2.0
//
// Judges loaded data by what memory held before the kernel (and, where its own stores race with its loads, by what
// those put there).
#pragma once

#include <cstdint>
#include <memory>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/workload/buffer.h"
#include "gputlm/workload/check_counter.h"
#include "gputlm/workload/expectation.h"

namespace gputlm {

/// Checks loads of one buffer. Bytes that are not determinate are neither counted nor judged.
class LoadCheck {
 public:
  LoadCheck(const Buffer& buffer, std::shared_ptr<const ExpectedMemory> before, CheckCounter& counter)
      : buffer_(buffer), before_(std::move(before)), counter_(&counter) {}

  /// A returned load whose active lanes are the lowest ones, one after the other in memory.
  void contiguous(const Payload& access) const;
  /// A returned load of any lanes.
  void lanes(const Payload& access) const;
  /// As lanes(), where each lane may also hold the pattern data of `seed`.
  void lanes_or_pattern(const Payload& access, std::uint64_t seed) const;

 private:
  template <class Judge>
  void each_run(const Payload& access, Judge judge) const;

  Buffer buffer_;
  std::shared_ptr<const ExpectedMemory> before_;
  CheckCounter* counter_;
};

/// Warp access's lanes and origin.
inline const WarpLanes& lanes_of(const Payload& access) {
  return *find_sideband(access)->lanes;
}
inline const Origin& origin_of(const Payload& access) {
  return find_sideband(access)->origin;
}

}  // namespace gputlm
