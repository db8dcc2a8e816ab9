// SPDX-License-Identifier: Apache-2.0
//
// Scoreboard: what the slices tell.
#include "gputlm/judge/scoreboard.h"

namespace gputlm {
namespace {

using State = Stamp::State;

bool is_from_sm(const Sideband& s) {
  return s.origin.sm != Origin{}.sm;
}
std::uint64_t virtual_line(const Sideband& s) {
  return line_of(s.virtual_address);
}
std::string at_slice(unsigned slice) {
  return " at slice " + std::to_string(slice);
}

}  // namespace

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
  if (stamp.state != State::none && is_from_sm(*s)) shadow(s->origin.sm).access_ordered(virtual_line(*s), mask);
  stamp.state = State::served;
  stamp.write(*s);
}

void Scoreboard::on_load(unsigned slice, const Payload& load) {
  Sideband* s = find_sideband(load);
  if (!admit(load, slice) || s == nullptr) return;
  const ByteMask mask = ByteMask::of(load);
  Stamp stamp;
  arrive(load, *s, stamp, mask_digest(mask), slice);
  if (is_from_sm(*s)) {
    L1Shadow& l1 = shadow(s->origin.sm);
    if (stamp.state == State::requested && !s->may_use_l1())
      l1.access_ordered(virtual_line(*s), ByteMask::full());
    else if (stamp.state == State::none && s->may_use_l1())
      stamp.event = l1.fill_ordered();
  }
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
  if (stamp.state != State::none && is_from_sm(*s))
    shadow(s->origin.sm).access_ordered(virtual_line(*s), ByteMask::full());
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

}  // namespace gputlm
