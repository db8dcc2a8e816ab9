// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "gputlm/l2/line_array.h"

namespace gputlm {

/// The dirty lines of a slice by their DRAM row, for cleaning that goes by rows.
class DirtyRows {
 public:
  void add(std::uint64_t row, Slot slot) { rows_[row].push_back(slot); }
  void remove(std::uint64_t row, Slot slot) {
    const auto found = rows_.find(row);
    if (found == rows_.end()) return;
    std::vector<Slot>& slots = found->second;
    slots.erase(std::remove(slots.begin(), slots.end(), slot), slots.end());
    if (slots.empty()) rows_.erase(found);
  }
  /// A copy: cleaning one line changes the index. In the order in which they became dirty.
  std::vector<Slot> of(std::uint64_t row) const {
    const auto found = rows_.find(row);
    return found == rows_.end() ? std::vector<Slot>{} : found->second;
  }
  void clear() { rows_.clear(); }

 private:
  std::unordered_map<std::uint64_t, std::vector<Slot>> rows_;
};

}  // namespace gputlm
