// SPDX-License-Identifier: Apache-2.0
//
// The threads that are inside b_transport of one target socket, and what their payloads are lent meanwhile.
#pragma once

#include <string>
#include <vector>

#include "gputlm/tlm/payload_pool.h"
#include "gputlm/tlm/time.h"

namespace gputlm {

/// Keeps the calls in progress; every wait of theirs ends with wake().
class BlockingCalls : private tlm::tlm_mm_interface {
 public:
  /// One call; lives on its thread's stack.
  struct Call {
    Payload* payload = nullptr;
    bool lent_manager = false, lent_sideband = false;
    int references = 0;  ///< At entry.
    Fs done_at = kNever;
    bool owner_told = true;  ///< The owner of the socket hears that its response was taken.
  };

  explicit BlockingCalls(const std::string& name) : changed_(name.c_str()) {}

  /// Enters a call. A payload without a memory manager is lent this one, a payload without a sideband the default one.
  void enter(Call& call, Payload& p);
  /// Waits until nobody holds a payload that was lent its manager, and takes back what was lent.
  void leave(Call& call);

  Call* find(const Payload& p) const {
    for (Call* call : calls_)
      if (call->payload == &p) return call;
    return nullptr;
  }
  void answer(Call& call, Fs at) {
    call.done_at = at;
    wake();
  }
  /// Sends every thread home: unanswered calls with a generic error.
  void abort_all();

  /// The calling thread waits until something changed.
  void wait();
  void wake() {
    if (waiting_ > 0) changed_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  void free(Payload* p) override;

  std::vector<Call*> calls_;
  unsigned waiting_ = 0;
  sc_core::sc_event changed_;
};

}  // namespace gputlm
