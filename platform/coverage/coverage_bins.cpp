// SPDX-License-Identifier: Apache-2.0
#include "gputlm/coverage/coverage_bins.h"

#include <array>

namespace gputlm {
namespace {

constexpr std::array<const char*, 3> kPresences{"miss", "partly_valid", "hit"};
constexpr std::array<const char*, 3> kPresenceTexts{"the line is absent", "some of its bytes are there or on their way",
                                                    "all of its bytes are valid there"};
constexpr std::array<const char*, 3> kL2Accesses{"load", "store", "atomic"};
constexpr std::array<const char*, 3> kL1Accesses{"load", "store", "strong"};
constexpr std::size_t kL2Crosses = 3 * 3 * 2 * 2 * 2, kL1Crosses = 3 * 3 * 2;

struct EventText {
  const char* name;
  const char* description;
};
constexpr EventText kEventTexts[] = {
    {"l2.store_under_fetch", "a store writes bytes that a fetch is bringing"},
    {"l2.atomic_under_fetch", "an atomic comes to bytes that a fetch is bringing"},
    {"l2.load_joins_fetch", "a load waits for a fetch that another access started"},
    {"l2.load_during_write_back", "a load comes while its line's write-back waits for the controller"},
    {"l2.store_during_write_back", "a store comes while its line's write-back waits for the controller"},
    {"l2.write_back_during_fetch", "a write-back leaves while sectors of its line are fetched"},
    {"l2.evicted", "a clean line is replaced"},
    {"l2.dirty_victim", "a dirty victim enters its set's write-back FIFO"},
    {"l2.fifo_takes_all_ways", "every way of a set is in its write-back FIFO"},
    {"l2.fifo_popped", "a line leaves the FIFO and frees its way"},
    {"l2.janitor_clean", "the janitor cleans a line in place"},
    {"l2.alias", "a line is accessed by another virtual address than before"},
    {"l1.fill_installed", "a fill comes back and all of it is installed"},
    {"l1.fill_under_newer_bytes", "a fill comes back and some of its bytes are held already: a store raced it"},
    {"l1.fill_without_slot", "a fill comes back to a line that has lost its slot"},
    {"l1.fill_after_invalidate", "a fill comes back that was asked for before an invalidate"},
    {"l1.invalidate_quiet", "every line is dropped with no fill on its way"},
    {"l1.invalidate_during_fill", "every line is dropped while fills are on their way"},
    {"l1.stale_hit", "a weak load hits on bytes older than those at L2"},
    {"lsu.cta_fence_quiet", "a cta fence with every access of the SM acknowledged"},
    {"lsu.gpu_fence_quiet", "a gpu fence with every access of the SM acknowledged"},
    {"lsu.sys_fence_quiet", "a sys fence with every access of the SM acknowledged"},
    {"lsu.cta_fence_behind_stores", "a cta fence behind unacknowledged stores or atomics"},
    {"lsu.gpu_fence_behind_stores", "a gpu fence behind unacknowledged stores or atomics"},
    {"lsu.sys_fence_behind_stores", "a sys fence behind unacknowledged stores or atomics"},
    {"lsu.partial_warp", "an access of some of a warp's lanes only"},
    {"lsu.lanes_on_several_lines", "an access whose lanes lie on several lines"},
};
static_assert(sizeof kEventTexts / sizeof kEventTexts[0] == kEvents);

// Where the crosses and the plain bins lie in one list; a cross that cannot happen has no place.
struct Catalogue {
  std::vector<CoverageBin> bins;
  std::vector<ExcludedBin> excluded;
  std::array<int, kL2Crosses> l2{};
  std::array<int, kL1Crosses> l1{};
  int first_event = 0, first_statistic = 0;

