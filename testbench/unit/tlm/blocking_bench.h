// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "socket_bench.h"

namespace gputlm {

/// A payload as a third party makes it: no manager, no sideband.
struct PlainPayload : Payload {
  explicit PlainPayload(std::uint64_t address) {
    set_write();
    set_address(address);
    set_data_ptr(data);
    set_data_length(sizeof data);
    set_streaming_width(sizeof data);
  }
  unsigned char data[4] = {};
};

struct BlockingBench : SocketBench {
  Fs returned = kNever;  // when the last call came back, annotation included
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;

  void call(Payload& p, Fs annotated = 0) {
    sc_core::sc_time t = to_sc_time(annotated);
    initiator.socket->b_transport(p, t);
    returned = now() + to_fs(t);
    status = p.get_response_status();
  }
  /// A thread that calls at a time.
  void call_at(Fs time, Payload& p, Fs annotated = 0) {
    sc_core::sc_spawn(
        [=, &p] {
          if (time > now()) sc_core::wait(to_sc_time(time - now()));
          call(p, annotated);
        },
        sc_core::sc_gen_unique_name("caller"));
  }
};

}  // namespace gputlm
