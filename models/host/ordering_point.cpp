// SPDX-License-Identifier: Apache-2.0
#include "gputlm/host/ordering_point.h"

namespace gputlm {

OrderingPoint::OrderingPoint(const sc_core::sc_module_name& name, const HostSpec& spec)
    : Unit(name), barriers("barriers", *this), spec_(spec), wakeup_("wakeup", [this] { answer(); }) {}

Admission OrderingPoint::on_request(std::size_t, Payload& p, Fs& delay) {
  if (sideband_of(p).operation != Operation::system_barrier) {
    p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return Admission::complete;
  }
  ++barriers_;
  in_flight_.push(now() + delay + spec_.ordering_round_trip, PayloadRef(p));
  wakeup_.at(in_flight_.next());
  return Admission::accept;
}

void OrderingPoint::answer() {
  while (in_flight_.next() <= now()) {
    PayloadRef p = in_flight_.pop();
    find_sideband(*p)->executed = true;
    p->set_response_status(tlm::TLM_OK_RESPONSE);
    barriers.respond(*p);
  }
  if (!in_flight_.empty()) wakeup_.at(in_flight_.next());
}

unsigned OrderingPoint::on_debug(std::size_t, Payload& p) {
  p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);  // no memory lies behind it
  return 0;
}

void OrderingPoint::reset() {
  in_flight_.clear();
  wakeup_.cancel();
  barriers.reset();
  barriers_ = 0;
}

void OrderingPoint::report(StatisticsSink& sink) const {
  sink.count("barriers", "request", "system barriers that reached the host's ordering point", barriers_);
}

void OrderingPoint::list_waits(WaitList& waits) const {
  in_flight_.for_each([&](Fs due, const PayloadRef& p) {
    waits.add(*this, find_sideband(*p)->origin, "the system barrier is answered at " + ns_text(due), kNever);
  });
}

}  // namespace gputlm
