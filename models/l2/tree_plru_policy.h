// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {

/// Pseudo-LRU by a binary tree over the ways, a power of two of them: every access makes the nodes on its way down
/// point to the other half, a victim is where they point to. Where that half holds no candidate (busy lines, dirty
/// lines that were handed over) the other half is taken. Node n lies in byte n of the set, the root is node 1. Not the
/// hardware's; for comparison.
class TreePlruPolicy : public ReplacementPolicy {
 public:
  TreePlruPolicy(const ReplacementSpec& /*spec*/, const ReplacementPlace& /*place*/) {}
  void on_insert(const SetWays& set, unsigned way) override { point_away(set, way); }
  void on_load_hit(const SetWays& set, unsigned way) override { point_away(set, way); }
  void on_store_hit(const SetWays& set, unsigned way) override { point_away(set, way); }
  void prepare(const SetWays& /*set*/, WayMask /*candidates*/) override {}
  unsigned next(const SetWays& set, WayMask candidates) const override;

 private:
  static void point_away(const SetWays& set, unsigned way);
};

}  // namespace gputlm
