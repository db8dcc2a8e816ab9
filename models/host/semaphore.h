// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "gputlm/host/little_endian.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// What a release leaves in memory: one word of payload, two, or four: two of payload and the time in ns.
inline std::vector<unsigned char> semaphore_bytes(std::uint64_t payload, unsigned words, Fs time) {
  std::vector<unsigned char> bytes;
  if (words == 1)
    append_word(bytes, static_cast<std::uint32_t>(payload));
  else
    append_word(bytes, payload);
  if (words == 4) append_word(bytes, static_cast<std::uint64_t>(time / kFsPerNs));
  return bytes;
}

}  // namespace gputlm
