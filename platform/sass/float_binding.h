// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/sass/binding.h"
#include "gputlm/sass/float_format.h"

namespace gputlm {

/// .RM, .RP, .RZ, to integers .FLOOR, .CEIL, .TRUNC; to the nearest even otherwise.
inline Rounding rounding_of(const SassInstruction& i) {
  if (i.has("RM") || i.has("FLOOR")) return Rounding::down;
  if (i.has("RP") || i.has("CEIL")) return Rounding::up;
  if (i.has("RZ") || i.has("TRUNC")) return Rounding::zero;
  return Rounding::nearest;
}

}  // namespace gputlm
