// SPDX-License-Identifier: Apache-2.0
//
// What memory must hold at one point of an experiment (before a phase, at the end), byte for byte, computed from the
// image and from what the kernels state about their results, never from the simulated chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/workload/byte_source.h"

namespace gputlm {

/// One physical range with one source, or with a reason why its contents are not determinate.
struct ExpectedRange {
  std::uint64_t begin = 0, end = 0;  ///< Physical bytes [begin, end).
  std::uint64_t shift = 0;           ///< The source is asked for physical address + shift (modulo 2^64).
  ByteSourcePtr source;              ///< Null: not determinate.
  std::string reason;                ///< Why not, for people.

  bool determinate() const { return source != nullptr; }
};

/// Physical memory as disjoint ranges in address order; what no range covers holds zeros.
class ExpectedMemory {
 public:
  /// From now on `range` holds what its source says; earlier statements about its bytes are forgotten.
  void lay(const ExpectedRange& range);
  /// The expected bytes. False, and `out` undefined, when one of them is not determinate.
  bool bytes(std::uint64_t physical, std::size_t length, unsigned char* out) const;
  /// True when every byte of the range is determinate.
  bool determinate(std::uint64_t physical, std::uint64_t length) const;
  /// The first reason in the range why a byte is not determinate; empty when all are.
  std::string reason(std::uint64_t physical, std::uint64_t length) const;

  const std::vector<ExpectedRange>& ranges() const { return ranges_; }

 private:
  std::vector<ExpectedRange>::const_iterator first_after(std::uint64_t physical) const;

  std::vector<ExpectedRange> ranges_;
};

}  // namespace gputlm
