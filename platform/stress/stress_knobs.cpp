// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include <fmt/format.h>

#include "gputlm/stress/stress_draw.h"

namespace gputlm {
namespace {

/// A value of the configuration and what it may become.
struct Knob {
  const char* path;
  std::array<const char*, 4> values;
};

/// Those that go with any value of the others.
constexpr Knob kKnobs[] = {
    {"l1.ways", {"1", "2", "4", "4"}},
    {"l1.fill_sectors", {"4", "8", "32", "256"}},
    {"l2.fetch_entries", {"1", "2", "8", "192"}},
    {"l2.write_back_entries", {"1", "2", "4", "8"}},
    {"l2.fifo_drain_interval", {"1", "2", "16", "100"}},
    {"l2.partial_sector_load", {"fetch", "serve_valid", "fetch", "serve_valid"}},
    {"l2.replacement.store_hit", {"keep", "promote", "keep", "promote"}},
    {"l2.janitor.trigger", {"any_store", "new_dirty_line", "any_store", "new_dirty_line"}},
    {"crossbar.sm_request_depth", {"1", "2", "16", "256"}},
    {"crossbar.slice_request_depth", {"1", "2", "16", "128"}},
    {"sm.queue_entries", {"1", "2", "8", "24"}},
    {"mmu.entries", {"1", "2", "16", "16"}},
    {"dram.read_queue_entries", {"1", "2", "8", "64"}},
    {"dram.scheduler", {"fr_fcfs", "fcfs", "fr_fcfs", "fcfs"}},
    {"dram.row_batching", {"true", "false", "true", "false"}},
    {"dram.age_cap", {"20 ns", "100 ns", "500 ns", "20 us"}},
    {"dram.page_policy", {"open", "closed", "idle_timer", "idle_timer"}},
    {"dram.ecc", {"none", "codeword", "none", "none"}},
    {"l2.write_allocate", {"no_fetch", "fetch", "no_fetch", "fetch"}},
    {"l2.replacement.eviction_classes", {"ignore", "honour", "honour", "honour"}},
    {"l2.replacement.bimodal_interval", {"1", "2", "32", "32"}},
    {"l2.replacement.duel_sets", {"1", "2", "32", "32"}},
    {"l2.replacement.duel_bits", {"1", "2", "10", "10"}},
    {"l2.janitor.policy", {"threshold", "none", "eager", "row_aware"}},
    {"l2.janitor.idle_time", {"1 ns", "20 ns", "100 ns", "1 us"}},
    {"dram.write_drain", {"marks", "arrival_order", "reads_first", "row_count"}},
    {"dram.drain_row_lines", {"1", "2", "4", "8"}},
    {"l1.write_policy", {"write_through", "write_around", "write_back", "write_back"}},
};

/// Adds what is drawn to a list.
class Overrides {
 public:
  Overrides(Draw& draw, std::vector<std::string>& list) : draw_(draw), list_(list) {}

  void set(const char* path, const std::string& value) { list_.push_back(fmt::format("{}={}", path, value)); }
  void set(const char* path, std::uint64_t value) { set(path, std::to_string(value)); }

  void draw_knobs() {
    for (const Knob& knob : kKnobs)
      if (draw_.once_in(3)) set(knob.path, knob.values[draw_.below(knob.values.size())]);
  }

  // A set's ways bound the janitor's threshold.
  void draw_ways(const Config& base) {
    constexpr std::array<unsigned, 4> kWays{1, 2, 4, 16};
    const bool changed = draw_.once_in(3);
    const unsigned ways = changed ? kWays[draw_.below(kWays.size())] : base.l2.ways;
    if (changed) set("l2.ways", ways);
    if (draw_.once_in(3) || ways < base.l2.janitor.dirty_threshold)
      set("l2.janitor.dirty_threshold", 1 + draw_.below(ways));
  }

  // Few sets are no prefix of the published index's many.
  void draw_sets() {
    constexpr std::array<unsigned, 4> kSets{1, 2, 8, 64};
    if (draw_.once_in(3)) {
      set("l2.sets", kSets[draw_.below(kSets.size())]);
      set("l2.set_index.type", "modulo");
    }
    constexpr std::array<std::pair<const char*, const char*>, 4> kL1Sets{
        {{"1", "[]"}, {"2", "[0x80]"}, {"4", "[0x80, 0x100]"}, {"4", "[0x280, 0x1100]"}}};
    if (!draw_.once_in(3)) return;
    const auto& [sets, masks] = kL1Sets[draw_.below(kL1Sets.size())];
    set("l1.sets", sets);
    set("l1.index_masks", masks);
  }

  void draw_replacement() {
    constexpr std::array<const char*, 7> kPolicies{"rrip", "lru", "tree_plru", "srrip", "brrip", "drrip", "random"};
    if (draw_.once_in(3)) set("l2.replacement.policy", kPolicies[draw_.below(kPolicies.size())]);
    if (!draw_.once_in(3)) return;
    constexpr std::array<unsigned, 4> kLevels{2, 3, 4, 8};
    const unsigned levels = kLevels[draw_.below(kLevels.size())];
    set("l2.replacement.levels", levels);
    set("l2.replacement.insert_rrpv", draw_.below(levels));
    set("l2.replacement.load_hit_rrpv", draw_.below(levels));
  }

  void draw_write_queue() {
    if (!draw_.once_in(3)) return;
    constexpr std::array<std::array<unsigned, 3>, 4> kMarks{{{1, 1, 0}, {2, 2, 1}, {8, 6, 2}, {128, 112, 32}}};
    const auto& marks = kMarks[draw_.below(kMarks.size())];
    set("dram.write_queue_entries", marks[0]);
    set("dram.write_high_mark", marks[1]);
    set("dram.write_low_mark", marks[2]);
  }

  // Slices at different distances: requests of one SM then reach two of them in another order than they left in. A map
  // that is laid over the slice function keeps it.
  void draw_network(const Config& base) {
    if (base.dram.map.type != "windowed" && draw_.once_in(3))
      set("crossbar.slice_function.type", draw_.once_in(2) ? "modulo" : "xor_fold");
    constexpr std::uint64_t kFarthest = 60;
    if (!draw_.once_in(4)) return;
    std::string cycles;
    for (unsigned s = 0; s < base.crossbar.slices; ++s)
      cycles += (s == 0 ? "" : ", ") + std::to_string(draw_.below(kFarthest));
    set("crossbar.slice_position", "[" + cycles + "]");
  }

 private:
  Draw& draw_;
  std::vector<std::string>& list_;
};

}  // namespace

std::vector<std::string> draw_overrides(Draw& draw, const Config& base) {
  std::vector<std::string> list;
  Overrides overrides(draw, list);
  overrides.draw_knobs();
  overrides.draw_ways(base);
  overrides.draw_sets();
  overrides.draw_replacement();
  overrides.draw_write_queue();
  overrides.draw_network(base);
  return list;
}

}  // namespace gputlm
