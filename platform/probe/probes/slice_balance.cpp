// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gputlm/probe/probe_run.h"

namespace gputlm::probes {
namespace {

double spread(const std::vector<double>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *most - *least;
}

}  // namespace

void slice_balance(ProbeRun& run) {
  for (const std::string base : {"0", "1", "5"}) {
    const Measurement m = run.measure({{"buffer", "at_" + base}}, {}, Recording::counters);
    run.row(fmt::format("base_gib={},slices", base), spread(m.each("l2", "loads")), "line");
    run.row(fmt::format("base_gib={},controllers", base), spread(m.each("mc", "reads")), "line");
  }
  for (const std::uint64_t stride : run.counts("strides")) {
    const Measurement m =
        run.measure({{"buffer", "strided"}, {"stride", fmt::format("{} B", stride)}}, {}, Recording::counters);
    const auto& loads = m.each("l2", "loads");
    run.row(fmt::format("stride={},slices_used", stride),
            static_cast<double>(std::count_if(loads.begin(), loads.end(), [](double n) { return n > 0; })), "slice");
  }
}

}  // namespace gputlm::probes
