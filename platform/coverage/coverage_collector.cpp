// SPDX-License-Identifier: Apache-2.0
#include "gputlm/coverage/coverage_collector.h"

#include <algorithm>

#include "gputlm/coverage/sm_listener.h"
#include "gputlm/system/statistics_tree.h"

namespace gputlm {

using Event = CoverageEvent;

CoverageCollector::CoverageCollector(Simulation& simulation) : simulation_(simulation) {
  simulation.l2_observers.add(*this);
  simulation.l1_observers.add(*this);
  for (const auto& sm : simulation.gpu.sms) sms_.push_back(std::make_unique<SmListener>(*this, *sm));
}

CoverageCollector::~CoverageCollector() = default;

void CoverageCollector::on_fill(unsigned sm, unsigned /*slot*/, const Payload& fill, ByteMask installed) {
  sms_[sm]->filled(fill, installed);
}
void CoverageCollector::on_hit(unsigned sm, unsigned /*slot*/, const Payload& load, ByteMask wanted) {
  sms_[sm]->load_hit(load, wanted);
}
void CoverageCollector::on_invalidate_all(unsigned sm) {
  sms_[sm]->invalidated();
}

bool CoverageCollector::backlog_full(unsigned slice) const {
  const Config& config = simulation_.gpu.config();
  const MemoryController& controller = *simulation_.gpu.mem.controllers[slice / config.crossbar.slices_per_controller];
  if (controller.write_backlog() >= config.dram.write_queue_entries) return true;
  // One that has just got room takes the writes at its door by an event of its own: until then it is full to them.
  const unsigned per_controller = config.crossbar.slices_per_controller,
                 first = slice / per_controller * per_controller;
  const auto begin = simulation_.gpu.mem.slices.begin() + first;
  return std::any_of(begin, begin + per_controller, [](const auto& s) { return s->writes.busy(); });
}

// Told before a store or atomic changes the line; a line that was absent has its way already and no valid byte.
void CoverageCollector::note_access(unsigned slice, const Payload& p, L2Access access) {
  const L2Slice& l2 = *simulation_.gpu.mem.slices[slice];
  const std::uint64_t line = line_of(p.get_address());
  const ByteMask wanted = ByteMask::of(p);
  const unsigned set = l2.set_of(line);
  L2Way way;
  for (unsigned w = 0; w < simulation_.gpu.config().l2.ways && !way.present; ++w)
    if (L2Way candidate = l2.way(set, w); candidate.present && candidate.line == line) way = candidate;
  const bool complete = way.valid.contains(wanted), partly = !way.valid.empty() || way.fetching != 0;
  const Presence presence = complete ? Presence::hit : partly ? Presence::partly_valid : Presence::miss;
  hits_.hit(bin_of(access, presence, !way.dirty.empty(), way.in_fifo, backlog_full(slice)));
  note_races(way, access, wanted, complete);
  note_alias(p);
}

void CoverageCollector::note_races(const L2Way& way, L2Access access, ByteMask wanted, bool complete) {
  const bool fetching = (way.fetching & wanted.touched_sectors()) != 0;
  if (fetching && access == L2Access::store) hit(Event::l2_store_under_fetch);
  if (fetching && access == L2Access::atomic) hit(Event::l2_atomic_under_fetch);
  if (fetching && access == L2Access::load && !complete) hit(Event::l2_load_joins_fetch);
  if (way.writing && access == L2Access::load) hit(Event::l2_load_during_write_back);
  if (way.writing && access == L2Access::store) hit(Event::l2_store_during_write_back);
}

void CoverageCollector::note_alias(const Payload& p) {
  const Sideband* s = find_sideband(p);
  if (s == nullptr) return;
  const std::uint64_t virtual_line = line_of(s->virtual_address);
  const auto [last, first_access] = virtual_line_.emplace(line_of(p.get_address()), virtual_line);
  if (!first_access && last->second != virtual_line) hit(Event::l2_alias);
  last->second = virtual_line;
}

void CoverageCollector::on_line(unsigned slice, LineEvent event, unsigned set, unsigned way, std::uint64_t /*line*/) {
  const L2Slice& l2 = *simulation_.gpu.mem.slices[slice];
  switch (event) {
    case LineEvent::evicted:
      return hit(Event::l2_evicted);
    case LineEvent::dirty_victim:
      if (l2.fifo(set).size() == simulation_.gpu.config().l2.ways) hit(Event::l2_fifo_takes_all_ways);
      return hit(Event::l2_dirty_victim);
    case LineEvent::fifo_popped:
      return hit(Event::l2_fifo_popped);
    case LineEvent::janitor_clean:
      return hit(Event::l2_janitor_clean);
    case LineEvent::write_back_sent:
      if (l2.way(set, way).fetching != 0) hit(Event::l2_write_back_during_fetch);
      return;
    default:
      return;
  }
}

Coverage CoverageCollector::collect() const {
  Coverage all = hits_;
  for (std::size_t i = 0; i < statistic_bins().size(); ++i) {
    const StatisticBin& bin = statistic_bins()[i];
    for (const Unit* unit : units_of(bin.unit)) {
      StatisticSum sum({bin.statistic});
      sum.over(*unit);
      // A time in place of a count says only that it happened.
      if (sum.total() > 0) all.hit(bin_of_statistic(i));
    }
  }
  return all;
}

std::vector<const Unit*> CoverageCollector::units_of(CountingUnit unit) const {
  std::vector<const Unit*> units;
  const Gpu& gpu = simulation_.gpu;
  const auto add = [&units](const auto& list) {
    for (const auto& u : list) units.push_back(u.get());
  };
  switch (unit) {
    case CountingUnit::lsu:
      for (const auto& sm : gpu.sms) units.push_back(&sm->lsu);
      break;
    case CountingUnit::l1:
      for (const auto& sm : gpu.sms) units.push_back(&sm->l1);
      break;
    case CountingUnit::mmu:
      for (const auto& sm : gpu.sms) units.push_back(&sm->mmu);
      break;
    case CountingUnit::l2:
      add(gpu.mem.slices);
      break;
    case CountingUnit::controller:
      add(gpu.mem.controllers);
      break;
    case CountingUnit::channel:
      add(gpu.mem.channels);
      break;
    case CountingUnit::crossbar:
      units.push_back(&gpu.mem.crossbar);
      break;
    case CountingUnit::host:
      if (gpu.mem.host) units.push_back(gpu.mem.host.get());
      break;
  }
  return units;
}

}  // namespace gputlm
