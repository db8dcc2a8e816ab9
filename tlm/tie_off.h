// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// Bound to a target socket that nobody drives: SystemC wants every port bound. It never calls, and takes what comes.
class TieOff : public tlm::tlm_initiator_socket<32>, private tlm::tlm_bw_transport_if<> {
 public:
  explicit TieOff(const std::string& name) : tlm_initiator_socket(name.c_str()) {
    bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

}  // namespace gputlm
