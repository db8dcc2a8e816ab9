// SPDX-License-Identifier: Apache-2.0
//
// Boost.Test inside a SystemC process: every test file includes this first. The kernel's resolution is 1 fs.
#pragma once

#include <boost/test/unit_test.hpp>

#include "gputlm/tlm/systemc_guard.h"

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Runs up to time t with everything that happens at t done (sc_start alone leaves that for the next call).
inline void run_until(Fs t) {
  if (t > now()) sc_core::sc_start(to_sc_time(t - now()));
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
}

}  // namespace gputlm
