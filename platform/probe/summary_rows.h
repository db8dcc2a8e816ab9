// SPDX-License-Identifier: Apache-2.0
//
// The headline figures of a whole run as rows, under the names that they have in summary.json.
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "gputlm/probe/probe_run.h"

namespace gputlm {

/// A row for each headline figure.
inline void summary_rows(ProbeRun& run, const Measurement& m) {
  struct Figure {
    const char *name, *unit;
  };
  static constexpr std::array<Figure, 8> kFigures{{{"simulated_ns", "ns"},
                                                   {"dram.bytes_read", "B"},
                                                   {"dram.bytes_written", "B"},
                                                   {"dram.read_utilisation", "of peak"},
                                                   {"dram.write_utilisation", "of peak"},
                                                   {"l2.janitor_cleans", "line"},
                                                   {"l2.dirty_bytes_end", "B"},
                                                   {"sm.throttled_peak", "SM"}}};
  for (const PhaseResult& p : m.phases) run.row("phases." + p.name + ".duration", p.duration_ns(), "ns");
  for (const Figure& f : kFigures) {
    std::string path = "/" + std::string(f.name);
    std::replace(path.begin(), path.end(), '.', '/');
    run.row(f.name, m.summary.at(Json::json_pointer(path)).get<double>(), f.unit);
  }
}

}  // namespace gputlm
