// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/cleaning_policy.h"

#include "gputlm/l2/eager_cleaning.h"
#include "gputlm/l2/no_cleaning.h"
#include "gputlm/l2/row_aware_cleaning.h"
#include "gputlm/l2/strategy_table.h"
#include "gputlm/l2/threshold_janitor.h"

namespace gputlm {
namespace {

const StrategyTable<CleaningPolicy, JanitorSpec>& cleaning_policies() {
  static const StrategyTable<CleaningPolicy, JanitorSpec> table{
      "cleaning policy",
      {{"threshold", make_strategy<ThresholdJanitor, CleaningPolicy, JanitorSpec>},
       {"none", make_strategy<NoCleaning, CleaningPolicy, JanitorSpec>},
       {"eager", make_strategy<EagerCleaning, CleaningPolicy, JanitorSpec>},
       {"row_aware", make_strategy<RowAwareCleaning, CleaningPolicy, JanitorSpec>}}};
  return table;
}

}  // namespace

std::unique_ptr<CleaningPolicy> make_cleaning(const JanitorSpec& spec) {
  return cleaning_policies().make(spec.policy, spec);
}

std::vector<std::string> cleaning_names() {
  return cleaning_policies().names();
}

}  // namespace gputlm
