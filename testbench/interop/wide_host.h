// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "port_bench.h"

namespace gputlm::test {

/// A host whose socket has some width: it writes bytes of any alignment and reads them back.
template <unsigned BUSWIDTH>
class WideHost : public sc_core::sc_module {
 public:
  /// `base`: of the addresses that it uses.
  explicit WideHost(const sc_core::sc_module_name& name, std::uint64_t base = 0) : sc_module(name), base_(base) {
    GPUTLM_HAS_PROCESS(WideHost);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<WideHost, BUSWIDTH> socket{"socket"};
  bool right = false;

 private:
  static constexpr unsigned kBytes = 333;

  bool call(tlm::tlm_command command, std::vector<unsigned char>& data) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(base_ + BUSWIDTH * 1024 + 5);
    p.set_data_length(kBytes);
    p.set_streaming_width(kBytes);
    p.set_data_ptr(data.data());
    sc_core::sc_time t;
    socket->b_transport(p, t);
    return p.is_response_ok();
  }
  void run() {
    std::mt19937_64 random(BUSWIDTH);
    std::vector<unsigned char> data = random_bytes(random, kBytes), seen(kBytes);
    right = call(tlm::TLM_WRITE_COMMAND, data) && call(tlm::TLM_READ_COMMAND, seen) && seen == data;
  }

  const std::uint64_t base_;
};

}  // namespace gputlm::test
