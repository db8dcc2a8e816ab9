// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/sideband.h"

namespace gputlm {

/// Gives a line transaction the meaning of the access that it is a part of: what the access's creator wrote and what
/// holds for every part alike. Addresses, lanes, creator and cookie are the part's own.
inline void pass_on(const Sideband& access, Sideband& part) {
  part.operation = access.operation;
  part.semantics = access.semantics;
  part.scope = access.scope;
  part.function = access.function;
  part.word_bytes = access.word_bytes;
  part.eviction = access.eviction;
  part.origin = access.origin;
}

}  // namespace gputlm
