// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <numeric>

#include "hosted_bench.h"

namespace gputlm::test {

/// The small card.
struct Tiny : HostedBench {
  explicit Tiny(const std::vector<std::string>& overrides = {}) : HostedBench("tiny", overrides) {}

  std::uint64_t dram_read() const { return machine.gpu.mem.dram_bytes().read; }
  std::uint64_t page() const { return machine.gpu.config().mmu.page_bytes; }
};

inline std::vector<std::uint32_t> counted(std::uint32_t first, std::size_t count) {
  std::vector<std::uint32_t> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

inline Parameters fill_parameters(std::uint64_t out, std::uint32_t value, int count) {
  return Parameters() << out << value << count;
}

}  // namespace gputlm::test
