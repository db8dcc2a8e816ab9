// SPDX-License-Identifier: Apache-2.0
//
// Seeded random traffic over small caches and queues: the scoreboard, the kernels' own expectations and the protocol
// checker must all stay quiet.
#include "gputlm/test_support/sc_test.h"

#include "run_text.h"

using namespace gputlm;

namespace {

const char* const kMixed = R"(
experiment: mixed
config: tiny
buffers:
  hot: {size: 64 KiB}
  other: {size: 1 MiB}
  words: {size: 8 KiB}
image:
  hot: pattern
  other: pattern
phases:
  - name: side by side
    kernels:
      - {name: hot, pattern: random, buffer: hot, granule: sector, stores: 0.5, accesses: 40, grid: 8, block: 64}
      - {name: masks, pattern: byte_masks, buffer: other, grid: 8, block: 64}
  - {name: words, pattern: atomics, buffer: words, grid: 4, block: 64}
  - {name: again, pattern: random, buffer: hot, granule: line, stores: 0.3, accesses: 40, grid: 8, block: 64}
)";

// Byte-masked stores and loads of single words over more lines than the slices hold.
const char* const kWords = R"(
experiment: words
config: tiny
buffers: {b: {size: 16 KiB}}
phases:
  - {pattern: random, buffer: b, granule: lane, accesses: 64, grid: 2, block: 64}
)";

void runs_clean(const std::vector<std::string>& overrides, std::uint64_t seed, const char* text = kMixed) {
  Experiment experiment = parse_experiment(text, "random.yaml");
  experiment.seed = seed;
  BuildOptions options;
  options.check_protocol = true;
  Simulation simulation(experiment, Config::load("tiny", overrides), options);
  const Verdict v = simulation.run([](const Progress&) { return true; });
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(v.bytes_checked > 0U);
}

}  // namespace

BOOST_AUTO_TEST_CASE(as_configured) {
  runs_clean({}, 1);
}
BOOST_AUTO_TEST_CASE(another_seed) {
  runs_clean({}, 20261130);
}
BOOST_AUTO_TEST_CASE(tiny_caches) {
  runs_clean({"l2.sets=4", "l2.ways=4", "l2.janitor.dirty_threshold=3", "l1.ways=1"}, 2);
}
BOOST_AUTO_TEST_CASE(tiny_queues) {
  runs_clean({"l2.write_back_entries=1", "l2.fetch_entries=1", "dram.write_queue_entries=3", "dram.write_high_mark=2",
              "dram.write_low_mark=1", "dram.read_queue_entries=1", "crossbar.sm_request_depth=1",
              "crossbar.slice_request_depth=1", "l2.sets=16"},
             3);
}
BOOST_AUTO_TEST_CASE(no_janitor_and_lru) {
  runs_clean({"l2.janitor.policy=none", "l2.replacement.policy=lru", "l2.sets=8"}, 4);
}
BOOST_AUTO_TEST_CASE(codeword_ecc_and_closed_pages) {
  runs_clean({"dram.ecc=codeword", "dram.page_policy=closed", "l2.sets=8", "dram.scheduler=fcfs"}, 5);
}

namespace {

// Write-backs queue in the slices while their lines are loaded and stored again.
void runs_clean_behind_a_full_backlog(unsigned sets, std::uint64_t seed) {
  runs_clean({"l2.slices=2", "l2.slices_per_controller=2", "l2.sets=" + std::to_string(sets),
              "dram.write_queue_entries=1", "dram.write_high_mark=1", "dram.write_low_mark=0"},
             seed, kWords);
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_set_behind_a_full_write_backlog) {
  runs_clean_behind_a_full_backlog(1, 1);
}
BOOST_AUTO_TEST_CASE(one_set_behind_a_full_write_backlog_another_seed) {
  runs_clean_behind_a_full_backlog(1, 5);
}
BOOST_AUTO_TEST_CASE(two_sets_behind_a_full_write_backlog) {
  runs_clean_behind_a_full_backlog(2, 2);
}
BOOST_AUTO_TEST_CASE(four_sets_behind_a_full_write_backlog) {
  runs_clean_behind_a_full_backlog(4, 1);
}
BOOST_AUTO_TEST_CASE(bytes_served_as_valid_behind_a_full_write_backlog) {
  runs_clean({"l2.partial_sector_load=serve_valid", "dram.ecc=codeword", "l2.sets=1", "dram.write_queue_entries=1",
              "dram.write_high_mark=1", "dram.write_low_mark=0", "l2.write_back_entries=3"},
             4, kWords);
}
