// SPDX-License-Identifier: Apache-2.0
//
// Named ranges of device memory: contiguous in virtual and in physical space, both from a page boundary.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/diagnostics.h"
#include "gputlm/config/virtual_space.h"

namespace gputlm {

/// A buffer as written in the experiment.
struct BufferSpec {
  static constexpr std::uint64_t kAnywhere = ~std::uint64_t{0};

  std::string name;
  std::uint64_t size = 0;
  std::uint64_t at = kAnywhere;        ///< Virtual address; kAnywhere: the next free one.
  std::uint64_t physical = kAnywhere;  ///< Physical address; kAnywhere: the first free one that fits.
  bool mapped = true;                  ///< False: the range has no pages; an access to it is a fault.
  std::string alias_of;                ///< Not empty: a second virtual range of that buffer's physical one.
  std::string path;                    ///< Dotted key, for messages.
  Place place;
};

/// A buffer that has its place in memory.
struct Buffer {
  std::string name;
  std::uint64_t virtual_address = 0;   ///< A multiple of the page size.
  std::uint64_t physical_address = 0;  ///< A multiple of the page size.
  std::uint64_t size = 0;              ///< Bytes that kernels may touch.
  std::uint64_t mapped_bytes = 0;      ///< `size` rounded up to whole pages: what the page table must map.
  bool mapped = true;                  ///< False: must stay out of the page table.
  bool alias = false;                  ///< Shares its physical range with another buffer.

  std::uint64_t physical(std::uint64_t address) const { return address - virtual_address + physical_address; }
  /// Virtual minus physical address, modulo 2^64 (ExpectedRange::shift of a source that is asked for virtual ones).
  std::uint64_t shift() const { return virtual_address - physical_address; }
};

/// Gives every buffer its addresses: fixed ones first, then the others in order, each at the first free page boundary.
/// Reports what does not fit, overlaps or is not aligned.
std::vector<Buffer> place_buffers(const std::vector<BufferSpec>& specs, std::uint64_t page_bytes,
                                  std::uint64_t memory_bytes, Diagnostics& diagnostics);

/// The buffer of that name, or null.
const Buffer* find_buffer(const std::vector<Buffer>& buffers, std::string_view name);

}  // namespace gputlm
