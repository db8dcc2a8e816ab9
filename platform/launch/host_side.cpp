// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launch/host_side.h"

namespace gputlm {

HostSide::HostSide(const sc_core::sc_module_name& name, Gpu& gpu)
    : CardEngines(name, gpu), memory("memory", gpu.config().host.memory) {
  gpu.mem.wiring.connect(link.to_host, memory.requests);
  gpu.attach(memory);
}

}  // namespace gputlm
