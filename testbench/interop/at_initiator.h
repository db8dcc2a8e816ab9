// SPDX-License-Identifier: Apache-2.0
//
// An approximately timed initiator as other people write them: tlm_utils sockets and queues, a memory manager of its
// own, no knowledge of this project's sockets or sideband.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>

#include "gputlm/tlm/ring.h"
#include "gputlm/tlm/time.h"

namespace gputlm::test {

/// How it ends a response.
enum class EndResponse : std::uint8_t { completed, updated, late };

/// A payload with storage of its own, which returns to nobody: its maker keeps it.
class Transaction : public tlm::tlm_generic_payload, private tlm::tlm_mm_interface {
 public:
  Transaction(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char> bytes,
              std::vector<unsigned char> enabled = {})
      : data(std::move(bytes)), enables(std::move(enabled)) {
    set_mm(this);
    set_command(command);
    set_address(address);
    set_data_ptr(data.data());
    set_data_length(static_cast<unsigned>(data.size()));
    set_streaming_width(static_cast<unsigned>(data.size()));
    set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    set_byte_enable_length(static_cast<unsigned>(enables.size()));
    acquire();
  }
  std::vector<unsigned char> data, enables;
  Fs accepted = kNever, answered = kNever;

 private:
  void free(tlm::tlm_generic_payload* p) override { p->reset(); }
};

class AtInitiator : public sc_core::sc_module {
 public:
  /// `wait`: between BEGIN_RESP and END_RESP where it is late, or what it annotates where it is updated.
  AtInitiator(const sc_core::sc_module_name& name, EndResponse style, Fs wait = 0)
      : sc_module(name), style_(style), wait_(wait) {
    GPUTLM_HAS_PROCESS(AtInitiator);
    socket.register_nb_transport_bw(this, &AtInitiator::nb_transport_bw);
    SC_METHOD(end_late);
    sensitive << ending_.get_event();
    dont_initialize();
    SC_METHOD(send_next);
    sensitive << next_;
    dont_initialize();
  }

  tlm_utils::simple_initiator_socket<AtInitiator> socket{"socket"};
  std::function<void(Transaction&)> on_done;
  /// Annotated to every BEGIN_REQ.
  Fs annotated = 0;

  /// Queues it; sent as soon as the arrow is free, also from within the call that frees it.
  void send(Transaction& t) {
    queue_.push_back(&t);
    next_.notify(sc_core::SC_ZERO_TIME);
  }
  std::size_t open() const { return open_ + queue_.size(); }

 private:
  void send_next() {
    while (requesting_ == nullptr && !queue_.empty() && not_before_ <= now()) {
      Transaction& p = *queue_.pop_front();
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time t = to_sc_time(annotated);
      requesting_ = &p;
      ++open_;
      const tlm::tlm_sync_enum result = socket->nb_transport_fw(p, phase, t);
      if (result == tlm::TLM_ACCEPTED) continue;
      request_over(p, now() + to_fs(t));
      if (result == tlm::TLM_COMPLETED) {
        done(p, now() + to_fs(t));
      } else if (phase == tlm::BEGIN_RESP) {
        ending_.notify(p, t);
      }
    }
    if (not_before_ > now()) next_.notify(to_sc_time(not_before_ - now()));
  }
  void request_over(Transaction& p, Fs at) {
    if (requesting_ != &p) return;
    requesting_ = nullptr;
    not_before_ = at;
    p.accepted = at;
  }
  void done(Transaction& p, Fs at) {
    p.answered = at;
    --open_;
    if (on_done) on_done(p);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    auto& p = static_cast<Transaction&>(payload);
    request_over(p, now() + to_fs(t));
    tlm::tlm_sync_enum result = tlm::TLM_ACCEPTED;
    if (phase == tlm::BEGIN_RESP) result = take_response(p, phase, t);
    send_next();  // from within the call: allowed, and what a careless target does not expect
    return result;
  }
  tlm::tlm_sync_enum take_response(Transaction& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
    switch (style_) {
      case EndResponse::late:
        ending_.notify(p, t + to_sc_time(wait_));
        return tlm::TLM_ACCEPTED;
      case EndResponse::updated:
        phase = tlm::END_RESP;
        t += to_sc_time(wait_);
        done(p, now() + to_fs(t));
        return tlm::TLM_UPDATED;
      default:
        done(p, now() + to_fs(t));
        return tlm::TLM_COMPLETED;
    }
  }
  void end_late() {
    while (tlm::tlm_generic_payload* p = ending_.get_next_transaction()) {
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time t = sc_core::SC_ZERO_TIME;
      socket->nb_transport_fw(*p, phase, t);
      done(static_cast<Transaction&>(*p), now());
    }
  }

  const EndResponse style_;
  const Fs wait_;
  Ring<Transaction*> queue_;
  Transaction* requesting_ = nullptr;
  Fs not_before_ = 0;
  std::size_t open_ = 0;
  sc_core::sc_event next_;
  tlm_utils::peq_with_get<tlm::tlm_generic_payload> ending_{"ending"};
};

}  // namespace gputlm::test
