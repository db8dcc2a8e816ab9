// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/blocking_calls.h"

#include <algorithm>

namespace gputlm {

void BlockingCalls::enter(Call& call, Payload& p) {
  call = {&p, !p.has_mm(), find_sideband(p) == nullptr, p.get_ref_count()};
  sideband_of(p);
  if (call.lent_manager) p.set_mm(this);
  calls_.push_back(&call);
}

void BlockingCalls::leave(Call& call) {
  Payload& p = *call.payload;
  while (call.lent_manager && p.get_ref_count() > 0) wait();
  calls_.erase(std::find(calls_.begin(), calls_.end(), &call));
  if (call.lent_manager) p.set_mm(nullptr);
  // With a manager of its own and still held by somebody, the payload keeps the sideband until it is freed.
  if (!call.lent_sideband || p.get_ref_count() > call.references) return;
  const Sideband* s = find_sideband(p);
  p.clear_extension(s);
  delete s;
}

void BlockingCalls::abort_all() {
  for (Call* call : calls_) {
    call->owner_told = false;
    if (call->done_at != kNever) continue;
    call->payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    call->done_at = now();
  }
  wake();
}

void BlockingCalls::wait() {
  ++waiting_;
  sc_core::wait(changed_);
  --waiting_;
}

// The last reference to a lent payload is gone; its thread owns it.
void BlockingCalls::free(Payload* p) {
  p->reset();
  wake();
}

}  // namespace gputlm
