// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/constraints.h"

namespace gputlm {

void add_host_constraints(std::vector<Constraint>& table) {
  constexpr std::uint64_t kHostPage = 4096;
  table.push_back({{"host.pcie.max_payload"},
                   "host.pcie.max_payload must be a power of two",
                   [](const Config& c) { return is_power_of_two(c.host.pcie.max_payload); },
                   {}});
  table.push_back({{"host.memory.capacity"},
                   "host.memory.capacity must be a whole number of 4 KiB pages",
                   [](const Config& c) { return c.host.memory.capacity % kHostPage == 0; },
                   {}});
}

}  // namespace gputlm
