// SPDX-License-Identifier: Apache-2.0
//
// The policies to explore on the whole platform: whatever they do to order and time, all judges stay quiet; cache hints
// reach the slices; and a write-back L1 has nothing left when a phase has ended.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/system/statistics_tree.h"
#include "run_text.h"

using namespace gputlm;

namespace {

// More lines than a small L2 holds, some of them hot, written and read by two SMs, then changed by atomics.
const char* const kMixed = R"(
experiment: mixed
config: tiny
set: {l2.sets: 16}
buffers: {hot: {size: 64 KiB}, words: {size: 8 KiB}}
image: {hot: pattern}
phases:
  - name: side by side
    kernels:
      - {name: hot, pattern: random, buffer: hot, granule: sector, accesses: 30, grid: 8, block: 64, eviction: last}
      - {name: fenced, pattern: fenced_stores, buffer: words, grid: 2, block: 32}
  - {name: words, pattern: atomics, buffer: words, grid: 4, block: 64}
  - {name: again, pattern: random, buffer: hot, granule: line, stores: 0.3, accesses: 30, grid: 8, block: 64, eviction: first}
)";

void runs_clean(const std::vector<std::string>& overrides) {
  TextRun run(kMixed, overrides);
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(v.bytes_checked > 0U);
}

std::uint64_t total(const TextRun& run, const char* statistic) {
  StatisticSum sum({statistic});
  for (const auto& sm : run.simulation.gpu.sms) sum.over(sm->l1);
  return static_cast<std::uint64_t>(sum.total());
}

}  // namespace

BOOST_AUTO_TEST_CASE(tree_plru_runs_clean) {
  runs_clean({"l2.replacement.policy=tree_plru"});
}
BOOST_AUTO_TEST_CASE(srrip_runs_clean) {
  runs_clean({"l2.replacement.policy=srrip"});
}
BOOST_AUTO_TEST_CASE(brrip_runs_clean) {
  runs_clean({"l2.replacement.policy=brrip"});
}
BOOST_AUTO_TEST_CASE(drrip_runs_clean) {
  runs_clean({"l2.replacement.policy=drrip", "l2.replacement.duel_sets=2"});
}
BOOST_AUTO_TEST_CASE(random_with_eviction_classes_runs_clean) {
  runs_clean({"l2.replacement.policy=random", "l2.replacement.eviction_classes=honour"});
}
BOOST_AUTO_TEST_CASE(rrip_with_eviction_classes_runs_clean) {
  runs_clean({"l2.replacement.eviction_classes=honour", "l2.janitor.policy=none", "l2.ways=2"});
}
BOOST_AUTO_TEST_CASE(eager_cleaning_runs_clean) {
  runs_clean({"l2.janitor.policy=eager", "l2.janitor.idle_time=20 ns"});
}
BOOST_AUTO_TEST_CASE(row_aware_cleaning_runs_clean) {
  runs_clean({"l2.janitor.policy=row_aware", "l2.janitor.dirty_threshold=4"});
}
BOOST_AUTO_TEST_CASE(stores_that_fetch_run_clean) {
  runs_clean({"l2.write_allocate=fetch", "l2.fetch_entries=2"});
}
BOOST_AUTO_TEST_CASE(write_around_runs_clean) {
  runs_clean({"l1.write_policy=write_around"});
}
BOOST_AUTO_TEST_CASE(write_back_runs_clean) {
  runs_clean({"l1.write_policy=write_back"});
}
BOOST_AUTO_TEST_CASE(write_back_with_one_way_and_short_queues_runs_clean) {
  runs_clean({"l1.write_policy=write_back", "l1.ways=1", "l1.fill_sectors=4", "crossbar.sm_request_depth=1",
              "crossbar.slice_request_depth=1", "l2.write_back_entries=1"});
}
BOOST_AUTO_TEST_CASE(reads_first_runs_clean) {
  runs_clean({"dram.write_drain=reads_first"});
}
BOOST_AUTO_TEST_CASE(row_count_runs_clean) {
  runs_clean({"dram.write_drain=row_count"});
}
BOOST_AUTO_TEST_CASE(a_table_of_slices_runs_clean) {
  runs_clean({"l2.slices=3", "l2.slices_per_controller=3", "crossbar.slice_function.type=table",
              "crossbar.slice_function.table_masks=[0x1100]", "crossbar.slice_function.table=[0, 1, 2, 0, 1, 2]"});
}

BOOST_AUTO_TEST_CASE(a_kernels_cache_hint_is_its_lines_eviction_class) {
  TextRun run(R"(
experiment: hints
config: tiny
set: {l2.replacement.eviction_classes: honour}
buffers: {a: {size: 2 KiB}, b: {size: 2 KiB}, c: {size: 2 KiB}}
phases:
  - kernels:
      - {name: first, pattern: stream_load, buffer: a, eviction: first}
      - {name: last, pattern: stream_store, buffer: b, eviction: last}
      - {name: both, pattern: script, buffer: c, steps: [{load: 0, eviction: last}, {store: 128, eviction: first}, {load: 256}]}
)");
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  const Simulation& s = run.simulation;
  const auto eviction_of = [&](unsigned buffer, std::uint64_t offset) {
    const std::uint64_t line = s.workload.buffers()[buffer].physical_address + offset;
    const L2Slice& slice = *s.gpu.mem.slices[s.gpu.mem.slice_of(line)];
    for (const L2Way& way : slice.view_set(s.gpu.mem.set_of(line)))
      if (way.present && way.line == line) return way.eviction;
    BOOST_FAIL("the line is not in L2");
    return EvictionClass::normal;
  };
  for (std::uint64_t offset = 0; offset < 2048; offset += kLineBytes) {
    BOOST_TEST((eviction_of(0, offset) == EvictionClass::first));
    BOOST_TEST((eviction_of(1, offset) == EvictionClass::last));
  }
  BOOST_TEST((eviction_of(2, 0) == EvictionClass::last));
  BOOST_TEST((eviction_of(2, 128) == EvictionClass::first));
  BOOST_TEST((eviction_of(2, 256) == EvictionClass::normal));
}

BOOST_AUTO_TEST_CASE(a_write_back_l1_sends_a_line_once_however_often_it_is_stored_and_is_clean_at_the_phases_end) {
  TextRun run(R"(
experiment: again and again
config: tiny
set: {l1.write_policy: write_back}
buffers: {a: {size: 2 KiB}}
phases:
  - {name: store, pattern: stream_store, buffer: a, repeat: 10}
  - {name: load, pattern: stream_load, buffer: a, sms: 1}
)");
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(total(run, "stores_kept") == 160U);
  BOOST_TEST(total(run, "write_backs") == 16U);
  std::uint64_t stores = 0;
  for (const auto& slice : run.simulation.gpu.mem.slices) stores += slice->counters().stores;
  BOOST_TEST(stores == 16U);
}

BOOST_AUTO_TEST_CASE(a_write_back_to_an_unmapped_page_ends_the_run_with_a_fault_that_names_the_line) {
  TextRun run(R"(
experiment: hole
config: tiny
set: {l1.write_policy: write_back}
buffers: {hole: {size: 4 KiB, mapped: false, at: 0x7f4000000000}}
phases:
  - {pattern: single_store, buffer: hole}
)");
  const Verdict v = run.run();
  BOOST_TEST((v.end == RunEnd::fault));
  BOOST_TEST(complaints(v).find("fault: SM 0 wrote line 0x7f4000000000 back to L2: not mapped") != std::string::npos,
             complaints(v));
}
