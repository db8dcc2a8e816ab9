// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of the host side as the memory path sees it.
struct HostSpec {
  Fs ordering_round_trip = 0;  ///< System barrier from the crossbar to the host's ordering point and back (740 ns).
};

}  // namespace gputlm
