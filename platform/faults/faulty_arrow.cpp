// SPDX-License-Identifier: Apache-2.0
#include "gputlm/faults/faulty_arrow.h"

#include <utility>

namespace gputlm {

FaultyArrow::FaultyArrow(const sc_core::sc_module_name& name, PayloadPool& pool)
    : sc_module(name), in("in"), out("out"), pool_(pool), wake_("wake", [this] { run(); }) {
  in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
}

std::vector<const InjectedFault*> FaultyArrow::pending() const {
  std::vector<const InjectedFault*> list;
  for (const Place& place : places_)
    if (place.seen < place.fault.n) list.push_back(&place.fault);
  return list;
}

tlm::tlm_sync_enum FaultyArrow::nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
  if (phase != tlm::BEGIN_REQ) return out->nb_transport_fw(p, phase, t);
  for (const FaultTarget target : {FaultTarget::request, FaultTarget::write_back})
    if (Place* place = due(target, p)) return faulty_request(*place, p, phase, t);
  return send(p, phase, t);
}

// The initiator's own request, behind those that wait.
tlm::tlm_sync_enum FaultyArrow::send(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
  if (pending_ != nullptr || !waiting_.empty()) {
    waiting_.push_back({Later::What::forward, PayloadRef(p)});
    return tlm::TLM_ACCEPTED;
  }
  const sc_core::sc_time sent = t;
  pending_ = &p;
  return accepted(p, out->nb_transport_fw(p, phase, t), phase, t, sent);
}

// What the target answered at once; an END_REQ may get lost on its way back.
tlm::tlm_sync_enum FaultyArrow::accepted(Payload& p, Sync result, tlm::tlm_phase& phase, sc_core::sc_time& t,
                                         const sc_core::sc_time& sent) {
  if (result == tlm::TLM_ACCEPTED) return result;
  if (pending_ == &p) pending_ = nullptr;
  if (result != tlm::TLM_UPDATED || phase != tlm::END_REQ || due(FaultTarget::acceptance, p) == nullptr) return result;
  phase = tlm::BEGIN_REQ;
  t = sent;
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum FaultyArrow::nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
  if (pending_ == &p) {  // BEGIN_RESP implies END_REQ
    pending_ = nullptr;
    if (!waiting_.empty()) wake_.at(now());
  }
  if (own_.count(&p) != 0) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    own_.erase(&p);
    return tlm::TLM_COMPLETED;
  }
  if (phase == tlm::END_REQ && due(FaultTarget::acceptance, p) != nullptr) return tlm::TLM_ACCEPTED;
  if (phase == tlm::BEGIN_RESP)
    for (const FaultTarget target : {FaultTarget::acknowledgement, FaultTarget::fill})
      if (const Place* place = due(target, p)) return faulty_response(*place, p, phase, t);
  return in->nb_transport_bw(p, phase, t);
}

void FaultyArrow::run() {
  while (later_.next() <= now()) {
    Later next = later_.pop();
    if (next.what == Later::What::answer) {
      next.payload->set_response_status(tlm::TLM_OK_RESPONSE);
      if (Sideband* s = find_sideband(*next.payload)) s->executed = true;
    }
    if (next.what == Later::What::answer || next.what == Later::What::response)
      answer(next.payload, tlm::BEGIN_RESP);
    else
      waiting_.push_back(std::move(next));
  }
  send_queued();
  if (later_.next() != kNever) wake_.at(later_.next());
}

void FaultyArrow::send_queued() {
  while (pending_ == nullptr && !waiting_.empty()) {
    const Later next = waiting_.pop_front();
    Payload& p = *next.payload;
    const bool own = next.what == Later::What::own_request;
    if (own) own_.insert(&p);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time t = sc_core::SC_ZERO_TIME;
    pending_ = &p;
    const Sync result = accepted(p, out->nb_transport_fw(p, phase, t), phase, t, t);
    if (result == tlm::TLM_COMPLETED && own) own_.erase(&p);
    if (result == tlm::TLM_ACCEPTED || own) continue;
    answer(next.payload, result == tlm::TLM_COMPLETED ? tlm::BEGIN_RESP : tlm::END_REQ, t);
  }
}

// A call of the arrow's own to the initiator. An answer that was withheld is not taken up again: nobody on the road
// withholds END_RESP.
void FaultyArrow::answer(const PayloadRef& p, tlm::tlm_phase_enum phase, sc_core::sc_time t) {
  tlm::tlm_phase sent = phase;
  in->nb_transport_bw(*p, sent, t);
}

}  // namespace gputlm
