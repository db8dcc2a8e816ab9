// SPDX-License-Identifier: Apache-2.0
//
// A card's engines with the model's own host memory behind the link.
#pragma once

#include "gputlm/host/system_memory.h"
#include "gputlm/launch/card_engines.h"

namespace gputlm {

/// `link.host` is left to be bound to whoever is the CPU.
class HostSide : public CardEngines {
 public:
  HostSide(const sc_core::sc_module_name& name, Gpu& gpu);

  SystemMemory memory;
};

}  // namespace gputlm
