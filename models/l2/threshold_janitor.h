// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/cleaning_policy.h"

namespace gputlm {

/// The hardware's janitor (WRITES; the first threshold of PAT-A): a store to a set with dirty_threshold or more dirty
/// lines cleans the least recently stored one. With trigger `new_dirty_line` only a store that would add a dirty line
/// does (H200).
class ThresholdJanitor : public CleaningPolicy {
 public:
  explicit ThresholdJanitor(const JanitorSpec& spec)
      : threshold_(spec.dirty_threshold), only_new_(spec.trigger == "new_dirty_line") {}
  bool wants_cleaning(unsigned dirty_lines, bool new_dirty_line) const override {
    return dirty_lines >= threshold_ && (new_dirty_line || !only_new_);
  }
  unsigned choose(WayMask cleanable, const std::uint64_t* last_store) const override {
    return oldest_way(cleanable, last_store);
  }

 private:
  unsigned threshold_;
  bool only_new_;
};

}  // namespace gputlm
