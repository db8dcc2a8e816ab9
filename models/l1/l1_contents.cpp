// SPDX-License-Identifier: Apache-2.0
//
// What L1Cache does to its slots: fills, allocation, drops, the backdoor, and its account of itself.
#include <algorithm>
#include <ostream>

#include "gputlm/l1/l1_cache.h"

namespace gputlm {

PayloadRef L1Cache::make_child(const Payload& load, ByteMask bytes) {
  PayloadRef child = pool_.line(tlm::TLM_READ_COMMAND, load.get_address(), Operation::load);
  set_enables(*child, bytes);
  const Sideband& from = *find_sideband(load);
  Sideband& s = *find_sideband(*child);
  s.semantics = from.semantics;
  s.scope = from.scope;
  s.eviction = from.eviction;
  s.origin = from.origin;
  s.creator = this;
  return child;
}

/// Merges a fill under the bytes that the slot holds already, if the line still has a slot and the fill is fit for it.
void L1Cache::install(FillTable::Index fill) {
  const FillTable::Fill& f = fills_[fill];
  if (f.poisoned) ++counters_.fills_poisoned;
  const Slot slot = array_.find(f.line);
  ByteMask installed;
  if (slot != L1Array::kNone && !f.poisoned && f.child->is_response_ok()) {
    installed = f.bytes & ~f.stale & ~array_.valid(slot);
    array_.write(slot, f.child->get_data_ptr(), installed);
  }
  if (observer != nullptr) observer->on_fill(sm_, slot, *f.child, installed);
}

/// Completes a waiting load: the bytes it captured at arrival stay, the others come from the fill's own data.
void L1Cache::answer(Payload& load, ByteMask captured, const Payload& fill) const {
  load.set_response_status(fill.get_response_status());
  if (!fill.is_response_ok()) return;
  copy_masked(load.get_data_ptr(), fill.get_data_ptr(), ByteMask::of(load) & ~captured);
  if (observer != nullptr) observer->on_miss_answered(sm_, load, captured, fill);
}

L1Cache::Slot L1Cache::allocate(std::uint64_t line) {
  const Slot slot = array_.victim(line);
  if (array_.holds(slot)) {
    ++counters_.evictions;
    drop_slot(slot);
  }
  ++counters_.allocations;
  array_.assign(slot, line);
  if (observer != nullptr) observer->on_allocate(sm_, slot, line);
  return slot;
}

void L1Cache::drop_slot(Slot slot) {
  array_.drop(slot);
  if (observer != nullptr) observer->on_drop(sm_, slot);
}

/// Drops what the slot holds, but for its dirty bytes, of which nobody else has a copy.
void L1Cache::drop_clean_bytes(Slot slot) {
  const ByteMask dirty = array_.dirty(slot);
  if (dirty.empty()) return drop_slot(slot);
  array_.keep_only(slot, dirty);
  if (observer != nullptr) observer->on_drop_but(sm_, slot, dirty);
}

void L1Cache::drop_line(std::uint64_t line) {
  fills_.poison(line);
  if (const Slot slot = array_.find(line); slot != L1Array::kNone) drop_clean_bytes(slot);
}

void L1Cache::drop_everything() {
  ++counters_.invalidates;
  fills_.poison_all();
  array_.drop_all();
  if (observer != nullptr) observer->on_invalidate_all(sm_);
}

void L1Cache::set_ways(unsigned ways) {
  if (ways == 0 || ways > spec_.ways) SC_REPORT_FATAL(name(), "the L1 is given no way, or more ways than it has");
  if (clean()) return drop_ways(ways);
  begin_flush(now());
  flush_.ways = ways;
}

void L1Cache::drop_ways(unsigned ways) {
  for (Slot s = 0; s < array_.slots(); ++s)
    if (s % spec_.ways >= ways && array_.holds(s)) drop_slot(s);
  array_.set_ways(ways);
}

/// A debug write changed memory under the slot. A store of this SM that is still on its way down will come after it,
/// and the thread that issued it must not read the debug write's bytes in between: then the slot goes.
void L1Cache::refresh(Slot slot, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t line = array_.line(slot);
  const auto from = static_cast<unsigned>(first > line ? first - line : 0);
  const auto to = static_cast<unsigned>(std::min<std::uint64_t>(last - line, kLineBytes - 1));
  const ByteMask mask = array_.valid(slot) & ByteMask::range(from, to - from + 1);
  if (mask.empty()) return;
  if (array_.dirty(slot).intersects(mask)) {  // memory has the later value
    array_.set_dirty(slot, array_.dirty(slot) & ~mask);
    if (observer != nullptr) observer->on_debug_write(sm_, slot, array_.data(slot), mask);
  }
  const PayloadRef probe = pool_.line(tlm::TLM_READ_COMMAND, line, Operation::load);
  set_enables(*probe, mask);
  if (passing_ > 0 || writing_ > 0 || misses->transport_dbg(*probe) == 0) {
    drop_clean_bytes(slot);
    return;
  }
  array_.write(slot, probe->get_data_ptr(), mask);
  if (observer != nullptr) observer->on_debug_write(sm_, slot, probe->get_data_ptr(), mask);
}

std::optional<L1Cache::SlotView> L1Cache::slot(unsigned set, unsigned way) const {
  const Slot s = set * spec_.ways + way;
  if (!array_.holds(s)) return std::nullopt;
  return SlotView{array_.line(s), array_.valid(s), array_.data(s)};
}

void L1Cache::set_slot(unsigned way, std::uint64_t virtual_line, ByteMask valid, const unsigned char* image) {
  if (const Slot old = array_.find(virtual_line); old != L1Array::kNone) drop_slot(old);
  array_.victim(virtual_line);  // makes the arrays
  const Slot s = array_.set_of(virtual_line) * spec_.ways + way;
  if (array_.holds(s)) drop_slot(s);
  array_.assign(s, virtual_line);
  array_.write(s, image, valid);
  if (observer == nullptr) return;
  observer->on_allocate(sm_, s, virtual_line);
  observer->on_debug_write(sm_, s, image, valid);
}

void L1Cache::reset() {
  requests.reset();
  misses.reset();
  wakeup_.cancel();
  hits_.clear();
  held_ = {};
  fills_.reset();
  array_.drop_all();
  array_.set_ways(spec_.ways);
  if (observer != nullptr) observer->on_invalidate_all(sm_);
  hit_port_free_ = now();
  retry_at_ = kNever;
  road_free_ = 0;
  passing_ = 0;
  write_backs_.clear();
  free_writes_.clear();
  writing_ = 0;
  failed_write_.reset();
  flush_ = {};
  stall_.reset();
  counters_ = {};
}

bool L1Cache::idle() const {
  return fills_.empty() && hits_.empty() && !held_.request && passing_ == 0 && writing_ == 0 && !flush_.on;
}

void L1Cache::report(StatisticsSink& sink) const {
  const Counters& c = counters_;
  sink.count("loads", "request", "Weak and cta-scope loads looked up", c.loads);
  sink.count("load_hits", "request", "Loads answered from the slot alone", c.hits);
  sink.count("load_misses", "request", "Loads that waited for a fill", c.misses);
  sink.count("partial_hits", "request", "Of the misses, those that found some of their bytes in the slot",
             c.partial_hits);
  sink.count("fills", "line", "Fills asked for", c.fills);
  sink.count("fills_merged", "request", "Misses that waited for a fill already on its way", c.fills_merged);
  sink.count("fills_poisoned", "line", "Fills that came back unfit to be installed", c.fills_poisoned);
  sink.count("stores", "request", "Stores that passed", c.stores);
  sink.count("store_hits", "request", "Stores whose line had a slot", c.store_hits);
  sink.count("allocations", "line", "Slots given to a line", c.allocations);
  sink.count("evictions", "line", "Lines replaced by another", c.evictions);
  sink.count("invalidates", "request", "Times that every line was dropped", c.invalidates);
  sink.count("strong_bypasses", "request", "Strong loads, reductions and atomics that went past", c.strong_bypasses);
  if (keeps_stores_) report_write_back(sink);
  sink.value("stall_fills", "ns", "Time a load waited at the door for fill sectors",
             to_ns(stall_.total(Stall::fills, now())));
  sink.value("stall_network", "ns", "Time a request waited at the door for the road below",
             to_ns(stall_.total(Stall::network, now())));
  sink.histogram("load_wait", "Load at L1's door to being taken: not 0 when it waited for fill sectors", c.load_wait);
  sink.histogram("hit_latency", "Load at L1 to its data leaving, on a hit", c.hit_latency);
  sink.histogram("fill_latency", "Load at L1 to its fill's return", c.fill_latency);
}

void L1Cache::list_waits(WaitList& waits) const {
  if (held_.request)
    waits.add(*this, *held_.request,
              held_.cause == Stall::fills        ? " waits for fill sectors"
              : held_.cause == Stall::write_back ? " waits until dirty bytes have left"
                                                 : " waits for END_REQ from the MMU",
              held_.arrival);
  fills_.for_each([&](const FillTable::Fill& f) {
    waits.add(*this, *f.child, " (a fill, " + std::to_string(fills_.waiters_of(f)) + " loads wait for it) is missing",
              f.issued);
  });
  hits_.for_each([&](Fs due, const PayloadRef& p) {
    waits.add(*this, *p, " waits for the data port until " + ns_text(due), kNever);
  });
  for (const PayloadRef& p : write_backs_)
    if (p) waits.add(*this, *p, " (a write-back) is not answered yet", kNever);
  if (flush_.on) waits.add(*this, "flushing, " + std::to_string(array_.dirty_slots()) + " dirty lines left");
  if (passing_ > 0) waits.add(*this, std::to_string(passing_) + " requests that went on are not answered yet");
}

}  // namespace gputlm
