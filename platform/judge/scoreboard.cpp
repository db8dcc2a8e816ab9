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
std::uint64_t virtual_line(const Sideband& s) {
  return line_of(s.virtual_address);
}
std::string at_slice(unsigned slice) {
  return " at slice " + std::to_string(slice);
}

/// Digest of all that a request carries.
std::uint64_t request_digest(const Payload& p, const Sideband& s) {
  const ByteMask mask = ByteMask::of(p);
  if (is_load(s)) return mask_digest(mask);
  std::uint64_t digest = line_digest(p.get_data_ptr(), mask);
  if (s.is_atomic() && s.function == AtomicFunction::compare_and_swap)
    digest += 3 * line_digest(p.get_data_ptr() + kLineBytes, mask);  // weighted: the halves are not interchangeable
  return digest;
}

}  // namespace

Scoreboard::Scoreboard(std::uint64_t memory_bytes, LineReader image, LineReader debug_read)
    : reference_(memory_bytes, std::move(image), std::move(debug_read), findings_) {}

L1Shadow& Scoreboard::shadow(unsigned sm) {
  if (sm >= shadows_.size()) shadows_.resize(sm + 1);
  if (shadows_[sm] == nullptr) shadows_[sm] = std::make_unique<L1Shadow>(sm, findings_);
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

bool Scoreboard::debug_written(std::uint64_t line) const {
  return std::any_of(debug_writes_.begin(), debug_writes_.end(),
                     [line](const auto& range) { return range.first <= line && line <= range.second; });
}

void Scoreboard::audit() {
  for (std::size_t i = 0; i < kOperations; ++i) {
    const auto operation = static_cast<Operation>(i);
    if (in_flight(operation) == 0) continue;
    findings_.add(FindingKind::left_in_flight, Origin{}.sm, 0, 0, in_flight(operation),
                  std::string(name_of(operation)) + ": requests never answered (count)");
  }
  if (reference_.pending_lines() > 0)
    findings_.add(FindingKind::left_in_flight, Origin{}.sm, 0, 0, reference_.pending_lines(),
                  "lines with an atomic that L2 ordered and never performed (count)");
  reference_.audit();
}

void Scoreboard::reset() {
  findings_.clear();
  reference_.reset();
  shadows_.clear();
  requests_ = responses_ = {};
  open_ = 0;
  debug_writes_.clear();
}

// -- load/store units
// --------------------------------------------------------------------------------------------------

void Scoreboard::on_line_request(unsigned sm, const Payload& line) {
  Sideband* s = find_sideband(line);
  if (s == nullptr) return;
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
  if (s == nullptr) return;
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
    if (s.operation == Operation::store) shadow(sm).store_refused(line.get_address());
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

// -- slices
// ------------------------------------------------------------------------------------------------------------

bool Scoreboard::admit(const Payload& p, unsigned slice) {
  if (reference_.covers(p.get_address())) return true;
  find(FindingKind::outside_memory, p, 0, p.get_address(), "address outside memory" + at_slice(slice));
  return false;
}

/// A request reached its slice: it must be what left the load/store unit, and come once.
void Scoreboard::arrive(const Payload& p, Sideband& s, Stamp& stamp, std::uint64_t digest, unsigned slice) {
  stamp = Stamp::of(s);
  if (stamp.state == State::served || stamp.state == State::answered)
    find(FindingKind::performed_twice, p, 0, 0, "performed a second time" + at_slice(slice));
  else if (stamp.state == State::requested && !stamp.matches(digest))
    find(FindingKind::request_changed, p, stamp.digest, digest & Stamp::kDigestMask,
         "data or byte mask (digests) changed on the way" + at_slice(slice));
}

void Scoreboard::on_store(unsigned slice, const Payload& store) {
  if (!admit(store, slice)) return;
  const ByteMask mask = ByteMask::of(store);
  const SectorDigests digests = sector_digests(store.get_data_ptr(), mask);
  Sideband* s = find_sideband(store);
  reference_.store(store.get_address(), store.get_data_ptr(), mask, digests, s == nullptr ? Origin{}.sm : s->origin.sm);
  if (s == nullptr) return;
  Stamp stamp;
  arrive(store, *s, stamp, sum(digests), slice);
  if (stamp.state != State::none) shadow(s->origin.sm).access_ordered(virtual_line(*s), mask);
  stamp.state = State::served;
  stamp.write(*s);
}

void Scoreboard::on_load(unsigned slice, const Payload& load) {
  Sideband* s = find_sideband(load);
  if (!admit(load, slice) || s == nullptr) return;
  const ByteMask mask = ByteMask::of(load);
  Stamp stamp;
  arrive(load, *s, stamp, mask_digest(mask), slice);
  if (stamp.state == State::requested && !s->may_use_l1())
    shadow(s->origin.sm).access_ordered(virtual_line(*s), ByteMask::full());
  else if (stamp.state == State::none && s->may_use_l1() && s->origin.sm != Origin{}.sm)
    stamp.event = shadow(s->origin.sm).fill_ordered();
  stamp.digest = reference_.expected(load.get_address(), mask, s->origin.sm);
  stamp.state = State::requested;
  stamp.write(*s);
  ++open_;
}

void Scoreboard::on_load_done(unsigned slice, const Payload& load) {
  Sideband* s = find_sideband(load);
  if (s == nullptr || !reference_.covers(load.get_address())) return;
  if (open_ > 0) --open_;
  const ByteMask mask = ByteMask::of(load);
  const std::uint64_t got = line_digest(load.get_data_ptr(), mask);
  Stamp stamp = Stamp::of(*s);
  reference_.count_checked(mask.count());
  if (!stamp.matches(got) && !debug_written(load.get_address()))
    find(FindingKind::wrong_load, load, stamp.digest, got & Stamp::kDigestMask,
         "not the bytes (digests) of its place in the order" + at_slice(slice) + "; " +
             reference_.difference(load.get_address(), load.get_data_ptr(), mask));
  stamp.digest = got;
  stamp.state = State::served;
  stamp.write(*s);
}

void Scoreboard::on_atomic(unsigned slice, const Payload& atomic) {
  Sideband* s = find_sideband(atomic);
  if (!admit(atomic, slice) || s == nullptr) return;
  Stamp stamp;
  arrive(atomic, *s, stamp, request_digest(atomic, *s), slice);
  if (stamp.state != State::none) shadow(s->origin.sm).access_ordered(virtual_line(*s), ByteMask::full());
  stamp.digest = reference_.begin_atomic(atomic.get_address(), atomic, *s);
  stamp.state = State::requested;
  stamp.write(*s);
  ++open_;
}

void Scoreboard::on_atomic_done(unsigned slice, const Payload& atomic) {
  Sideband* s = find_sideband(atomic);
  if (s == nullptr || !reference_.covers(atomic.get_address())) return;
  if (open_ > 0) --open_;
  reference_.end_atomic(atomic.get_address());
  Stamp stamp = Stamp::of(*s);
  if (s->operation == Operation::atomic) {
    const ByteMask mask = ByteMask::of(atomic);
    const std::uint64_t got = line_digest(atomic.get_data_ptr(), mask);
    reference_.count_checked(mask.count());
    if (!stamp.matches(got) && !debug_written(atomic.get_address()))
      find(FindingKind::wrong_atomic, atomic, stamp.digest, got & Stamp::kDigestMask,
           "not the old values (digests) of its place in the order" + at_slice(slice));
    stamp.digest = got;
  }
  stamp.state = State::served;
  stamp.write(*s);
}

// -- L1s
// ---------------------------------------------------------------------------------------------------------------

void Scoreboard::on_allocate(unsigned sm, unsigned slot, std::uint64_t virtual_line) {
  shadow(sm).allocate(slot, virtual_line);
}

void Scoreboard::on_store(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) {
  shadow(sm).store(slot, store, mask);
}

void Scoreboard::on_fill(unsigned sm, unsigned slot, const Payload& fill, ByteMask installed) {
  const Sideband* s = find_sideband(fill);
  if (s == nullptr) return;
  const Stamp stamp = Stamp::of(*s);
  if (stamp.state == State::none && !fill.is_response_ok()) return;
  if (stamp.state != State::served)
    find(FindingKind::not_performed, fill, 0, 0, "fill answered that L2 did not perform");
  else if (const std::uint64_t got = line_digest(fill.get_data_ptr(), ByteMask::of(fill));
           fill.is_response_ok() && !stamp.matches(got))
    find(FindingKind::response_changed, fill, stamp.digest, got & Stamp::kDigestMask,
         "data (digests) of a fill changed on the way back");
  L1Shadow& l1 = shadow(sm);
  l1.fill(slot, fill, installed, stamp.event_before(l1.event()));
}

/// A load was answered by L1: what its data are now they must be at the load/store unit.
void Scoreboard::serve(const Payload& load, ByteMask bytes) {
  Sideband* s = find_sideband(load);
  Stamp stamp = Stamp::of(*s);
  reference_.count_checked(bytes.count());
  stamp.digest = line_digest(load.get_data_ptr(), ByteMask::of(load));
  stamp.state = State::served;
  stamp.write(*s);
}

void Scoreboard::on_hit(unsigned sm, unsigned slot, const Payload& load, ByteMask wanted) {
  const Sideband* s = find_sideband(load);
  if (s == nullptr) return;
  L1Shadow& l1 = shadow(sm);
  l1.hit(slot, load, wanted, Stamp::of(*s).event_before(l1.event()));
  serve(load, wanted);
}

void Scoreboard::on_miss_answered(unsigned sm, const Payload& load, ByteMask from_slot, const Payload& fill) {
  const Sideband *s = find_sideband(load), *f = find_sideband(fill);
  if (s == nullptr || f == nullptr) return;
  L1Shadow& l1 = shadow(sm);
  l1.answered(load, from_slot, fill, Stamp::of(*s).event_before(l1.event()), Stamp::of(*f).event_before(l1.event()));
  serve(load, from_slot);
}

void Scoreboard::on_drop(unsigned sm, unsigned slot) {
  shadow(sm).drop(slot);
}
void Scoreboard::on_invalidate_all(unsigned sm) {
  shadow(sm).invalidate_all();
}
void Scoreboard::on_debug_write(unsigned sm, unsigned slot, const unsigned char* line, ByteMask mask) {
  shadow(sm).debug_write(slot, line, mask);
}

}  // namespace gputlm
