// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/constraints.h"

namespace gputlm {

const std::vector<Constraint>& constraints() {
  static const std::vector<Constraint> table = [] {
    std::vector<Constraint> all;
    add_cache_constraints(all);
    add_road_constraints(all);
    add_dram_constraints(all);
    add_dram_map_constraints(all);
    add_host_constraints(all);
    add_sm_constraints(all);
    return all;
  }();
  return table;
}

}  // namespace gputlm
