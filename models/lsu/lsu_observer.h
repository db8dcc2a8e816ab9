// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// What an LSU tells whoever watches it. Calls come in the order in which the LSU does things.
class LsuObserver {
 public:
  virtual ~LsuObserver() = default;
  /// A line transaction is about to leave for L1 (loads, stores, atomics, invalidates and system barriers).
  virtual void on_line_request(unsigned /*sm*/, const Payload& /*line*/) {}
  /// Its response is in: status and data are final.
  virtual void on_line_response(unsigned /*sm*/, const Payload& /*line*/) {}
  /// A line of `access` came back with an error; `address` is virtual, of the first byte in that line that the lowest
  /// lane concerned (or the contiguous access) touches.
  virtual void on_fault(unsigned /*sm*/, const Payload& /*access*/, std::uint64_t /*address*/,
                        tlm::tlm_response_status /*status*/) {}
  /// A warp access is about to be answered: status and data are final.
  virtual void on_access_answered(unsigned /*sm*/, const Payload& /*access*/) {}
  /// The L1 has dropped every line for a fence or an acquire, which is answered next.
  virtual void on_invalidate(unsigned /*sm*/) {}
};

}  // namespace gputlm
