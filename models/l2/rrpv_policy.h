// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/l2/replacement_policy.h"

namespace gputlm {

/// What the policies with re-reference predictions share: a victim has the last level; when no candidate has it, all of
/// the set are raised until one has. They differ in where lines are inserted, what a hit does and how ties go.
class RrpvPolicy : public ReplacementPolicy {
 public:
  void prepare(const SetWays& set, WayMask candidates) final;

 protected:
  explicit RrpvPolicy(const ReplacementSpec& spec) : last_(static_cast<std::uint8_t>(spec.levels - 1)) {}
  std::uint8_t last_level() const { return last_; }
  WayMask eligible(const SetWays& set, WayMask candidates) const;

 private:
  std::uint8_t last_;
};

}  // namespace gputlm
