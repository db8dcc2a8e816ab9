// SPDX-License-Identifier: Apache-2.0
//
// How long the CPU's accesses to BAR1 take, loosely timed: the link's latencies and the time of its wires, and what the
// memory behind needs (loose_timing.h). A store is posted: it takes its place in the link's order and no more, unless
// more wait for the wire than the link queues. Left out: what engines and SMs send over the same wires.
#pragma once

#include "gputlm/host/pcie_link.h"
#include "gputlm/loose/loose_memory.h"

namespace gputlm {

class LooseBar {
 public:
  /// `port`: of the memory behind.
  LooseBar(LooseMemory& memory, const PcieLink& link, unsigned port, const Config& config);

  /// BAR1, for a LoosePort.
  LooseRange range();

 private:
  Fs access(LoosePiece piece, Fs at);

  LooseMemory& memory_;
  const PcieLink& link_;
  const unsigned port_;
  const std::uint64_t bytes_;
  const Fs line_time_;  ///< Of a wire.
  const Fs queue_;      ///< Lines that may wait for it.
  BookedTime down_, up_;
};

}  // namespace gputlm