  int add(std::string name, std::string description) {
    bins.push_back({std::move(name), std::move(description)});
    return static_cast<int>(bins.size()) - 1;
  }
  Catalogue();
  void cross_l2();
  void cross_l1();
};

std::size_t index_of(L2Access access, Presence presence, bool dirty, bool in_fifo, bool backlog_full) {
  const auto pair = static_cast<std::size_t>(access) * 3 + static_cast<std::size_t>(presence);
  return pair * 8 + (dirty ? 4U : 0U) + (in_fifo ? 2U : 0U) + (backlog_full ? 1U : 0U);
}
std::size_t index_of(L1Access access, Presence presence, bool filling) {
  return (static_cast<std::size_t>(access) * 3 + static_cast<std::size_t>(presence)) * 2 + (filling ? 1U : 0U);
}

Catalogue::Catalogue() {
  cross_l2();
  cross_l1();
  first_event = static_cast<int>(bins.size());
  for (const EventText& e : kEventTexts) add(e.name, e.description);
  first_statistic = static_cast<int>(bins.size());
  for (const StatisticBin& s : statistic_bins()) add(s.name, s.description);
}

void Catalogue::cross_l2() {
  for (std::size_t i = 0; i < kL2Crosses; ++i) {
    const std::size_t access = i / 24, presence = i / 8 % 3;
    const bool dirty = (i & 4U) != 0, fifo = (i & 2U) != 0, full = (i & 1U) != 0;
    const std::string name = std::string("l2.") + kL2Accesses[access] + '.' + kPresences[presence] +
                             (dirty ? ".dirty" : ".clean") + (fifo ? ".in_fifo" : ".ordinary") +
                             (full ? ".backlog_full" : ".backlog_open");
    l2[i] = -1 - static_cast<int>(excluded.size());
    if (presence == 0 && (dirty || fifo)) {
      excluded.push_back({name, "an absent line is neither dirty nor in the write-back FIFO"});
      continue;
    }
    if (dirty && fifo && !full) {
      excluded.push_back(
          {name, "a FIFO line's bytes wait only while the backlog is full, or a write still waits at its door"});
      continue;
    }
    l2[i] = add(name, std::string(kL2Accesses[access]) + " at L2: " + kPresenceTexts[presence] + ", " +
                          (dirty ? "dirty" : "clean") + (fifo ? ", in the write-back FIFO" : "") +
                          (full ? "; the controller's write backlog is full" : ""));
  }
}

void Catalogue::cross_l1() {
  for (std::size_t i = 0; i < kL1Crosses; ++i) {
    const std::size_t access = i / 6, presence = i / 2 % 3;
    l1[i] = add(
        std::string("l1.") + kL1Accesses[access] + '.' + kPresences[presence] + (i % 2 == 1 ? ".filling" : ".quiet"),
        std::string(access == 2 ? "strong load or atomic" : kL1Accesses[access]) +
            " at L1: " + kPresenceTexts[presence] + (i % 2 == 1 ? ", a fill of the line on its way" : ""));
  }
}

const Catalogue& catalogue() {
  static const Catalogue one;
  return one;
}

}  // namespace

int bin_of(L2Access access, Presence presence, bool dirty, bool in_fifo, bool backlog_full) {
  return catalogue().l2[index_of(access, presence, dirty, in_fifo, backlog_full)];
}
int bin_of(L1Access access, Presence presence, bool filling) {
  return catalogue().l1[index_of(access, presence, filling)];
}
int bin_of(CoverageEvent event) {
  return catalogue().first_event + static_cast<int>(event);
}
int bin_of_statistic(std::size_t index) {
  return catalogue().first_statistic + static_cast<int>(index);
}

const std::vector<CoverageBin>& coverage_bins() {
  return catalogue().bins;
}
const std::vector<ExcludedBin>& excluded_bins() {
  return catalogue().excluded;
}

const std::vector<StatisticBin>& statistic_bins() {
  using Unit = CountingUnit;
  static const std::vector<StatisticBin> bins{
      {Unit::lsu, "stall_back_pressure", "lsu.exit_withheld", "L1 withholds END_REQ from the exit"},
      {Unit::lsu, "queue_0_full", "lsu.queue_full", "an access waits for room in a queue"},
      {Unit::l1, "stall_fills", "l1.no_fill_sectors", "a load is held back: too many sectors are on their way"},
      {Unit::l1, "stall_network", "l1.network_withheld", "a request is held back by the road below"},
      {Unit::l1, "fills_merged", "l1.load_joins_fill", "a load waits for a fill that another one asked for"},
      {Unit::l1, "evictions", "l1.evicted", "a line is replaced by another"},
      {Unit::mmu, "tlb_hits", "mmu.hit", "a translation is found"},
      {Unit::mmu, "tlb_misses", "mmu.miss", "a translation has to be asked for"},
      {Unit::crossbar, "stalled_sm_share", "crossbar.sm_share", "an SM has used up its share of the network"},
      {Unit::crossbar, "stalled_slice_queue", "crossbar.slice_queue", "a slice's queue is full"},
      {Unit::crossbar, "blocked_by_slice", "crossbar.slice_withholds", "a slice withholds END_REQ"},
      {Unit::l2, "stall_ways_busy_ns", "l2.all_ways_busy", "a request is held: every way of its set is on its way"},
      {Unit::l2, "stall_write_back_list_ns", "l2.write_back_list_full", "a request is held: the list is full"},
      {Unit::l2, "stall_fetch_entries_ns", "l2.no_fetch_entry", "a request is held: no fetch entry is free"},
      {Unit::l2, "fetches_held", "l2.fetch_behind_write_back", "a fetch waits until its line's write-back is accepted"},
      {Unit::l2, "partial_sector_loads", "l2.partial_sector", "a load misses on a sector that is partly valid"},
      {Unit::l2, "forced_pops", "l2.fifo_forced_pop", "a FIFO gives up its line because no other victim is left"},
      {Unit::l2, "fifo_rescues", "l2.fifo_rescue", "a store takes a line out of the FIFO"},
      {Unit::controller, "forwarded_reads", "dram.read_from_write_queue", "a read is served from the write backlog"},
      {Unit::controller, "merged_reads", "dram.read_merged", "a read is served from backlog and DRAM together"},
      {Unit::controller, "ordered_writes", "dram.write_behind_its_line",
       "a write waits for older requests of its line"},
      {Unit::controller, "stall_read_queue_full", "dram.read_queue_full", "a read waits at the controller's door"},
      {Unit::controller, "stall_write_backlog_full", "dram.write_backlog_full",
       "a write waits at the controller's door"},
      {Unit::controller, "mode_switches", "dram.turnaround", "a channel changes between reads and writes"},
      {Unit::controller, "overdue", "dram.overdue", "a request goes first because of its age"},
      {Unit::controller, "rows_opened_ahead", "dram.row_opened_ahead", "a row is opened before it is needed"},
      {Unit::channel, "row_hits", "dram.row_hit", "a transaction finds its row open"},
      {Unit::channel, "row_misses", "dram.row_miss", "a transaction finds its bank closed"},
      {Unit::channel, "row_conflicts", "dram.row_conflict", "a transaction finds another row open"},
      {Unit::channel, "refresh_stalls", "dram.refresh_in_the_way", "a transaction is pushed behind a refresh"},
      {Unit::channel, "merged_sectors", "dram.codeword_merge", "a partial sector is read, merged and written"},
      {Unit::channel, "writes_unmasked", "dram.write_unmasked", "a column write without mask"},
      {Unit::channel, "writes_double_byte", "dram.write_double_byte_mask", "a column write with a mask per byte pair"},
      {Unit::channel, "writes_single_byte", "dram.write_single_byte_mask", "a column write with a mask per byte"},
      {Unit::host, "barriers", "host.barrier", "a system barrier reaches the host's ordering point"},
  };
  return bins;
}

}  // namespace gputlm
