// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace gputlm {

/// Where a GPU virtual address lies: in the card's memory, or in the host's behind the link.
struct GpuLocation {
  bool in_host = false;
  std::uint64_t physical = 0;
};

/// What the GPU's page tables say. Pages are at least 4 KiB, so a line lies in one place.
class GpuAddressSpace {
 public:
  virtual ~GpuAddressSpace() = default;
  /// Nothing for an address that is not mapped.
  virtual std::optional<GpuLocation> locate(std::uint64_t gpu_virtual) const = 0;
  /// Bytes of the card's memory: there its physical addresses end.
  virtual std::uint64_t device_bytes() const = 0;
};

}  // namespace gputlm
