// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/tlm/sideband.h"

namespace gputlm {

/// One warp instruction written out lane by lane (pattern `lanes`).
struct LaneAccess {
  Operation operation = Operation::load;  ///< load, store or fence.
  Semantics semantics = Semantics::weak;
  Scope scope = Scope::cta;
  EvictionClass eviction = EvictionClass::normal;
  std::uint8_t lane_bytes = 4;
  std::uint32_t active = 0;  ///< Lane mask.
  std::vector<std::uint64_t>
      offsets;  ///< Byte offset in the buffer per lane; 32, or one for each lane up to the last active.
  std::vector<std::uint64_t> values;  ///< Store data per lane; empty: pattern data of the address.
  bool wait = true;                   ///< A load's data are back before the next instruction issues.
};

}  // namespace gputlm
