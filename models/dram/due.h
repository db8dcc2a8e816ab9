// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// True when time t has come, to the kernel's resolution: an event asked for at t runs at the tick nearest to t, which
/// may lie up to half a tick before it.
inline bool is_due(Fs t) {
  return t <= now() + (fs_per_tick() - 1) / 2;
}

}  // namespace gputlm
