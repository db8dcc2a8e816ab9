// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/l1_shadow.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace gputlm {

// -- seen at the load/store unit -------------------------------------------------------------------------------------

void L1Shadow::store_requested(std::uint64_t line) {
  settle_due();
  due_ = {line, ++event_};
}

void L1Shadow::store_refused(std::uint64_t line, Event store_event) {
  if (due_.event == store_event) due_ = {};
  if (Slot* s = slot_of(line); s != nullptr && s->dead_from == store_event) s->dead_from = kNoEvent;
}

void L1Shadow::load_requested(const Payload& load) {
  if (ragged_ == 0) return;
  const Slot* s = slot_of(load.get_address());
  const ByteMask wanted = ByteMask::of(load);
  if (s == nullptr || s->valid.contains(wanted) || !s->valid.intersects(wanted)) return;
  Capture& capture = captures_[reinterpret_cast<std::uintptr_t>(&load)];
  capture.bytes = s->valid & wanted;
  std::memcpy(capture.line, bytes(static_cast<unsigned>(s - slots_.data())), kLineBytes);
}

void L1Shadow::load_finished(const Payload& load) {
  captures_.erase(reinterpret_cast<std::uintptr_t>(&load));
}

void L1Shadow::strong_requested(std::uint64_t line) {
  ++event_;
  if (Slot* s = slot_of(line)) s->dead_from = std::min(s->dead_from, event_);
}

void L1Shadow::invalidate_answered(Event request_event) {
  if (invalidated_at_ < request_event) all_dead_from_ = invalidated_at_ = ++event_;
}

// A store that L1 let pass is only wrong if L1 goes on showing the line without it. What the line's slot got since, if
// it took it afterwards, came in fills, which are judged by themselves.
void L1Shadow::settle_due() {
  if (due_.line == kNoLine) return;
  if (Slot* s = slot_of(due_.line); s != nullptr && s->born < due_.event)
    s->dead_from = std::min(s->dead_from, due_.event);
  due_ = {};
}

// -- seen at the slice -----------------------------------------------------------------------------------------------

L1Shadow::Event L1Shadow::fill_ordered() {
  ++fills_ordered_;
  return event_;
}

void L1Shadow::access_ordered(std::uint64_t line, ByteMask bytes) {
  ++event_;
  if (fills_ordered_ == 0) return;
  if (marks_.empty()) marks_.resize(kMarks);
  mark_of(line) = {line, event_, bytes};
}

// -- seen at the L1 --------------------------------------------------------------------------------------------------

void L1Shadow::allocate(unsigned slot, std::uint64_t line) {
  ++event_;
  if (slot >= slots_.size()) {
    slots_.resize(std::max<std::size_t>({kFirstSlots, 2 * slots_.size(), slot + 1U}));
    HostMemory more(slots_.size() * kLineBytes);
    if (bytes_.bytes() != 0) std::memcpy(more.data(), bytes_.data(), bytes_.bytes());
    bytes_ = std::move(more);
  }
  forget(slot);
  if (!buckets_.empty() && slot_of(line) != nullptr)
    report(line, 0, slot, "line takes a slot although another slot holds it");
  slots_[slot] = {line, {}, {}, event_, kNoEvent, generation_, 0};
  if (!buckets_.empty()) link(slot);
}

void L1Shadow::store(unsigned slot, const Payload& store, ByteMask mask, Event store_event) {
  ++event_;
  if (due_.event == store_event) due_ = {};
  Slot* s = live_slot(slot, store.get_address(), "store was written into a slot that does not hold its line");
  if (s == nullptr) return;
  if (s->dead_from == store_event) s->dead_from = kNoEvent;
  write(slot, store.get_data_ptr(), mask);
  if (keeping_ != 0) set_kept(*s, s->kept & ~mask);
}

void L1Shadow::keep(unsigned slot, ByteMask mask) {
  if (slot < slots_.size() && live(slots_[slot])) set_kept(slots_[slot], slots_[slot].kept | mask);
}

void L1Shadow::write_back(unsigned slot, const Payload& write) {
  ++event_;
  Slot* s = live_slot(slot, write.get_address(), "write-back from a slot that does not hold the line");
  if (s == nullptr) return;
  const ByteMask sent = ByteMask::of(write);
  if (!(sent == s->kept)) report(s->line, s->kept.count(), sent.count(), "write-back of other bytes than those kept");
  report_difference(s->line, bytes(slot), write.get_data_ptr(), sent, "write-back of another byte than the slot's");
  set_kept(*s, {});
}

void L1Shadow::drop_but(unsigned slot, ByteMask stay) {
  ++event_;
  if (slot >= slots_.size() || !live(slots_[slot])) return;
  Slot& s = slots_[slot];
  if (!stay.contains(s.kept))
    report(s.line, s.kept.count(), stay.count(), "dropped stores that were kept and not sent on");
  if (ragged(s)) --ragged_;
  s.valid &= stay;
  if (ragged(s)) ++ragged_;
  s.born = event_;
  s.dead_from = kNoEvent;
}

void L1Shadow::fill(unsigned slot, const Payload& fill, ByteMask installed, Event fill_event) {
  if (fills_ordered_ > 0) --fills_ordered_;
  if (installed.empty()) return;
  const std::uint64_t line = fill.get_address();
  if (outdated(line, installed, fill_event, event_))
    report(line, event_, fill_event,
           "fill that L2 ordered before the SM's invalidate, strong access or own store was installed after it "
           "(SM events)");
  if (!ByteMask::of(fill).contains(installed)) report(line, 0, 0, "fill installed bytes that it did not bring");
  Slot* s = live_slot(slot, line, "fill was installed in a slot that does not hold its line");
  if (s == nullptr) return;
  report_difference(line, bytes(slot), fill.get_data_ptr(), installed & s->valid,
                    "fill overwrote a byte that the slot held already");
  write(slot, fill.get_data_ptr(), installed);
}

