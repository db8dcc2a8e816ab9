// SPDX-License-Identifier: Apache-2.0
//
// A memory as other people write them, approximately timed, that answers in whichever permitted way it is told.
#pragma once

#include <unordered_map>

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>

#include "gputlm/tlm/ring.h"
#include "gputlm/tlm/time.h"

namespace gputlm::test {

/// Every permitted way of answering BEGIN_REQ.
enum class Answer : std::uint8_t {
  accepted,            ///< TLM_ACCEPTED; later END_REQ, later BEGIN_RESP.
  updated_end_req,     ///< TLM_UPDATED with END_REQ; later BEGIN_RESP.
  updated_begin_resp,  ///< TLM_UPDATED with BEGIN_RESP.
  completed,           ///< TLM_COMPLETED.
  early_begin_resp,    ///< TLM_ACCEPTED; later BEGIN_RESP, which implies END_REQ.
  calls_within         ///< END_REQ by a call of its own before it returns TLM_ACCEPTED; later BEGIN_RESP.
};
inline constexpr Answer kAnswers[] = {Answer::accepted,  Answer::updated_end_req,  Answer::updated_begin_resp,
                                      Answer::completed, Answer::early_begin_resp, Answer::calls_within};

/// Bytes by address; may be shared by several targets.
using ByteStore = std::unordered_map<std::uint64_t, unsigned char>;

/// Reads or writes as the payload says, byte enables honoured. The generic payload's rules and no others.
inline void perform(tlm::tlm_generic_payload& p, ByteStore& bytes) {
  for (unsigned i = 0; i < p.get_data_length(); ++i) {
    const unsigned char* enables = p.get_byte_enable_ptr();
    if (enables != nullptr && enables[i % p.get_byte_enable_length()] == 0) continue;
    if (p.is_write()) bytes[p.get_address() + i] = p.get_data_ptr()[i];
    if (p.is_read()) p.get_data_ptr()[i] = bytes[p.get_address() + i];
  }
  p.set_response_status(tlm::TLM_OK_RESPONSE);
}

class AtTarget : public sc_core::sc_module {
 public:
  AtTarget(const sc_core::sc_module_name& name, ByteStore& store) : sc_module(name), bytes(store) {
    GPUTLM_HAS_PROCESS(AtTarget);
    socket.register_nb_transport_fw(this, &AtTarget::nb_transport_fw);
    socket.register_transport_dbg(this, &AtTarget::transport_dbg);
    SC_METHOD(end_request);
    sensitive << requests_.get_event();
    dont_initialize();
    SC_METHOD(begin_response);
    sensitive << responses_.get_event() << response_over_;
    dont_initialize();
  }

  tlm_utils::simple_target_socket<AtTarget> socket{"socket"};
  ByteStore& bytes;
  Answer answer = Answer::accepted;
  Fs accept_time = from_ns(1), latency = from_ns(20);
  unsigned served = 0;

 private:
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    if (phase == tlm::END_RESP) {
      responding_ = nullptr;
      response_over_.notify(t);
      return tlm::TLM_COMPLETED;
    }
    ++served;
    const sc_core::sc_time response = t + to_sc_time(accept_time + latency);
    switch (answer) {
      case Answer::accepted:
        requests_.notify(p, t + to_sc_time(accept_time));
        responses_.notify(p, response);
        return tlm::TLM_ACCEPTED;
      case Answer::updated_end_req:
        responses_.notify(p, response);
        phase = tlm::END_REQ;
        t += to_sc_time(accept_time);
        return tlm::TLM_UPDATED;
      case Answer::updated_begin_resp:
        perform(p, bytes);
        responding_ = &p;
        phase = tlm::BEGIN_RESP;
        t = response;
        return tlm::TLM_UPDATED;
      case Answer::completed:
        perform(p, bytes);
        t = response;
        return tlm::TLM_COMPLETED;
      case Answer::calls_within:
        send(p, tlm::END_REQ, t + to_sc_time(accept_time));
        [[fallthrough]];
      default:
        responses_.notify(p, response);
        return tlm::TLM_ACCEPTED;
    }
  }
  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, tlm::tlm_phase phase, sc_core::sc_time t) {
    return socket->nb_transport_bw(p, phase, t);
  }
  void end_request() {
    while (tlm::tlm_generic_payload* p = requests_.get_next_transaction())
      send(*p, tlm::END_REQ, sc_core::SC_ZERO_TIME);
  }
  // One response at a time: the next one after its predecessor's END_RESP.
  void begin_response() {
    while (responding_ == nullptr) {
      tlm::tlm_generic_payload* p = responses_.get_next_transaction();
      if (p == nullptr) return;
      perform(*p, bytes);
      responding_ = p;
      if (send(*p, tlm::BEGIN_RESP, sc_core::SC_ZERO_TIME) != tlm::TLM_ACCEPTED) responding_ = nullptr;
    }
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& p) {
    perform(p, bytes);
    return p.get_data_length();
  }

  tlm::tlm_generic_payload* responding_ = nullptr;
  sc_core::sc_event response_over_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> requests_{"requests"}, responses_{"responses"};
};

}  // namespace gputlm::test
