// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/host/copy_engine_spec.h"
#include "gputlm/host/host_engine_spec.h"
#include "gputlm/host/pcie_spec.h"
#include "gputlm/host/system_memory_spec.h"
#include "gputlm/host/work_distributor_spec.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of the host side, from the host's memory to the hand-out of blocks.
struct HostSpec {
  /// System barrier to the host's ordering point and back on an idle link (740 ns): also twice the link's latency, plus
  /// the time of two headers.
  Fs ordering_round_trip = 0;
  PcieSpec pcie;
  SystemMemorySpec memory;
  HostEngineSpec engine;
  WorkDistributorSpec distributor;
  CopyEngineSpec copy;
};

}  // namespace gputlm