void L1Shadow::hit(unsigned slot, const Payload& load, ByteMask wanted, Event load_event) {
  const std::uint64_t line = load.get_address();
  if (due_.event <= load_event) settle_due();
  const Slot* s = live_slot(slot, line, "hit in a slot that does not hold the line");
  if (s == nullptr) return;
  if (load_event >= s->dead_from)
    report(line, s->dead_from, load_event,
           "hit on a line that a strong access took away, or without the SM's own store (SM events)");
  else if (s->born < all_dead_from_ && load_event >= all_dead_from_)
    report(line, all_dead_from_, load_event, "hit on a line that outlived an invalidate (SM events)");
  else if (!s->valid.contains(wanted))
    report(line, 0, 0, "hit on bytes that the slot does not hold");
  else
    report_difference(line, bytes(slot), load.get_data_ptr(), wanted, "hit returned another byte than the slot's");
}

void L1Shadow::answered(const Payload& load, ByteMask from_slot, ByteMask from_fill, Event load_event,
                        Event fill_event) {
  const std::uint64_t line = load.get_address();
  if (outdated(line, from_fill, fill_event, load_event))
    report(line, load_event, fill_event,
           "load was answered by a fill that L2 ordered before the SM's earlier invalidate, strong access or own store "
           "(SM events)");
  if (const Capture* capture = captures_.find(reinterpret_cast<std::uintptr_t>(&load)))
    report_difference(line, capture->line, load.get_data_ptr(), from_slot & capture->bytes,
                      "load returned another byte than the slot's at its arrival");
}

void L1Shadow::drop(unsigned slot) {
  if (slot < slots_.size()) forget(slot);
}

void L1Shadow::invalidate_all() {
  if (keeping_ != 0) report(0, 0, keeping_, "invalidated lines with stores that were kept and not sent on (count)");
  keeping_ = 0;
  ++generation_;
  ragged_ = 0;
  invalidated_at_ = ++event_;
}

void L1Shadow::debug_write(unsigned slot, const unsigned char* line, ByteMask mask) {
  if (slot >= slots_.size() || !live(slots_[slot])) return;
  write(slot, line, mask);
  set_kept(slots_[slot], slots_[slot].kept & ~mask);
}

// -- helpers ---------------------------------------------------------------------------------------------------------

L1Shadow::Slot* L1Shadow::slot_of(std::uint64_t line) {
  if (buckets_.empty()) {
    buckets_.resize(kBuckets);
    for (unsigned slot = 0; slot < slots_.size(); ++slot)
      if (slots_[slot].line != kNoLine) link(slot);
  }
  for (Link link = bucket(line); link != 0; link = slots_[link - 1U].next)
    if (Slot& s = slots_[link - 1U]; s.line == line && live(s)) return &s;
  return nullptr;
}

L1Shadow::Slot* L1Shadow::live_slot(unsigned slot, std::uint64_t line, const char* what) {
  if (slot < slots_.size() && live(slots_[slot]) && slots_[slot].line == line) return &slots_[slot];
  report(line, line, slot < slots_.size() ? slots_[slot].line : kNoLine, what);
  return nullptr;
}

void L1Shadow::link(unsigned slot) {
  Link& head = bucket(slots_[slot].line);
  slots_[slot].next = head;
  head = slot + 1;
}

void L1Shadow::unlink(unsigned slot) {
  Link* link = &bucket(slots_[slot].line);
  while (*link != slot + 1) link = &slots_[*link - 1U].next;
  *link = slots_[slot].next;
}

void L1Shadow::forget(unsigned slot) {
  Slot& s = slots_[slot];
  if (s.line == kNoLine) return;
  if (live(s) && ragged(s)) --ragged_;
  if (live(s) && !s.kept.empty()) {
    report(s.line, 0, s.kept.count(), "dropped stores that were kept and not sent on (bytes)");
    set_kept(s, {});
  }
  if (!buckets_.empty()) unlink(slot);
  s.line = kNoLine;
}

void L1Shadow::write(unsigned slot, const unsigned char* from, ByteMask mask) {
  Slot& s = slots_[slot];
  copy_masked(bytes(slot), from, mask);
  if (ragged(s)) --ragged_;
  s.valid |= mask;
  if (ragged(s)) ++ragged_;
}

void L1Shadow::set_kept(Slot& s, ByteMask kept) {
  keeping_ += (kept.empty() ? 0U : 1U) - (s.kept.empty() ? 0U : 1U);
  s.kept = kept;
}

bool L1Shadow::outdated(std::uint64_t line, ByteMask bytes, Event fill_event, Event user_event) {
  if (bytes.empty()) return false;
  if (fill_event < invalidated_at_ && invalidated_at_ <= user_event) return true;
  if (marks_.empty()) return false;
  const Mark& mark = mark_of(line);
  return mark.line == line && fill_event < mark.event && mark.event <= user_event && mark.bytes.intersects(bytes);
}

void L1Shadow::report(std::uint64_t address, std::uint64_t expected, std::uint64_t got, const char* text) {
  findings_.add(FindingKind::l1_unlawful, sm_, address, expected, got, text);
}

void L1Shadow::report_difference(std::uint64_t line, const unsigned char* expected, const unsigned char* got,
                                 ByteMask mask, const char* text) {
  if (mask.empty() || (mask.is_full() && std::memcmp(expected, got, kLineBytes) == 0)) return;
  if (equal_masked(expected, got, mask)) return;
  for (unsigned i = 0; i < kLineBytes; ++i)
    if (mask.test(i) && expected[i] != got[i]) return report(line + i, expected[i], got[i], text);
}

}  // namespace gputlm
