// SPDX-License-Identifier: Apache-2.0
//
// A probe measures: a policy or figure changed by --set moves the probe that looks at it, the way the policy implies.
#include "gputlm/test_support/sc_test.h"
//
#include <map>

#include "gputlm/probe/analysis.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

using Values = std::map<std::string, std::optional<double>>;

Values values(const std::string& probe, const std::vector<std::string>& overrides = {}) {
  ProbeOptions options;
  options.overrides = overrides;
  options.check = true;
  Values result;
  for (const ProbeRow& row : run_probe(probe, options)) result[row.case_name] = row.value;
  return result;
}

/// Load-to-load time of one SM over lines of one slice, held by L2.
double l2_latency(unsigned sm, unsigned slice, const std::vector<std::string>& overrides) {
  const TempFolder folder;
  const ProbeFile file = read_probe_file(
      folder.file(
          "position.yaml",
          "experiment: position\nbuffers: {m: {size: 2 MiB}}\nphases:\n"
          "  - {pattern: chase, buffer: m, offsets: $lines, passes: 3, semantics: relaxed, sms: $sm}\nprobe: {}\n"),
      false);
  ProbeOptions options;
  options.overrides = overrides;
  options.check = true;
  ProbeRun run(file, options);
  const auto lines = run.lines(run.buffer("m", {{"lines", 0}, {"sm", 0}}), 16,
                               [&](std::uint64_t a) { return run.slice_of(a) == slice; });
  return median_of(from_share(issue_intervals(run.measure({{"lines", lines}, {"sm", sm}}).accesses), 0.5));
}

/// A stream that is read and one that is copied, through an L2 of few sets.
struct Durations {
  double read = 0, copy = 0;  // ns
};

Durations read_and_copy(std::vector<std::string> overrides) {
  const TempFolder folder;
  const ProbeFile file = read_probe_file(
      folder.file("copy.yaml",
                  "experiment: copy\nbuffers: {a: {size: 2 MiB}, b: {size: 2 MiB}, c: {size: 2 MiB}}\nphases:\n"
                  "  - {name: read, pattern: stream_load, buffer: a, unroll: 1, grid: 512, block: 256}\n"
                  "  - {name: copy, pattern: copy, from: b, to: c, grid: 512, block: 256}\nprobe: {}\n"),
      false);
  ProbeOptions options;
  overrides.insert(overrides.begin(), {"l2.sets=16", "l2.set_index.type=modulo"});
  options.overrides = std::move(overrides);
  options.check = true;
  ProbeRun run(file, options);
  const Measurement m = run.measure({});
  return {m.phases.at(0).duration_ns(), m.phases.at(1).duration_ns()};
}

/// 26 cycles at one place of a list, none elsewhere.
std::string one_of(unsigned place, unsigned count) {
  std::string list = "[";
  for (unsigned i = 0; i < count; ++i) list += std::string(i == 0 ? "" : ", ") + (i == place ? "26" : "0");
  return list + "]";
}

}  // namespace

BOOST_AUTO_TEST_CASE(twice_the_translation_miss_is_twice_the_step) {
  const Values shipped = values("tlb"), moved = values("tlb", {"mmu.miss_latency=8.8 ns"});
  BOOST_TEST(*shipped.at("step") == 4.4, boost::test_tools::tolerance(0.01));
  BOOST_TEST(*moved.at("step") == 8.8, boost::test_tools::tolerance(0.01));
  BOOST_TEST(*moved.at("pages=16") == *shipped.at("pages=16"), boost::test_tools::tolerance(1e-6));
}

