// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/host_memory.h"

namespace gputlm {

/// Four digests per line of a physical address space: 32 bytes a line, in pages of 64 KiB of memory that come into
/// being with their first store. A digest of 0 stands for a sector that was never stored.
class DigestTable {
 public:
  using LineEntry = std::array<std::uint64_t, kSectorsPerLine>;

  /// Addresses from `memory_bytes` on are outside.
  explicit DigestTable(std::uint64_t memory_bytes);

  bool covers(std::uint64_t line) const { return line < memory_bytes_; }
  /// The line's digests, null if nothing near it was stored.
  const LineEntry* find(std::uint64_t line) const {
    const Page* page = page_at(line);
    return page == nullptr ? nullptr : &(*page)[index_in_page(line)];
  }
  /// The line's digests, for writing.
  LineEntry& at(std::uint64_t line) {
    const Page* page = page_at(line);
    return (page == nullptr ? add_page(line) : *const_cast<Page*>(page))[index_in_page(line)];
  }
  /// Calls visit(line, entry) for every line with a stored sector, in address order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t p = 0; groups_[g] != nullptr && p < kPagesPerGroup; ++p)
        if ((*groups_[g])[p] != nullptr) visit_page(*(*groups_[g])[p], (g * kPagesPerGroup + p) * kPageBytes, visit);
  }
  void clear();
  /// Host memory in use.
  std::size_t bytes() const { return pages_ * sizeof(Page); }

 private:
  static constexpr std::uint64_t kPageBytes = 64 * 1024;
  static constexpr std::size_t kLinesPerPage = kPageBytes / kLineBytes;
  static constexpr std::size_t kPagesPerGroup = 1024;
  using Page = std::array<LineEntry, kLinesPerPage>;
  using Group = std::array<Page*, kPagesPerGroup>;

  static std::size_t index_in_page(std::uint64_t line) { return (line / kLineBytes) % kLinesPerPage; }
  const Page* page_at(std::uint64_t line) const {
    const std::uint64_t page = line / kPageBytes;
    const std::size_t group = page / kPagesPerGroup;
    return group < groups_.size() && groups_[group] != nullptr ? (*groups_[group])[page % kPagesPerGroup] : nullptr;
  }
  Page& add_page(std::uint64_t line);
  template <class Visit>
  static void visit_page(const Page& page, std::uint64_t first, Visit& visit) {
    for (std::size_t i = 0; i < kLinesPerPage; ++i)
      if (const LineEntry& e = page[i]; (e[0] | e[1] | e[2] | e[3]) != 0) visit(first + i * kLineBytes, e);
  }

  std::uint64_t memory_bytes_;
  std::vector<std::unique_ptr<Group>> groups_;
  BlockArena memory_{sizeof(Page)};
  std::size_t pages_ = 0;
};

}  // namespace gputlm
