// SPDX-License-Identifier: Apache-2.0
//
// A port that answers b_transport loosely timed, for bringing up software: reads and writes take effect at once, in the
// order of the calls, through the coherent debug road; the call never waits, and the delay that comes back has an
// estimate of the time added (loose_timing.h). Everything else goes on to the approximately timed port behind:
// non-blocking calls, debug access, and what a sideband asks for beyond loads and stores.
#pragma once

#include <cstdint>

#include "gputlm/ports/loose_timing.h"
#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// Sockets: `in` faces the initiator, `out` a BusPort.
class LoosePort : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  /// `number`: of the port, for the estimate, which all ports share. `bytes`: addresses from there on are refused.
  LoosePort(const sc_core::sc_module_name& name, LooseTiming& timing, unsigned number, std::uint64_t bytes);

  tlm::tlm_target_socket<32> in;
  tlm::tlm_initiator_socket<32> out;

 private:
  void b_transport(Payload& p, sc_core::sc_time& t) override;
  tlm::tlm_response_status check(const Payload& p) const;
  Fs time_of(const Payload& p, Fs at);

  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    return out->nb_transport_fw(p, phase, t);
  }
  unsigned transport_dbg(Payload& p) override { return out->transport_dbg(p); }
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override { return out->get_direct_mem_ptr(p, dmi); }
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    return in->nb_transport_bw(p, phase, t);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    in->invalidate_direct_mem_ptr(first, last);
  }

  LooseTiming& timing_;
  const unsigned number_;
  const std::uint64_t bytes_;
};

}  // namespace gputlm
