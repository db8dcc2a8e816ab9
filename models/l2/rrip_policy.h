// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {

/// Re-reference interval prediction (WRITES, footnote 5): lines are inserted at insert_rrpv, a load hit sets
/// load_hit_rrpv, a victim has the last level; when no candidate has it, all of the set are raised until one has. Ties
/// go to the least recently used.
class RripPolicy : public ReplacementPolicy {
 public:
  explicit RripPolicy(const ReplacementSpec& spec);
  void on_insert(const SetWays& set, unsigned way) const override { set.rrpv[way] = insert_; }
  void on_load_hit(const SetWays& set, unsigned way) const override { set.rrpv[way] = load_hit_; }
  void on_store_hit(const SetWays& set, unsigned way) const override;
  void prepare(const SetWays& set, WayMask candidates) const override;
  unsigned next(const SetWays& set, WayMask candidates) const override;

 private:
  std::uint8_t last_, insert_, load_hit_;
  bool promote_stores_;
};

}  // namespace gputlm
