// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/sass/listing.h"

namespace gputlm {

/// Bytes a lane moves, and whether a load of less than a register extends the sign.
struct AccessWidth {
  std::uint8_t bytes = 4;
  bool is_signed = false;

  unsigned words() const { return bytes <= 4 ? 1 : bytes / 4U; }
};

/// The width among a memory instruction's modifiers; 32 bits when none is named.
inline AccessWidth access_width(const SassInstruction& i) {
  if (i.has("U8") || i.has("S8")) return {1, i.has("S8")};
  if (i.has("U16") || i.has("S16")) return {2, i.has("S16")};
  if (i.has("64")) return {8, false};
  if (i.has("128")) return {16, false};
  return {};
}

}  // namespace gputlm
