// SPDX-License-Identifier: Apache-2.0
#include "gputlm/l2/set_index.h"

#include "gputlm/l2/modulo_set_index.h"
#include "gputlm/l2/published_set_index.h"
#include "gputlm/l2/strategy_table.h"

namespace gputlm {
namespace {

const StrategyTable<SetIndex, SetIndexSpec, unsigned>& set_indexes() {
  static const StrategyTable<SetIndex, SetIndexSpec, unsigned> table{
      "set index",
      {{"published", make_strategy<PublishedSetIndex, SetIndex, SetIndexSpec, unsigned>},
       {"modulo", make_strategy<ModuloSetIndex, SetIndex, SetIndexSpec, unsigned>}}};
  return table;
}

}  // namespace

std::unique_ptr<SetIndex> make_set_index(const SetIndexSpec& spec, unsigned sets) {
  return set_indexes().make(spec.type, spec, sets);
}

std::vector<std::string> set_index_names() {
  return set_indexes().names();
}

}  // namespace gputlm
