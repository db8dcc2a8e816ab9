// SPDX-License-Identifier: Apache-2.0
//
// A port that answers b_transport loosely timed, for bringing up software: reads and writes take effect at once, in the
// order of the calls, through the coherent debug road; the call never waits, and the delay that comes back has an
// estimate of the time added. Everything else goes on to the approximately timed port behind: non-blocking calls, debug
// access, other addresses, and what a sideband asks for beyond loads and stores.
#pragma once

#include <cstdint>
#include <functional>

#include "gputlm/ports/width_adapter.h"
#include "gputlm/tlm/byte_mask.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Addresses that a loose port answers itself, and how long that takes.
struct LooseRange {
  std::uint64_t first = 0, bytes = 0;
  /// When the access to `mask` of a line is answered that begins at `at`.
  std::function<Fs(std::uint64_t line, ByteMask mask, bool reads, Fs at)> time_of;
};

/// Sockets: `in` faces the initiator, `out` a BusPort.
class LoosePort : public WidthAdapter<32> {
 public:
  LoosePort(const sc_core::sc_module_name& name, LooseRange range);

 private:
  void b_transport(Payload& p, sc_core::sc_time& t) override;
  bool answers(const Payload& p) const;
  Fs time_of(const Payload& p, Fs at) const;

  const LooseRange range_;
};

}  // namespace gputlm
