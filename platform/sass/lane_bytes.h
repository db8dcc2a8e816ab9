// SPDX-License-Identifier: Apache-2.0
//
// Between a lane's registers and bytes in memory, and the functions of atomics.
#pragma once

#include "gputlm/sass/access_width.h"
#include "gputlm/sass/binding.h"

namespace gputlm {

/// Writes a lane's loaded bytes to its registers, extending what is narrower than one.
void load_lane(WarpState& w, Lane lane, const Destination& d, AccessWidth width, const unsigned char* from);

/// Copies a lane's registers to its bytes in memory.
void store_lane(const WarpState& w, Lane lane, const Source& s, AccessWidth width, unsigned char* to);

/// The function among an atomic's modifiers. Throws Unsupported.
AtomicFunction atomic_function(const SassInstruction& i);

}  // namespace gputlm
