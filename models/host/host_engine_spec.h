// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of the host engine.
struct HostEngineSpec {
  Fs method_time = 0;        ///< Decoding one word of a pushbuffer.
  unsigned fetch_bytes = 0;  ///< A pushbuffer segment is fetched in parts of this size.
  Fs acquire_poll = 0;       ///< A semaphore that does not yet hold is read again after this time.
  Fs acquire_timeout = 0;    ///< After which an acquire is a channel error.
};

}  // namespace gputlm
