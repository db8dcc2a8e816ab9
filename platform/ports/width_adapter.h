// SPDX-License-Identifier: Apache-2.0
//
// A socket of another width in front of a 32-bit one, or behind it. The width of a TLM socket says which sockets may be
// bound to each other and how wide a beat of theirs is; a transaction is the same object on either side, so nothing is
// cut or joined here and no time passes: data move at the rate of what lies behind.
#pragma once

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

/// Every call of either side is handed on, the payload untouched; who derives from it may answer some of them itself.
/// Sockets: `in` faces an initiator of IN bits, `out` a target of OUT bits.
template <unsigned IN, unsigned OUT = 32>
class WidthAdapter : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  explicit WidthAdapter(const sc_core::sc_module_name& name) : sc_module(name), in("in"), out("out") {
    in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
    out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  }

  tlm::tlm_target_socket<IN> in;
  tlm::tlm_initiator_socket<OUT> out;

 protected:
  using Payload = tlm::tlm_generic_payload;

 private:
  tlm::tlm_sync_enum nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    return out->nb_transport_fw(p, phase, t);
  }
  void b_transport(Payload& p, sc_core::sc_time& t) override { out->b_transport(p, t); }
  unsigned transport_dbg(Payload& p) override { return out->transport_dbg(p); }
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override { return out->get_direct_mem_ptr(p, dmi); }
  tlm::tlm_sync_enum nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override {
    return in->nb_transport_bw(p, phase, t);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    in->invalidate_direct_mem_ptr(first, last);
  }
};

}  // namespace gputlm
