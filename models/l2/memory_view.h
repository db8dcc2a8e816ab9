// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

namespace gputlm {

/// What a slice may be told of the memory behind it, by whoever knows both; for cleaning policies that ask.
struct MemoryView {
  /// A number of its own for each DRAM row. Empty: rows are not known, and no line has another's.
  std::function<std::uint64_t(std::uint64_t line)> row_of;
  /// The slice's controller has no request waiting. Empty: it is idle whenever the slice has nothing under way.
  std::function<bool()> idle;
};

}  // namespace gputlm
