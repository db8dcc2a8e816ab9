// SPDX-License-Identifier: Apache-2.0
//
// No latency may be too small for the protocol: effective times never decrease on any arrow, whatever is 0.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include <algorithm>

#include "run_text.h"

using namespace gputlm;

namespace {

const char* const kTraffic = R"(
experiment: latencies
config: tiny
buffers:
  data: {size: 32 KiB}
  words: {size: 4 KiB}
image: {data: pattern}
phases:
  - name: mixed
    kernels:
      - {name: random, pattern: random, buffer: data, granule: sector, stores: 0.5, accesses: 24, grid: 4, block: 64}
      - {name: atomics, pattern: atomics, buffer: words, target: same_line, grid: 2, block: 64}
  - {name: fences, pattern: fenced_stores, buffer: data, every: 4, scope: sys, grid: 2, block: 64}
)";

const std::vector<std::string> kLatencies{
    "l1.hit_latency",           "l1.miss_latency",           "mmu.hit_latency",       "mmu.miss_latency",
    "crossbar.request_latency", "crossbar.response_latency", "l2.load_latency",       "l2.store_latency",
    "l2.atomic_latency",        "dram.request_latency",      "dram.response_latency", "dram.look_ahead",
    "sm.sys_fence_sm_share",    "host.ordering_round_trip"};

void runs_clean(const std::vector<std::string>& overrides) {
  TextRun run(kTraffic, overrides);
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(v.bytes_checked > 0U);
}

void runs_clean_at_zero(const std::string& path) {
  BOOST_REQUIRE(std::find(kLatencies.begin(), kLatencies.end(), path) != kLatencies.end());
  runs_clean({path + "=0 ns"});
}

std::vector<std::string> all_at_zero(std::vector<std::string> more) {
  for (const std::string& path : kLatencies) more.push_back(path + "=0 ns");
  return more;
}

}  // namespace

BOOST_AUTO_TEST_CASE(l1_hit_latency_of_zero) {
  runs_clean_at_zero("l1.hit_latency");
}
BOOST_AUTO_TEST_CASE(l1_miss_latency_of_zero) {
  runs_clean_at_zero("l1.miss_latency");
}
BOOST_AUTO_TEST_CASE(mmu_hit_latency_of_zero) {
  runs_clean_at_zero("mmu.hit_latency");
}
BOOST_AUTO_TEST_CASE(mmu_miss_latency_of_zero) {
  runs_clean_at_zero("mmu.miss_latency");
}
BOOST_AUTO_TEST_CASE(crossbar_request_latency_of_zero) {
  runs_clean_at_zero("crossbar.request_latency");
}
BOOST_AUTO_TEST_CASE(crossbar_response_latency_of_zero) {
  runs_clean_at_zero("crossbar.response_latency");
}
BOOST_AUTO_TEST_CASE(l2_load_latency_of_zero) {
  runs_clean_at_zero("l2.load_latency");
}
BOOST_AUTO_TEST_CASE(l2_store_latency_of_zero) {
  runs_clean_at_zero("l2.store_latency");
}
BOOST_AUTO_TEST_CASE(l2_atomic_latency_of_zero) {
  runs_clean_at_zero("l2.atomic_latency");
}
BOOST_AUTO_TEST_CASE(dram_request_latency_of_zero) {
  runs_clean_at_zero("dram.request_latency");
}
BOOST_AUTO_TEST_CASE(dram_response_latency_of_zero) {
  runs_clean_at_zero("dram.response_latency");
}
BOOST_AUTO_TEST_CASE(dram_look_ahead_of_zero) {
  runs_clean_at_zero("dram.look_ahead");
}
BOOST_AUTO_TEST_CASE(sm_sys_fence_sm_share_of_zero) {
  runs_clean_at_zero("sm.sys_fence_sm_share");
}
BOOST_AUTO_TEST_CASE(host_ordering_round_trip_of_zero) {
  runs_clean_at_zero("host.ordering_round_trip");
}
BOOST_AUTO_TEST_CASE(everything_at_zero) {
  runs_clean(all_at_zero({}));
}
BOOST_AUTO_TEST_CASE(everything_at_zero_with_a_slow_crossbar) {
  runs_clean(all_at_zero({"clocks.crossbar=50 MHz"}));
}
BOOST_AUTO_TEST_CASE(everything_at_zero_with_a_slow_slice_port) {
  runs_clean(all_at_zero({"l2.requests_per_cycle=0.05"}));
}
BOOST_AUTO_TEST_CASE(everything_at_zero_with_slow_store_data_at_the_slice) {
  runs_clean(all_at_zero({"l2.store_bytes_per_cycle=0.3", "l2.atomic_same_word_cycles=40"}));
}
BOOST_AUTO_TEST_CASE(everything_at_zero_with_a_slow_sm) {
  runs_clean(all_at_zero({"clocks.sm=50 MHz", "l1.fill_sectors=4"}));
}
BOOST_AUTO_TEST_CASE(everything_at_zero_with_queues_of_one) {
  runs_clean(all_at_zero({"dram.read_queue_entries=1", "dram.write_queue_entries=1", "dram.write_high_mark=1",
                          "dram.write_low_mark=0", "crossbar.slice_request_depth=1"}));
}
BOOST_AUTO_TEST_CASE(positions_that_use_up_the_crossbars_latency) {
  runs_clean({"crossbar.request_latency=1 ns", "crossbar.response_latency=1 ns", "clocks.crossbar=1 GHz",
              "crossbar.sm_position=[1, -1]", "crossbar.sm_request_bytes_per_cycle=0.3", "l2.store_latency=0 ns"});
}
