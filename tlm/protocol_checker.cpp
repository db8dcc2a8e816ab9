// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/protocol_checker.h"

#include <algorithm>
#include <utility>

namespace gputlm {

using Rule = ProtocolRule;
using Phase = OpenTransaction::Phase;

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name, ViolationLog& log)
    : Unit(name), in("in"), out("out"), log_(log) {
  in.bind(static_cast<tlm::tlm_fw_transport_if<>&>(*this));
  out.bind(static_cast<tlm::tlm_bw_transport_if<>&>(*this));
  set_ends("the initiator", "the target");
}

void ProtocolChecker::set_ends(std::string initiator, std::string target) {
  initiator_ = std::move(initiator);
  target_ = std::move(target);
}

// -- Calls
// --------------------------------------------------------------------------------------------------------------

namespace {
bool is_extended(const tlm::tlm_phase& phase) {
  return phase > tlm::END_RESP;
}
}  // namespace

ProtocolChecker::Call ProtocolChecker::enter(Payload& p, const tlm::tlm_phase& phase, const sc_core::sc_time& t) {
  ++calls_;
  return {p, PayloadSummary::of(p), phase, t, now(), sc_core::sc_delta_count(), 0};
}

void ProtocolChecker::check_elapsed(const Call& call, Rule rule) {
  if (now() != call.time || sc_core::sc_delta_count() != call.delta) violation(rule, call.summary);
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
  Call call = enter(p, phase, t);
  const Fs effective = call.time + to_fs(t);
  check_life(p);
  if (phase == tlm::BEGIN_REQ)
    begin_request(p, effective);
  else if (phase == tlm::END_RESP)
    end_response(p, effective);
  else if (!is_extended(phase))
    violation(Rule::forward_phase, call.summary, phase.get_name());
  if (const OpenTransaction* open = open_.find(&p); open != nullptr && open->phase != Phase::blocking)
    call.serial = open->serial;
  const tlm::tlm_sync_enum result = out->nb_transport_fw(p, phase, t);
  check_return(call, result, phase, t);
  return result;
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& t) {
  Call call = enter(p, phase, t);
  const Fs effective = call.time + to_fs(t);
  check_life(p);
  OpenTransaction* open = open_.find(&p);
  if (phase == tlm::END_REQ || phase == tlm::BEGIN_RESP) {
    if (open == nullptr)
      violation(Rule::response_path, call.summary, phase.get_name());
    else if (open->phase == Phase::blocking)
      violation(Rule::mixed_transport, call.summary, phase.get_name());
    else if (phase == tlm::END_REQ)
      end_request(*open, p, effective);
    else
      begin_response(*open, p, effective);
  } else if (!is_extended(phase)) {
    violation(Rule::backward_phase, call.summary, phase.get_name());
  }
  if (open != nullptr) call.serial = open->serial;
  const tlm::tlm_sync_enum result = in->nb_transport_bw(p, phase, t);
  check_return(call, result, phase, t);
  return result;
}

// After a backward call or an END_RESP the payload may be gone; it is touched only while its transaction is open.
void ProtocolChecker::check_return(const Call& call, tlm::tlm_sync_enum result, const tlm::tlm_phase& phase,
                                   const sc_core::sc_time& t) {
  check_elapsed(call, Rule::call_takes_no_time);
  if (result == tlm::TLM_ACCEPTED) {
    if (phase != call.phase || t != call.delay) violation(Rule::accepted_unchanged, call.summary, phase.get_name());
    return;
  }
  if (is_extended(call.phase)) {
    violation(Rule::unknown_phase_accepted, call.summary, call.phase.get_name());
    return;
  }
  const Fs effective = now() + to_fs(t);
  if (call.phase == tlm::END_REQ || (call.phase == tlm::END_RESP && result == tlm::TLM_UPDATED))
    violation(Rule::return_value, call.summary, call.phase.get_name());
  else if (result == tlm::TLM_UPDATED && phase == call.phase)
    violation(Rule::updated_phase, call.summary, phase.get_name());
  else if (call.phase == tlm::BEGIN_REQ)
    return_of_request(call, result, phase, effective);
  else if (call.phase == tlm::BEGIN_RESP)
    return_of_response(call, result, phase, effective);
}

void ProtocolChecker::return_of_request(const Call& call, tlm::tlm_sync_enum result, const tlm::tlm_phase& phase,
                                        Fs effective) {
  if (call.serial == 0) return;  // in the middle of b_transport: told already
  OpenTransaction* open = open_.find(&call.payload);
  if (open == nullptr || open->serial != call.serial)
    violation(Rule::phase_order, call.summary, "an answer on return after the transaction has ended");
  else if (result == tlm::TLM_COMPLETED)
    completed(*open, call.payload, effective);
  else if (phase == tlm::END_REQ)
    end_request(*open, call.payload, effective);
  else if (phase == tlm::BEGIN_RESP)
    begin_response(*open, call.payload, effective);
  else
    violation(Rule::phase_order, call.summary, phase.get_name());
}

