// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gputlm/mmu/page_table.h"

namespace gputlm {

/// Fully associative translation buffer with strict LRU. Entries stand in order of use, so that the page of the access
/// before is found first.
class Tlb {
 public:
  explicit Tlb(unsigned entries) : limit_(entries) { pages_.reserve(entries); }

  /// The page that holds the address, now the most recently used; null when it is not here.
  const Page* find(std::uint64_t virtual_address) {
    for (auto it = pages_.begin(); it != pages_.end(); ++it) {
      if (!it->contains(virtual_address)) continue;
      std::rotate(pages_.begin(), it, it + 1);
      return pages_.data();
    }
    return nullptr;
  }
  /// Enters a page in place of the least recently used one.
  void insert(const Page& page) {
    if (pages_.size() == limit_) pages_.pop_back();
    pages_.insert(pages_.begin(), page);
  }
  void flush() { pages_.clear(); }

  /// What is held, most recently used first.
  const std::vector<Page>& pages() const { return pages_; }
  /// Holds exactly these pages, most recently used first; as many as there are entries.
  void hold(const std::vector<Page>& pages) {
    pages_.assign(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(std::min(limit_, pages.size())));
  }

 private:
  const std::size_t limit_;
  std::vector<Page> pages_;
};

}  // namespace gputlm
