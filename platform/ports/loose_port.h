// SPDX-License-Identifier: Apache-2.0
//
// A port that answers b_transport loosely timed, for bringing up software: reads and writes take effect at once, in the
// order of the calls, through the coherent debug road; the call never waits, and the delay that comes back has an
// estimate of the time added (loose_timing.h). Everything else goes on to the approximately timed port behind:
// non-blocking calls, debug access, and what a sideband asks for beyond loads and stores.
#pragma once

#include <cstdint>

#include "gputlm/ports/loose_timing.h"
#include "gputlm/ports/width_adapter.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// Sockets: `in` faces the initiator, `out` a BusPort.
class LoosePort : public WidthAdapter<32> {
 public:
  /// `number`: of the port, for the estimate, which all ports share. `bytes`: addresses from there on are refused.
  LoosePort(const sc_core::sc_module_name& name, LooseTiming& timing, unsigned number, std::uint64_t bytes);

 private:
  void b_transport(Payload& p, sc_core::sc_time& t) override;
  tlm::tlm_response_status check(const Payload& p) const;
  Fs time_of(const Payload& p, Fs at);

  LooseTiming& timing_;
  const unsigned number_;
  const std::uint64_t bytes_;
};

}  // namespace gputlm
