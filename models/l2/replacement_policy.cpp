// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/replacement_policy.h"

#include "gputlm/l2/brrip_policy.h"
#include "gputlm/l2/drrip_policy.h"
#include "gputlm/l2/lru_policy.h"
#include "gputlm/l2/random_policy.h"
#include "gputlm/l2/rrip_policy.h"
#include "gputlm/l2/srrip_policy.h"
#include "gputlm/l2/strategy_table.h"
#include "gputlm/l2/tree_plru_policy.h"

namespace gputlm {
namespace {

using PolicyTable = StrategyTable<ReplacementPolicy, ReplacementSpec, ReplacementPlace>;

template <class Policy>
constexpr auto kMaker = make_strategy<Policy, ReplacementPolicy, ReplacementSpec, ReplacementPlace>;

const PolicyTable& replacement_policies() {
  static const PolicyTable table{"replacement policy",
                                 {{"rrip", kMaker<RripPolicy>},
                                  {"lru", kMaker<LruPolicy>},
                                  {"tree_plru", kMaker<TreePlruPolicy>},
                                  {"srrip", kMaker<SrripPolicy>},
                                  {"brrip", kMaker<BrripPolicy>},
                                  {"drrip", kMaker<DrripPolicy>},
                                  {"random", kMaker<RandomPolicy>}}};
  return table;
}

}  // namespace

std::unique_ptr<ReplacementPolicy> make_replacement(const ReplacementSpec& spec, const ReplacementPlace& place) {
  return replacement_policies().make(spec.policy, spec, place);
}

std::vector<std::string> replacement_names() {
  return replacement_policies().names();
}

}  // namespace gputlm
