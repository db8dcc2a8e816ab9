// SPDX-License-Identifier: Apache-2.0
//
// An arrow on which faults happen: bound in its middle like a protocol checker, present only where a fault was asked
// for. Everything but the faults passes untouched and in no time.
#pragma once

#include <array>
#include <unordered_set>
#include <vector>

#include "gputlm/faults/fault.h"
#include "gputlm/tlm/event_queue.h"
#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// Sockets: `in` faces the initiator, `out` the target.
class FaultyArrow : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<> {
 public:
  FaultyArrow(const sc_core::sc_module_name& name, PayloadPool& pool);

  tlm::tlm_target_socket<32> in;
  tlm::tlm_initiator_socket<32> out;

  void add(const InjectedFault& fault) { places_.push_back({fault, 0, {}}); }
  /// Faults whose moment never came.
  std::vector<const InjectedFault*> pending() const;

 private:
  using Sync = tlm::tlm_sync_enum;
  /// A fault and how many of its targets have passed.
  struct Place {
    InjectedFault fault;
    std::uint64_t seen;
    std::array<unsigned char, kLineBytes> enables;  ///< What a flipped mask becomes.
  };
  /// What the arrow does later of its own accord.
  struct Later {
    enum class What : std::uint8_t { forward, own_request, answer, response } what;
    PayloadRef payload;
  };

  // faulty_arrow.cpp: the calls
  Sync nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override;
  Sync nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) override;
  void b_transport(Payload& p, sc_core::sc_time& t) override { out->b_transport(p, t); }
  unsigned transport_dbg(Payload& p) override { return out->transport_dbg(p); }
  bool get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) override { return out->get_direct_mem_ptr(p, dmi); }
  void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override {
    in->invalidate_direct_mem_ptr(first, last);
  }
  Sync send(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t);
  Sync accepted(Payload& p, Sync result, tlm::tlm_phase& phase, sc_core::sc_time& t, const sc_core::sc_time& sent);
  void run();
  void send_queued();
  void answer(const PayloadRef& p, tlm::tlm_phase_enum phase, sc_core::sc_time t = sc_core::SC_ZERO_TIME);

  // fault_effects.cpp: what a fault does
  Place* due(FaultTarget target, const Payload& p);
  Sync faulty_request(Place& place, Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t);
  Sync faulty_response(const Place& place, Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t);
  static void flip_data(const Place& place, Payload& p);
  static void flip_mask(Place& place, Payload& p);
  PayloadRef copy_of(const Payload& p);
  void later(Fs delay, Later::What what, PayloadRef p);

  PayloadPool& pool_;
  std::vector<Place> places_;
  Payload* pending_ = nullptr;  ///< With the target, without END_REQ.
  Ring<Later> waiting_;         ///< Requests that wait until the target takes the next.
  TimedQueue<Later> later_;
  std::unordered_set<const Payload*> own_;  ///< Requests that the initiator knows nothing of.
  Wakeup wake_;
};

}  // namespace gputlm
