// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/config/config.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// What the slowest place on the road takes for a line by its rate alone: an SM's exit, a port of the crossbar, an L1
/// hit, a slice, a DRAM channel.
Fs slowest_line_time(const Config& config);

}  // namespace gputlm
