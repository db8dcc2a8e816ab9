// SPDX-License-Identifier: Apache-2.0
//
// Scoreboard: what the L1s tell.
#include "gputlm/judge/scoreboard.h"

namespace gputlm {
namespace {

using State = Stamp::State;

/// The SM's event at which L2 ordered a fill; now, if the fill does not say whose it is.
L1Shadow::Event fill_event(unsigned sm, const Sideband& fill, const L1Shadow& l1) {
  return fill.origin.sm == sm ? Stamp::of(fill).event_before(l1.event()) : l1.event();
}

/// A request was performed by L1: what a load's data are now they must be at the load/store unit.
void serve(Sideband& request, std::uint64_t digest) {
  Stamp stamp = Stamp::of(request);
  stamp.digest = digest;
  stamp.state = State::served;
  stamp.write(request);
}

}  // namespace

void Scoreboard::on_allocate(unsigned sm, unsigned slot, std::uint64_t virtual_line) {
  shadow(sm).allocate(slot, virtual_line);
}

void Scoreboard::on_store_update(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) {
  const Sideband* s = find_sideband(store);
  if (s != nullptr && left_out(*s)) return;
  L1Shadow& l1 = shadow(sm);
  l1.store(slot, store, mask, s == nullptr ? 0 : Stamp::of(*s).event_before(l1.event()));
}

// The store takes its place in the order of memory when L2 is given its bytes: the write-back is what travels.
void Scoreboard::on_store_kept(unsigned sm, unsigned slot, const Payload& store, ByteMask mask) {
  Sideband* s = find_sideband(store);
  if (s == nullptr || left_out(*s)) return;
  shadow(sm).keep(slot, mask);
  serve(*s, Stamp::of(*s).digest);
}

void Scoreboard::on_write_back(unsigned sm, unsigned slot, const Payload& write) {
  Sideband* s = find_sideband(write);
  if (s == nullptr || left_out(*s)) return;
  L1Shadow& l1 = shadow(sm);
  l1.write_back(slot, write);
  Stamp{request_digest(write, *s), l1.event(), State::requested}.write(*s);
}

void Scoreboard::on_drop_but(unsigned sm, unsigned slot, ByteMask stay) {
  shadow(sm).drop_but(slot, stay);
}

void Scoreboard::on_fill(unsigned sm, unsigned slot, const Payload& fill, ByteMask installed) {
  const Sideband* s = find_sideband(fill);
  if (s == nullptr || left_out(*s)) return;
  const Stamp stamp = Stamp::of(*s);
  if (stamp.state == State::none && !fill.is_response_ok()) return;
  if (stamp.state != State::served)
    find(FindingKind::not_performed, fill, 0, 0, "fill answered that L2 did not perform");
  else if (const std::uint64_t got = line_digest(fill.get_data_ptr(), ByteMask::of(fill));
           fill.is_response_ok() && !stamp.matches(got))
    find(FindingKind::response_changed, fill, stamp.digest, got & Stamp::kDigestMask,
         "data (digests) of a fill changed on the way back");
  L1Shadow& l1 = shadow(sm);
  l1.fill(slot, fill, installed, fill_event(sm, *s, l1));
}

void Scoreboard::on_hit(unsigned sm, unsigned slot, const Payload& load, ByteMask wanted) {
  Sideband* s = find_sideband(load);
  if (s == nullptr || left_out(*s)) return;
  L1Shadow& l1 = shadow(sm);
  l1.hit(slot, load, wanted, Stamp::of(*s).event_before(l1.event()));
  reference_.count_checked(wanted.count());
  serve(*s, line_digest(load.get_data_ptr(), ByteMask::of(load)));
}

void Scoreboard::on_miss_answered(unsigned sm, const Payload& load, ByteMask from_slot, const Payload& fill) {
  Sideband *s = find_sideband(load), *f = find_sideband(fill);
  if (s == nullptr || f == nullptr || left_out(*s)) return;
  L1Shadow& l1 = shadow(sm);
  const ByteMask wanted = ByteMask::of(load), brought = ByteMask::of(fill), from_fill = wanted & ~from_slot;
  l1.answered(load, from_slot, from_fill, Stamp::of(*s).event_before(l1.event()), fill_event(sm, *f, l1));
  reference_.count_checked(from_slot.count());
  // A whole fill was verified when it came: its digest is the load's, and a difference shows at the load/store unit.
  if (from_slot.empty() && wanted == brought) return serve(*s, Stamp::of(*f).digest);
  if (!brought.contains(from_fill))
    l1.report(load.get_address(), 0, 0, "load was answered with bytes that its fill did not bring");
  l1.report_difference(load.get_address(), fill.get_data_ptr(), load.get_data_ptr(), from_fill & brought,
                       "load returned another byte than its fill's");
  serve(*s, line_digest(load.get_data_ptr(), wanted));
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
