// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/warp/warp_program.h"

namespace gputlm {

/// How compiled code writes this access, without what a release needs ahead of it and an acquire behind it.
std::string access_opcode(const WarpInstruction& access, unsigned lane_bytes);
/// MEMBAR, or CCTL.IVALL for what only acquires.
std::string fence_opcode(Semantics semantics, Scope scope);

}  // namespace gputlm
