// SPDX-License-Identifier: Apache-2.0
#include "gputlm/coverage/sm_listener.h"

#include <algorithm>
#include <cstring>

namespace gputlm {
namespace {

using Event = CoverageEvent;

constexpr Event kQuietFences[] = {Event::lsu_cta_fence_quiet, Event::lsu_gpu_fence_quiet, Event::lsu_sys_fence_quiet};
constexpr Event kBusyFences[] = {Event::lsu_cta_fence_behind_stores, Event::lsu_gpu_fence_behind_stores,
                                 Event::lsu_sys_fence_behind_stores};

}  // namespace

CoverageCollector::SmListener::SmListener(CoverageCollector& collector, Sm& sm)
    : collector_(collector),
      sm_(sm),
      lsu_ear_(*this, &SmListener::at_lsu),
      l1_ear_(*this, &SmListener::at_l1),
      mmu_ear_(*this, &SmListener::at_mmu) {
  for (const auto& access : sm.lsu.accesses) access->arrow.bind(lsu_ear_);
  sm.l1.requests.arrow.bind(l1_ear_);
  sm.mmu.requests.arrow.bind(mmu_ear_);
}

void CoverageCollector::SmListener::at_lsu(const ArrowEvent& event) {
  const Sideband* s = find_sideband(*event.payload);
  if (event.phase != ArrowEvent::Phase::begin_req || s == nullptr) return;
  if (s->operation == Operation::fence)
    note_fence(*s);
  else if (s->lanes != nullptr)
    note_lanes(*s->lanes);
}

void CoverageCollector::SmListener::note_fence(const Sideband& s) {
  hit((sm_.lsu.unacknowledged() == 0 ? kQuietFences : kBusyFences)[static_cast<std::size_t>(s.scope)]);
}

void CoverageCollector::SmListener::note_lanes(const WarpLanes& lanes) {
  if (lanes.active == 0) return;
  if (lanes.active != ~std::uint32_t{0}) hit(Event::lsu_partial_warp);
  const std::uint64_t first = line_of(lanes.at(static_cast<unsigned>(__builtin_ctz(lanes.active))));
  for (unsigned i = 0; i < kLanes; ++i)
    if ((lanes.active >> i & 1U) != 0 && line_of(lanes.at(i)) != first) return hit(Event::lsu_lanes_on_several_lines);
}

// Shown before the L1 serves the request: the slot is as the request finds it.
void CoverageCollector::SmListener::at_l1(const ArrowEvent& event) {
  const Sideband* s = find_sideband(*event.payload);
  if (event.phase != ArrowEvent::Phase::begin_req || s == nullptr) return;
  const bool load = s->operation == Operation::load, store = s->operation == Operation::store;
  if (!load && !store && !s->is_atomic()) return;
  const std::uint64_t line = event.payload->get_address();
  const ByteMask wanted = ByteMask::of(*event.payload), valid = valid_bytes(line) & wanted;
  const Presence presence = valid == wanted ? Presence::hit : valid.empty() ? Presence::miss : Presence::partly_valid;
  const L1Access access = store ? L1Access::store : load && s->may_use_l1() ? L1Access::load : L1Access::strong;
  collector_.hits_.hit(bin_of(access, presence, filling(line)));
}

ByteMask CoverageCollector::SmListener::valid_bytes(std::uint64_t virtual_line) const {
  const unsigned set = sm_.l1.set_of(virtual_line);
  for (unsigned way = 0; way < collector_.simulation_.gpu.config().l1.ways; ++way)
    if (const auto slot = sm_.l1.slot(set, way); slot && slot->line == virtual_line) return slot->valid;
  return {};
}

bool CoverageCollector::SmListener::filling(std::uint64_t virtual_line) const {
  return std::any_of(fillings_.begin(), fillings_.end(), [&](const Filling& f) { return f.line == virtual_line; });
}

// An L1's children are its fills.
void CoverageCollector::SmListener::at_mmu(const ArrowEvent& event) {
  const Sideband* s = find_sideband(*event.payload);
  if (event.phase == ArrowEvent::Phase::begin_req && s != nullptr && s->creator == &sm_.l1)
    fillings_.push_back({event.payload, event.payload->get_address(), false});
}

void CoverageCollector::SmListener::filled(const Payload& fill, ByteMask installed) {
  const auto f = std::find_if(fillings_.begin(), fillings_.end(), [&](const Filling& x) { return x.child == &fill; });
  if (f == fillings_.end()) return;
  if (f->invalidated)
    hit(Event::l1_fill_after_invalidate);
  else if (installed == ByteMask::of(fill))
    hit(Event::l1_fill_installed);
  else
    hit(valid_bytes(f->line).empty() ? Event::l1_fill_without_slot : Event::l1_fill_under_newer_bytes);
  fillings_.erase(f);
}

void CoverageCollector::SmListener::invalidated() {
  hit(fillings_.empty() ? Event::l1_invalidate_quiet : Event::l1_invalidate_during_fill);
  for (Filling& f : fillings_) f.invalidated = true;
}

void CoverageCollector::SmListener::load_hit(const Payload& load, ByteMask wanted) {
  Gpu& gpu = collector_.simulation_.gpu;
  const std::optional<Page> page = gpu.pages.find(load.get_address());
  alignas(8) unsigned char now_at_l2[kLineBytes];
  if (!page || !gpu.mem.debug_read(page->translate(load.get_address()), now_at_l2)) return;
  alignas(8) unsigned char merged[kLineBytes];
  std::memcpy(merged, now_at_l2, kLineBytes);
  copy_masked(merged, load.get_data_ptr(), wanted);
  if (std::memcmp(merged, now_at_l2, kLineBytes) != 0) hit(Event::l1_stale_hit);
}

}  // namespace gputlm
