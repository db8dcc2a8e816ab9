// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "gputlm/config/constraints.h"
#include "gputlm/config/quantity.h"

namespace gputlm {

namespace {

bool carve_outs_hold(const WorkDistributorSpec& sm) {
  const auto& sizes = sm.carve_outs;
  const bool ascending = std::adjacent_find(sizes.begin(), sizes.end(), std::greater_equal<>()) == sizes.end();
  return ascending && sizes.back() == sm.shared_bytes;
}

}  // namespace

void add_sm_constraints(std::vector<Constraint>& table) {
  table.push_back({{"sm.carve_outs", "sm.shared_bytes"},
                   "sm.carve_outs must ascend and end with sm.shared_bytes",
                   [](const Config& c) { return carve_outs_hold(c.host.distributor); },
                   [](const Config& c) {
                     return "the last " + format_count(c.host.distributor.shared_bytes) +
                            " bytes, each above the one before";
                   }});
  table.push_back({{"instructions.shared_window"},
                   "instructions.shared_window must be a multiple of 16 MiB, a window's size",
                   [](const Config& c) { return c.sass.shared_window % kWindowBytes == 0; },
                   {}});
  table.push_back({{"instructions.local_window"},
                   "instructions.local_window must be a multiple of 16 MiB, a window's size",
                   [](const Config& c) { return c.sass.local_window % kWindowBytes == 0; },
                   {}});
  table.push_back(
      {{"instructions.shared_window", "instructions.local_window"},
       "instructions.shared_window and instructions.local_window must not overlap",
       [](const Config& c) { return c.sass.shared_window / kWindowBytes != c.sass.local_window / kWindowBytes; },
       {}});
}

}  // namespace gputlm
