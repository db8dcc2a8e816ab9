// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Simulated time in which a recording takes note: from `begin`, and before `end`.
struct TraceWindow {
  Fs begin = 0, end = kNever;

  bool contains(Fs t) const { return begin <= t && t < end; }
};

/// `A:B`, times with units; an end that is left out is open (`:5us`, `1ms:`). Throws ConfigError that names `option`.
TraceWindow parse_trace_window(const std::string& text, const std::string& option);

}  // namespace gputlm
