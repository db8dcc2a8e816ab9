// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// Performs a reduction or atomic on a line image: `line` (128 bytes) takes the new values. Written from the PTX ISA's
/// description of atom and red, and shares nothing with the slice's own arithmetic, which it judges.
void perform_atomic(unsigned char* line, const Payload& atomic, const Sideband& sideband);

}  // namespace gputlm
