// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include <tlm_utils/simple_target_socket.h>

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm::test {

/// A target that does with each call whatever it is told.
struct RogueTarget : sc_core::sc_module {
  explicit RogueTarget(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &RogueTarget::nb_transport_fw);
  }
  tlm_utils::simple_target_socket<RogueTarget> socket{"socket"};
  std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&)> on_call;

  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time t;
    return socket->nb_transport_bw(p, phase, t);
  }

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return on_call(p, phase);
  }
};

}  // namespace gputlm::test
