// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/warp/warp_program.h"

namespace gputlm {

/// What an SM's schedulers tell the CTA dispatcher and whoever watches. `warp` is the warp's slot within the SM.
class WarpObserver {
 public:
  virtual ~WarpObserver() = default;
  /// The instruction with this index (from 0) of the warp's program issues now.
  virtual void on_issue(unsigned /*sm*/, unsigned /*warp*/, std::uint32_t /*index*/,
                        const WarpInstruction& /*instruction*/) {}
  /// A warp access has its response: load data, store acknowledgement, atomic result or finished fence. Called before
  /// the program sees it; the status may be an error.
  virtual void on_access_done(unsigned /*sm*/, const Payload& /*access*/) {}
  /// An access failed. `address` is its first active lane's (LsuObserver::on_fault knows the line). The warp runs no
  /// further instruction.
  virtual void on_warp_fault(unsigned /*sm*/, unsigned /*warp*/, std::uint32_t /*index*/, std::uint64_t /*address*/,
                             tlm::tlm_response_status /*status*/) {}
  /// All warps of the CTA have exited, their loads are back; store acknowledgements may still be outstanding. launch()
  /// may be called from here.
  virtual void on_cta_retired(unsigned /*sm*/, std::uint32_t /*kernel*/, std::uint32_t /*cta*/) {}
  /// The SM begins or ends to be throttled: an access of it waits for END_REQ at the LSU.
  virtual void on_throttled(unsigned /*sm*/, bool /*throttled*/) {}
};

}  // namespace gputlm
