// SPDX-License-Identifier: Apache-2.0
//
// Virtual to physical addresses of one GPU, shared by all its MMUs. Flat: sorted extents of whole pages. The levels of
// the hardware's table are left out, since no walk to memory has ever been observed (its next level covers all of
// VRAM).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gputlm {

/// One page: bytes [virtual_base, virtual_base + bytes) lie at physical_base.
struct Page {
  std::uint64_t virtual_base = 0, physical_base = 0, bytes = 0;

  bool contains(std::uint64_t virtual_address) const { return virtual_address - virtual_base < bytes; }
  std::uint64_t translate(std::uint64_t virtual_address) const {
    return virtual_address - virtual_base + physical_base;
  }
};

/// Map of virtual extents to physical ones. Several virtual extents may name one physical range (aliases); no virtual
/// address is mapped twice. MMUs cache pages: after unmap() or clear() each needs a flush_tlb().
class PageTable {
 public:
  /// `page_bytes`: size of a page unless map() says otherwise; a power of two.
  explicit PageTable(std::uint64_t page_bytes);

  /// Maps [virtual_base, virtual_base + bytes) to physical_base onward in pages of `page_bytes` (0: the table's own
  /// size). Throws std::invalid_argument, naming both parties, on a misaligned, empty or overlapping extent.
  void map(std::uint64_t virtual_base, std::uint64_t physical_base, std::uint64_t bytes, std::uint64_t page_bytes = 0);
  /// Removes an extent as it was mapped; false when there is none with that base.
  bool unmap(std::uint64_t virtual_base);
  void clear();

  /// Page that holds the virtual address.
  std::optional<Page> find(std::uint64_t virtual_address) const;
  std::optional<std::uint64_t> translate(std::uint64_t virtual_address) const;

  /// Visits each virtual range (first, last) that names bytes of the physical range [first, last].
  template <class Visit>
  void for_each_alias(std::uint64_t first, std::uint64_t last, Visit visit) const {
    for (std::size_t i = by_physical_.size(); i-- > 0;) {
      if (by_physical_[i].last_up_to_here < first) return;
      const Extent& e = extents_[by_physical_[i].extent];
      if (e.physical_base > last || e.physical_base + (e.bytes - 1) < first) continue;
      const std::uint64_t from = first > e.physical_base ? first - e.physical_base : 0;
      const std::uint64_t to = last - e.physical_base < e.bytes - 1 ? last - e.physical_base : e.bytes - 1;
      visit(e.virtual_base + from, e.virtual_base + to);
    }
  }

 private:
  struct Extent {
    std::uint64_t virtual_base, physical_base, bytes, page_bytes;
  };
  /// Extents ordered by physical base; the running maximum of their ends tells where a search backward may stop.
  struct Reverse {
    std::size_t extent;
    std::uint64_t last_up_to_here;
  };

  void index_physical();

  const std::uint64_t page_bytes_;
  std::vector<Extent> extents_;  ///< Ordered by virtual base.
  std::vector<Reverse> by_physical_;
};

}  // namespace gputlm