BOOST_AUTO_TEST_CASE(twice_the_store_interval_is_twice_the_time_between_stores) {
  const Values moved = values("store-issue", {"sm.store_issue_interval=12.2"});
  for (const char* lanes : {"1", "8", "32"})
    BOOST_TEST(*moved.at("lanes=" + std::string(lanes) + ",bytes=4") == 12.2, boost::test_tools::tolerance(0.01));
  BOOST_TEST(*moved.at("lanes=32,bytes=8") == 8.3, boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(two_ways_are_half_the_conflict_set_and_half_the_cache) {
  const Values moved = values("l1-geometry", {"l1.ways=2"});
  BOOST_TEST(*moved.at("ways") == 2);
  BOOST_TEST(*moved.at("sets") == 256);
  BOOST_TEST(*moved.at("contiguous_kib=64") == 1);
  BOOST_TEST(*moved.at("contiguous_kib=128") < 1);
}

BOOST_AUTO_TEST_CASE(with_two_levels_a_line_that_was_hit_outlives_any_scan_and_with_lru_it_goes_first) {
  const Values shipped = values("rrip"), two = values("rrip", {"l2.replacement.levels=2"}),
               lru = values("rrip", {"l2.replacement.policy=lru"});
  BOOST_TEST(*shipped.at("load_hit") == 16);
  BOOST_TEST(!two.at("load_hit"));
  BOOST_TEST(*lru.at("load_hit") == 1);
}

BOOST_AUTO_TEST_CASE(a_dirty_line_lives_as_many_fills_longer_as_the_fifo_drains_slower) {
  const Values shipped = values("dirty-survival"), slow = values("dirty-survival", {"l2.fifo_drain_interval=4"});
  for (const unsigned dirty : {1U, 2U, 3U, 4U}) {
    const std::string name = "D=" + std::to_string(dirty) + ",target=dirty";
    BOOST_TEST(*shipped.at(name) == 2 * dirty, name);
    BOOST_TEST(*slow.at(name) == 4 * dirty, name);
  }
  BOOST_TEST(*shipped.at("fills_per_dirty_line") == 2);
  BOOST_TEST(*slow.at("fills_per_dirty_line") == 4);
}

BOOST_AUTO_TEST_CASE(a_janitor_that_allows_fewer_dirty_lines_writes_smaller_footprints_back) {
  const Values shipped = values("janitor"), strict = values("janitor", {"l2.janitor.dirty_threshold=2"}),
               none = values("janitor", {"l2.janitor.policy=none"});
  BOOST_TEST(*shipped.at("dirty_per_set") == 8);
  BOOST_TEST(*strict.at("dirty_per_set") == 2);
  BOOST_TEST(*none.at("dirty_per_set") > 8);
  BOOST_TEST(*shipped.at("footprint_mib=16") == 0);
  BOOST_TEST(*strict.at("footprint_mib=16") > 0.5);
  BOOST_TEST(*none.at("footprint_mib=36") < *shipped.at("footprint_mib=36"));
}

BOOST_AUTO_TEST_CASE(atomics_on_one_word_are_half_as_many_when_each_takes_twice_as_long) {
  const Values shipped = values("atomics"), slow = values("atomics", {"l2.atomic_same_word_cycles=4"});
  for (const char* name : {"red,one_address,sms=1", "atom,one_address,sms=128"})
    BOOST_TEST(*slow.at(name) == *shipped.at(name) / 2, boost::test_tools::tolerance(0.02));
  BOOST_TEST(*slow.at("atom,distinct_lines,sms=128") == *shipped.at("atom,distinct_lines,sms=128"),
             boost::test_tools::tolerance(0.02));
}

BOOST_AUTO_TEST_CASE(a_longer_road_to_l2_makes_stores_visible_later_by_every_trip_that_they_wait_for) {
  const Values shipped = values("visibility"), longer = values("visibility", {"crossbar.request_latency=70 ns"});
  const auto extra = [&](const char* name) { return *longer.at(name) - *shipped.at(name); };
  BOOST_TEST(extra("flag_alone") > 35);       // the store's way at least
  BOOST_TEST(extra("acquire_release") > 70);  // and before it the data's, which the release waits for
  BOOST_TEST(extra("gl") > 70);
}

BOOST_AUTO_TEST_CASE(a_fences_round_trip_follows_the_road_to_l2) {
  const Values shipped = values("fence-cost"), longer = values("fence-cost", {"crossbar.request_latency=70 ns"});
  for (const char* name : {"gl,n=0", "gl,n=1", "sys,n=1"})
    BOOST_TEST(*longer.at(name) - *shipped.at(name) == 35, boost::test_tools::tolerance(0.05));
  BOOST_TEST(*longer.at("cta,n=1") == *shipped.at("cta,n=1"), boost::test_tools::tolerance(0.01));
}

BOOST_AUTO_TEST_CASE(first_come_first_served_reads_the_operands_more_slowly) {
  const Values shipped = values("vadd"), fcfs = values("vadd", {"dram.scheduler=fcfs"});
  BOOST_TEST(*fcfs.at("dram.read_utilisation") < *shipped.at("dram.read_utilisation"));
}

BOOST_AUTO_TEST_CASE(marks_close_together_or_no_row_batches_make_a_copy_slower_and_leave_reads_alone) {
  const Durations shipped = read_and_copy({}), close = read_and_copy({"dram.write_high_mark=36"}),
                  without = read_and_copy({"dram.row_batching=false"});
  BOOST_TEST(close.copy > 1.05 * shipped.copy);
  BOOST_TEST(without.copy > shipped.copy);
  BOOST_TEST(close.read == shipped.read);
  BOOST_TEST(without.read == shipped.read);
}

BOOST_AUTO_TEST_CASE(a_deeper_backlog_is_full_later) {
  const Values shipped = values("write-backlog"),
               shallow = values("write-backlog", {"dram.write_queue_entries=64", "dram.write_high_mark=56"});
  BOOST_TEST(*shipped.at("controller,backlog_peak") == 128);
  BOOST_TEST(*shallow.at("controller,backlog_peak") == 64);
  BOOST_TEST(*shallow.at("controller,backlog_full_from") < *shipped.at("controller,backlog_full_from"));
}

BOOST_AUTO_TEST_CASE(a_closed_page_reads_the_operands_of_a_vector_sum_more_slowly) {
  const Values shipped = values("vadd"), closed = values("vadd", {"dram.page_policy=closed"});
  BOOST_TEST(*closed.at("dram.bytes_read") == *shipped.at("dram.bytes_read"));
  BOOST_TEST(*closed.at("dram.read_utilisation") < 0.8 * *shipped.at("dram.read_utilisation"));
}

BOOST_AUTO_TEST_CASE(a_stride_of_all_slices_meets_one_slice_under_a_plain_hash) {
  const Values shipped = values("slice-balance"),
               plain = values("slice-balance", {"crossbar.slice_function.type=modulo", "dram.map.type=linear"});
  BOOST_TEST(*shipped.at("stride=9216,slices_used") == 36);
  BOOST_TEST(*plain.at("stride=9216,slices_used") == 1);
  BOOST_TEST(*plain.at("base_gib=0,slices") == 0);
}

BOOST_AUTO_TEST_CASE(a_closed_page_makes_the_next_read_of_a_row_a_new_row) {
  const Values shipped = values("dram-rows"), closed = values("dram-rows", {"dram.page_policy=closed"});
  BOOST_TEST(*shipped.at("same_row") < 4);
  BOOST_TEST(*closed.at("same_row") > 10 * *shipped.at("same_row"));
}

BOOST_AUTO_TEST_CASE(position_adds_its_cycles_each_way_to_its_sm_and_its_slice_alone) {
  const double plain = l2_latency(3, 7, {}), extra = 2 * 26 / 2.6;
  const std::vector<std::string> sm{"crossbar.sm_position=" + one_of(3, 128)};
  const std::vector<std::string> slice{"crossbar.slice_position=" + one_of(7, 36)};
  BOOST_TEST(l2_latency(3, 7, sm) == plain + extra, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(l2_latency(2, 7, sm) == plain, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(l2_latency(3, 7, slice) == plain + extra, boost::test_tools::tolerance(1e-6));
  BOOST_TEST(l2_latency(3, 6, slice) == plain, boost::test_tools::tolerance(1e-6));
}
