// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/digest_table.h"

#include <new>

namespace gputlm {

DigestTable::DigestTable(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

DigestTable::Page& DigestTable::add_page(std::uint64_t line) {
  const std::uint64_t page = line / kPageBytes;
  const std::size_t group = page / kPagesPerGroup;
  if (group >= groups_.size()) groups_.resize(group + 1);
  if (groups_[group] == nullptr) groups_[group] = std::make_unique<Group>();
  ++pages_;
  return *((*groups_[group])[page % kPagesPerGroup] = new (memory_.take()) Page{});
}

void DigestTable::clear() {
  groups_.clear();
  memory_.clear();
  pages_ = 0;
}

}  // namespace gputlm