void ProtocolChecker::return_of_response(const Call& call, tlm::tlm_sync_enum result, const tlm::tlm_phase& phase,
                                         Fs effective) {
  if (call.serial == 0) return;  // never asked for here: told already
  const OpenTransaction* open = open_.find(&call.payload);
  if (open == nullptr || open->serial != call.serial || (result == tlm::TLM_UPDATED && phase != tlm::END_RESP))
    violation(Rule::phase_order, call.summary, phase.get_name());
  else
    close(call.payload, effective);
}

void ProtocolChecker::b_transport(Payload& p, sc_core::sc_time& t) {
  const Call call = enter(p, tlm::UNINITIALIZED_PHASE, t);
  expect(sc_core::sc_get_current_process_handle().proc_kind() != sc_core::SC_METHOD_PROC_, Rule::blocking_from_method,
         p);
  const bool mixed = open_.find(&p) != nullptr;
  expect(!mixed, Rule::mixed_transport, p);
  if (!mixed) start(p, Phase::blocking, call.time + to_fs(t));
  out->b_transport(p, t);
  OpenTransaction* open = open_.find(&p);
  if (mixed || open == nullptr) return;
  advance(*open, now() + to_fs(t));
  check_all(open->snapshot, p);
  check_answer(p);
  open_.erase(&p);
}

unsigned ProtocolChecker::transport_dbg(Payload& p) {
  const Call call = enter(p, tlm::UNINITIALIZED_PHASE, sc_core::SC_ZERO_TIME);
  const unsigned count = out->transport_dbg(p);
  check_elapsed(call, Rule::debug_takes_no_time);
  expect(count <= p.get_data_length(), Rule::debug_count, p);
  return count;
}

bool ProtocolChecker::get_direct_mem_ptr(Payload& p, tlm::tlm_dmi& dmi) {
  const Call call = enter(p, tlm::UNINITIALIZED_PHASE, sc_core::SC_ZERO_TIME);
  const bool granted = out->get_direct_mem_ptr(p, dmi);
  check_elapsed(call, Rule::debug_takes_no_time);
  const bool covers = dmi.get_start_address() <= call.summary.address && call.summary.address <= dmi.get_end_address();
  if (granted)
    expect(covers && dmi.get_dmi_ptr() != nullptr, Rule::dmi_granted_range, p);
  else
    expect(covers, Rule::dmi_refused_range, p);
  return granted;
}

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) {
  ++calls_;
  if (last < first) violation(Rule::invalidated_range, {first, 0, tlm::TLM_IGNORE_COMMAND, "invalidate", {}});
  in->invalidate_direct_mem_ptr(first, last);
}

void ProtocolChecker::violation(Rule rule, const PayloadSummary& summary, std::string_view detail) {
  log_.record(rule, (initiator_ + " -> " + target_).c_str(), summary, detail);
}

// -- What is open
// -------------------------------------------------------------------------------------------------------

const std::string& ProtocolChecker::Open::waiting() const {
  return phase == Phase::responding ? arrow->target_ : arrow->initiator_;
}

const std::string& ProtocolChecker::Open::holder() const {
  return phase == Phase::responding ? arrow->initiator_ : arrow->target_;
}

std::string ProtocolChecker::Open::text() const {
  const char* awaited = phase == Phase::requested    ? "END_REQ"
                        : phase == Phase::accepted   ? "BEGIN_RESP"
                        : phase == Phase::responding ? "END_RESP"
                                                     : "the return of b_transport";
  return waiting() + " waits for " + awaited + " from " + holder();
}

std::vector<ProtocolChecker::Open> ProtocolChecker::open_transactions() const {
  std::vector<std::pair<std::uint64_t, Open>> found;
  open_.for_each([&](const Payload* p, const OpenTransaction& t) {
    found.push_back({t.serial, {this, p, t.phase, t.since, t.snapshot.summary}});
  });
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Open> list;
  list.reserve(found.size());
  for (const auto& [serial, open] : found) list.push_back(open);
  return list;
}

void ProtocolChecker::finish() {
  for (const Open& open : open_transactions())
    violation(Rule::nothing_in_flight, open.summary, open.text() + " since " + ns_text(open.since));
}

void ProtocolChecker::list_waits(WaitList& waits) const {
  for (const Open& open : open_transactions())
    waits.add(*this, open.summary.origin, open.text(), open.since, open.summary.text());
}

void ProtocolChecker::reset() {
  open_.clear();
  requesting_ = responding_ = nullptr;
  request_time_ = response_time_ = 0;
  transactions_ = calls_ = 0;
}

void ProtocolChecker::report(StatisticsSink& sink) const {
  sink.count("transactions", "transaction", "requests and b_transport calls that began on this arrow", transactions_);
  sink.count("calls", "call", "interface calls passed through in either direction", calls_);
}

}  // namespace gputlm
