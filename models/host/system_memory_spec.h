// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of the host's memory as the link meets it.
struct SystemMemorySpec {
  std::uint64_t capacity = 0;  ///< Bytes.
  Fs read_latency = 0;         ///< A read request at the root complex to its data there.
};

}  // namespace gputlm
