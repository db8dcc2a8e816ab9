// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/scoreboard.h"

#include <algorithm>
#include <string>

namespace gputlm {
namespace {

using State = Stamp::State;

bool is_load(const Sideband& s) {
  return s.operation == Operation::load;
}
bool is_weak_load(const Sideband& s) {
  return is_load(s) && s.may_use_l1();
}
bool is_performed_in_memory(const Sideband& s) {
  return is_load(s) || s.operation == Operation::store || s.is_atomic();
}

}  // namespace

std::uint64_t Scoreboard::request_digest(const Payload& p, const Sideband& s) {
  const ByteMask mask = ByteMask::of(p);
  if (is_load(s)) return mask_digest(mask);
  std::uint64_t digest = line_digest(p.get_data_ptr(), mask);
  if (s.is_atomic() && s.function == AtomicFunction::compare_and_swap)
    digest += 3 * line_digest(p.get_data_ptr() + kLineBytes, mask);  // weighted: the halves are not interchangeable
  return digest;
}

Scoreboard::Scoreboard(std::uint64_t memory_bytes, LineReader image, LineReader debug_read)
    : reference_(memory_bytes, std::move(image), std::move(debug_read), findings_) {}

L1Shadow& Scoreboard::add_shadow(unsigned sm) {
  if (sm >= shadows_.size()) shadows_.resize(sm + 1);
  shadows_[sm] = std::make_unique<L1Shadow>(sm, findings_);
  return *shadows_[sm];
}

void Scoreboard::find(FindingKind kind, const Payload& p, std::uint64_t expected, std::uint64_t got,
                      const std::string& text) {
  const Sideband* s = find_sideband(p);
  const unsigned sm = s == nullptr ? Origin{}.sm : s->origin.sm;
  const std::string what = s == nullptr ? "access" : name_of(s->operation);
  findings_.add(kind, sm, p.get_address(), expected, got, what + ": " + text);
}

void Scoreboard::note_debug_write(std::uint64_t address, const unsigned char* data, std::uint64_t bytes) {
  if (bytes == 0) return;
  if (open_ == 0) debug_writes_.clear();
  // What is open may return either value: a debug write takes no place in the order.
  if (open_ > 0) debug_writes_.emplace_back(line_of(address), address + bytes - 1);
  reference_.debug_write(address, data, bytes);
}

bool Scoreboard::is_left_out(const Sideband& s) const {
  return std::any_of(left_out_.begin(), left_out_.end(), [&](const auto& range) {
    return range.first <= s.virtual_address && s.virtual_address <= range.second;
  });
}

bool Scoreboard::debug_written(std::uint64_t line) const {
  return std::any_of(debug_writes_.begin(), debug_writes_.end(),
                     [line](const auto& range) { return range.first <= line && line <= range.second; });
}

void Scoreboard::audit(const ReferenceMemory::Lines& apart) {
  for (std::size_t i = 0; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (in_flight(operation) == 0) continue;
    findings_.add(FindingKind::left_in_flight, Origin{}.sm, 0, 0, in_flight(operation),
                  std::string(name_of(operation)) + ": requests never answered (count)");
  }
  if (reference_.pending_lines() > 0)
    findings_.add(FindingKind::left_in_flight, Origin{}.sm, 0, 0, reference_.pending_lines(),
                  "lines with an atomic that L2 ordered and never performed (count)");
  reference_.audit(apart);
}

void Scoreboard::reset() {
  findings_.clear();
  reference_.reset();
  shadows_.clear();
  requests_ = responses_ = {};
  open_ = 0;
  debug_writes_.clear();
}

void Scoreboard::on_line_request(unsigned sm, const Payload& line) {
  Sideband* s = find_sideband(line);
  if (s == nullptr || left_out(*s)) return;
  L1Shadow& l1 = shadow(sm);
  ++requests_[index(s->operation)];
  if (s->operation == Operation::store)
    l1.store_requested(line.get_address());
  else if (s->operation == Operation::l1_invalidate)
    l1.invalidate_requested();
  else if (is_weak_load(*s))
    l1.load_requested(line);
  else if (is_load(*s) || s->is_atomic())
    l1.strong_requested(line.get_address());
  const std::uint64_t digest = is_performed_in_memory(*s) ? request_digest(line, *s) : 0;
  Stamp{digest, l1.event(), State::requested}.write(*s);
}

void Scoreboard::on_line_response(unsigned sm, const Payload& line) {
  Sideband* s = find_sideband(line);
  if (s == nullptr || left_out(*s)) return;
  Stamp stamp = Stamp::of(*s);
  if (stamp.state == State::none)
    return find(FindingKind::unexpected_response, line, 0, 0, "answer to a request that was never made");
  if (stamp.state == State::answered)
    return find(FindingKind::duplicate_response, line, 0, 0, "second answer to one request");
  ++responses_[index(s->operation)];
  if (is_performed_in_memory(*s))
    check_answer(sm, line, *s, stamp);
  else if (s->operation == Operation::l1_invalidate && line.is_response_ok())
    shadow(sm).invalidate_answered(stamp.event_before(shadow(sm).event()));
  stamp.state = State::answered;
  stamp.write(*s);
}

void Scoreboard::check_answer(unsigned sm, const Payload& line, const Sideband& s, const Stamp& stamp) {
  if (is_weak_load(s)) shadow(sm).load_finished(line);
  if (!line.is_response_ok()) {
    const bool acknowledged_only = s.operation == Operation::store || s.operation == Operation::reduction;
    if (acknowledged_only && stamp.state == State::served)
      find(FindingKind::response_changed, line, tlm::TLM_OK_RESPONSE,
           static_cast<std::uint64_t>(line.get_response_status()), "performed, but answered with an error (status)");
    if (s.operation == Operation::store)
      shadow(sm).store_refused(line.get_address(), stamp.event_before(shadow(sm).event()));
    return;
  }
  if (stamp.state != State::served)
    return find(FindingKind::not_performed, line, 0, 0, "answered with OK, but neither L2 nor L1 performed it");
  if (!is_load(s) && s.operation != Operation::atomic) return;
  const std::uint64_t got = line_digest(line.get_data_ptr(), ByteMask::of(line));
  if (!stamp.matches(got))
    find(FindingKind::response_changed, line, stamp.digest, got & Stamp::kDigestMask,
         "data (digests) changed on the way back");
}

}  // namespace gputlm
