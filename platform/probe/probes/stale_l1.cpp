// SPDX-License-Identifier: Apache-2.0
#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {

void stale_l1(ProbeRun& run) {
  const Measurement m = run.measure();
  for (std::uint32_t i = 0; i < m.phases.size(); ++i) {
    // A phase's first kernel is the reader: two looks, a look after the store, perhaps a step, a last look.
    const std::vector<AccessTimes> looks = m.of_kernel(2 * i);
    const auto row = [&](const std::string& when, const AccessTimes& look) {
      run.row(m.phases[i].name + "," + when, look.loaded == looks.front().loaded ? 1 : 0, "stale");
    };
    row("before", looks.at(2));
    for (std::size_t step = 3; step + 1 < looks.size(); ++step)
      if (looks[step].operation == Operation::load && looks[step].address == looks.front().address)
        row("itself", looks[step]);
    row("after", looks.back());
  }
}

}  // namespace gputlm::probes
