// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/constraints.h"

namespace gputlm {

void add_sm_constraints(std::vector<Constraint>& table) {
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
