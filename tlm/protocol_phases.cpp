// SPDX-License-Identifier: Apache-2.0
//
// ProtocolChecker's judgement of a phase: what it may follow, and what of the payload must hold at it.
#include "gputlm/tlm/protocol_checker.h"

namespace gputlm {

using Rule = ProtocolRule;
using Phase = OpenTransaction::Phase;

void ProtocolChecker::start(Payload& p, Phase phase, Fs effective) {
  ++transactions_;
  log_.forget_error(p);
  check_start(p);
  OpenTransaction& open = open_.insert(&p);
  open.serial = transactions_;
  open.effective = effective;
  open.snapshot = PayloadSnapshot::of(p);
  enter_phase(open, phase);
}

void ProtocolChecker::enter_phase(OpenTransaction& open, Phase phase) {
  open.phase = phase;
  open.since = now();
}

void ProtocolChecker::begin_request(Payload& p, Fs effective) {
  if (const OpenTransaction* open = open_.find(&p)) {
    const bool blocking = open->phase == Phase::blocking;
    violation(blocking ? Rule::mixed_transport : Rule::phase_order, open->snapshot.summary, "BEGIN_REQ");
    if (blocking) return;
  }
  expect(requesting_ == nullptr || requesting_ == &p, Rule::request_exclusion, p);
  requesting_ = &p;
  start(p, Phase::requested, effective);
  advance_arrow(request_time_, effective, open_.find(&p)->snapshot.summary);
}

void ProtocolChecker::end_request(OpenTransaction& open, Payload& p, Fs effective) {
  expect(open.phase == Phase::requested, Rule::phase_order, p);
  expect(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, Rule::early_status, p);
  check_fixed(open.snapshot, p);
  advance(open, effective);
  advance_arrow(request_time_, effective, open.snapshot.summary);
  if (requesting_ == &p) requesting_ = nullptr;
  if (open.phase == Phase::requested) enter_phase(open, Phase::accepted);
}

void ProtocolChecker::begin_response(OpenTransaction& open, Payload& p, Fs effective) {
  expect(open.phase != Phase::responding, Rule::phase_order, p);
  expect(responding_ == nullptr || responding_ == &p, Rule::response_exclusion, p);
  if (requesting_ == &p) requesting_ = nullptr;  // an early response implies END_REQ
  responding_ = &p;
  check_all(open.snapshot, p);
  check_answer(p);
  advance(open, effective);
  advance_arrow(response_time_, effective, open.snapshot.summary);
  open.status = p.get_response_status();
  enter_phase(open, Phase::responding);
}

// TLM_COMPLETED on BEGIN_REQ: it never was on the response channel, so it waits for nobody there.
void ProtocolChecker::completed(OpenTransaction& open, Payload& p, Fs effective) {
  expect(open.phase != Phase::responding, Rule::phase_order, p);
  check_all(open.snapshot, p);
  check_answer(p);
  advance(open, effective);
  if (requesting_ == &p) requesting_ = nullptr;
  if (responding_ == &p) responding_ = nullptr;
  open_.erase(&p);
}

void ProtocolChecker::end_response(Payload& p, Fs effective) {
  const OpenTransaction* open = open_.find(&p);
  if (open != nullptr && open->phase == Phase::blocking) {
    violation(Rule::mixed_transport, open->snapshot.summary, "END_RESP");
    return;
  }
  expect(open != nullptr && open->phase == Phase::responding, Rule::phase_order, p);
  if (open == nullptr) return;
  if (open->phase == Phase::responding && p.get_response_status() != open->status)
    violation(p.is_response_ok() ? Rule::error_stays : Rule::status_unchanged, open->snapshot.summary);
  close(p, effective);
}

void ProtocolChecker::close(const Payload& p, Fs effective) {
  OpenTransaction& open = *open_.find(&p);
  advance(open, effective);
  advance_arrow(response_time_, effective, open.snapshot.summary);
  if (requesting_ == &p) requesting_ = nullptr;
  if (responding_ == &p) responding_ = nullptr;
  open_.erase(&p);
}

// -- Time
// ---------------------------------------------------------------------------------------------------------------

void ProtocolChecker::advance(OpenTransaction& open, Fs effective) {
  if (effective < open.effective)
    violation(Rule::transaction_time, open.snapshot.summary,
              "from " + std::to_string(to_ns(open.effective)) + " to " + std::to_string(to_ns(effective)) + " ns");
  open.effective = effective;  // one report per step back, not one per later call
}

void ProtocolChecker::advance_arrow(Fs& latest, Fs effective, const PayloadSummary& summary) {
  if (effective < latest)
    violation(Rule::arrow_time, summary,
              "from " + std::to_string(to_ns(latest)) + " to " + std::to_string(to_ns(effective)) + " ns");
  latest = effective;
}

// -- Attributes
// ---------------------------------------------------------------------------------------------------------

void ProtocolChecker::check_life(const Payload& p) {
  expect(p.has_mm(), Rule::memory_manager, p);
  expect(!p.has_mm() || p.get_ref_count() > 0, Rule::reference_count, p);
}

void ProtocolChecker::check_start(const Payload& p) {
  expect(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, Rule::initial_status, p);
  expect(!p.is_dmi_allowed(), Rule::initial_dmi_hint, p);
  expect(p.get_data_ptr() != nullptr || !(p.is_read() || p.is_write()), Rule::data_pointer_present, p);
  expect(p.get_data_length() != 0, Rule::data_length_present, p);
  expect(p.get_streaming_width() != 0, Rule::streaming_width_present, p);
  const unsigned char* enables = p.get_byte_enable_ptr();
  if (enables == nullptr) return;
  expect(p.get_byte_enable_length() != 0, Rule::enable_length_present, p);
  expect(enables_are_valid(enables, p.get_byte_enable_length()), Rule::enable_values, p);
}

void ProtocolChecker::check_fixed(const PayloadSnapshot& then, const Payload& p) {
  expect(p.get_command() == then.summary.command, Rule::command_unchanged, p);
  expect(p.get_data_ptr() == then.data, Rule::data_pointer_unchanged, p);
  expect(p.get_data_length() == then.summary.length, Rule::data_length_unchanged, p);
  expect(p.get_streaming_width() == then.streaming_width, Rule::streaming_width_unchanged, p);
  expect(p.get_byte_enable_ptr() == then.enables && p.get_byte_enable_length() == then.enable_length,
         Rule::enables_unchanged, p);
}

void ProtocolChecker::check_all(const PayloadSnapshot& then, const Payload& p) {
  check_fixed(then, p);
  expect(p.get_address() == then.summary.address, Rule::address_unchanged, p);
  // Contents are compared where they were, so that a changed pointer or length counts once.
  if (p.get_byte_enable_ptr() == then.enables && p.get_byte_enable_length() == then.enable_length)
    expect(digest_of(then.enables, then.enable_length) == then.enable_digest, Rule::enables_unchanged, p);
  if (then.summary.command == tlm::TLM_WRITE_COMMAND)
    expect(digest_of(then.data, then.summary.length) == then.data_digest, Rule::write_data_unchanged, p);
  expect(then.sideband_digest == 0 || sideband_digest_of(p) == then.sideband_digest, Rule::sideband_unchanged, p);
}

void ProtocolChecker::check_answer(const Payload& p) {
  expect(p.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, Rule::response_status, p);
  if (p.is_response_ok())
    expect(!log_.had_error(p), Rule::error_stays, p);
  else
    log_.note_error(p);
}

}  // namespace gputlm
