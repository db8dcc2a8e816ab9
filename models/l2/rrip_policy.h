// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/rrpv_policy.h"

namespace gputlm {

/// The hardware's re-reference interval prediction (WRITES, footnote 5): lines are inserted at insert_rrpv, a load hit
/// sets load_hit_rrpv, ties go to the least recently used.
class RripPolicy : public RrpvPolicy {
 public:
  RripPolicy(const ReplacementSpec& spec, const ReplacementPlace& place);
  void on_insert(const SetWays& set, unsigned way) override { set.rrpv[way] = insert_; }
  void on_load_hit(const SetWays& set, unsigned way) override { set.rrpv[way] = load_hit_; }
  void on_store_hit(const SetWays& set, unsigned way) override;
  unsigned next(const SetWays& set, WayMask candidates) const override;

 private:
  std::uint8_t insert_, load_hit_;
  bool promote_stores_;
};

}  // namespace gputlm
