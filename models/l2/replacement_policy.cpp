// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/replacement_policy.h"

#include "gputlm/l2/lru_policy.h"
#include "gputlm/l2/rrip_policy.h"
#include "gputlm/l2/strategy_table.h"

namespace gputlm {
namespace {

const StrategyTable<ReplacementPolicy, ReplacementSpec>& replacement_policies() {
  static const StrategyTable<ReplacementPolicy, ReplacementSpec> table{
      "replacement policy",
      {{"rrip", make_strategy<RripPolicy, ReplacementPolicy, ReplacementSpec>},
       {"lru", make_strategy<LruPolicy, ReplacementPolicy, ReplacementSpec>}}};
  return table;
}

}  // namespace

std::unique_ptr<ReplacementPolicy> make_replacement(const ReplacementSpec& spec) {
  return replacement_policies().make(spec.policy, spec);
}

std::vector<std::string> replacement_names() {
  return replacement_policies().names();
}

}  // namespace gputlm
