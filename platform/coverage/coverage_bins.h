// SPDX-License-Identifier: Apache-2.0
//
// What the verification is to have met at least once: situations in which the memory path has to get something right,
// alone and crossed. The list is data; who counts is in coverage_collector.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gputlm {

/// How a line lies in a cache when an access comes to it: absent, or with some, or with all of the wanted bytes valid.
enum class Presence : std::uint8_t { miss, partly_valid, hit };
/// An access as the L2 sees it; reductions are atomics.
enum class L2Access : std::uint8_t { load, store, atomic };
/// An access as an L1 sees it; strong loads and atomics go past it.
enum class L1Access : std::uint8_t { load, store, strong };
/// Who counts a bin by a statistic of its own.
enum class CountingUnit : std::uint8_t { lsu, l1, mmu, crossbar, l2, controller, channel, host };

/// Situations that observers recognise.
enum class CoverageEvent : std::uint8_t {
  l2_store_under_fetch,
  l2_atomic_under_fetch,
  l2_load_joins_fetch,
  l2_load_during_write_back,
  l2_store_during_write_back,
  l2_write_back_during_fetch,
  l2_evicted,
  l2_dirty_victim,
  l2_fifo_takes_all_ways,
  l2_fifo_popped,
  l2_janitor_clean,
  l2_alias,
  l1_fill_installed,
  l1_fill_under_newer_bytes,
  l1_fill_without_slot,
  l1_fill_after_invalidate,
  l1_invalidate_quiet,
  l1_invalidate_during_fill,
  l1_stale_hit,
  lsu_cta_fence_quiet,
  lsu_gpu_fence_quiet,
  lsu_sys_fence_quiet,
  lsu_cta_fence_behind_stores,
  lsu_gpu_fence_behind_stores,
  lsu_sys_fence_behind_stores,
  lsu_partial_warp,
  lsu_lanes_on_several_lines
};
inline constexpr std::size_t kEvents = static_cast<std::size_t>(CoverageEvent::lsu_lanes_on_several_lines) + 1;

struct CoverageBin {
  std::string name;
  std::string description;
};
/// A bin that is hit when one of the unit's statistics is not zero at the end of a run.
struct StatisticBin {
  CountingUnit unit;
  const char* statistic;
  const char* name;
  const char* description;
};
/// A cross that cannot happen, and why.
struct ExcludedBin {
  std::string name;
  std::string reason;
};

/// Index of a bin in coverage_bins(); for an excluded cross -1 less its index in excluded_bins().
int bin_of(L2Access access, Presence presence, bool dirty, bool in_fifo, bool backlog_full);
int bin_of(L1Access access, Presence presence, bool filling);
int bin_of(CoverageEvent event);
int bin_of_statistic(std::size_t index);

const std::vector<CoverageBin>& coverage_bins();
const std::vector<ExcludedBin>& excluded_bins();
const std::vector<StatisticBin>& statistic_bins();

}  // namespace gputlm
