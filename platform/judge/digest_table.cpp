// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/digest_table.h"

namespace gputlm {

DigestTable::DigestTable(std::uint64_t memory_bytes) : memory_bytes_(memory_bytes) {}

DigestTable::Page& DigestTable::add_page(std::uint64_t line) {
  const std::uint64_t page = line / kPageBytes;
  const std::size_t group = page / kPagesPerGroup;
  if (group >= groups_.size()) groups_.resize(group + 1);
  if (groups_[group] == nullptr) groups_[group] = std::make_unique<Group>();
  std::unique_ptr<Page>& slot = (*groups_[group])[page % kPagesPerGroup];
  slot = std::make_unique<Page>();
  ++pages_;
  return *slot;
}

void DigestTable::clear() {
  groups_.clear();
  pages_ = 0;
}

}  // namespace gputlm
