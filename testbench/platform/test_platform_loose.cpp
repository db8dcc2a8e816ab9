// SPDX-License-Identifier: Apache-2.0
//
// `timing: loose` under whole SMs: the same bytes in the same order, judged by the scoreboard, the fence judge and the
// checkers on every arrow, and times that lie near the approximate ones.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/config/data_dir.h"
#include "gputlm/config/regular_file.h"
#include "run_text.h"

using namespace gputlm;

namespace {

std::string shipped(const std::string& name) {
  return read_input_file(find_yaml(name, kExperimentFolder), std::size_t{1} << 20U);
}

void runs_clean(const std::string& text, std::vector<std::string> overrides = {}) {
  overrides.emplace_back("timing=loose");
  TextRun run(text, overrides);
  const Verdict v = run.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(v.bytes_checked > 0U);
  BOOST_TEST(run.simulation.gpu.mem.dram_bytes().read + run.simulation.gpu.mem.l2_totals().stores > 0U);
  if (run.simulation.fences) BOOST_TEST(run.simulation.fences->judge.findings() == 0U);
}

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

}  // namespace

BOOST_AUTO_TEST_CASE(mixed_traffic_under_every_judge) {
  runs_clean(kMixed);
}
BOOST_AUTO_TEST_CASE(mixed_traffic_over_small_caches) {
  runs_clean(kMixed,
             {"l2.sets=4", "l2.ways=4", "l2.janitor.dirty_threshold=3", "l1.ways=1", "crossbar.sm_request_depth=1"});
}
BOOST_AUTO_TEST_CASE(atomics_keep_every_word) {
  runs_clean(shipped("atomics"), {});
}
BOOST_AUTO_TEST_CASE(fences_hold) {
  runs_clean(shipped("fences"), {});
}
BOOST_AUTO_TEST_CASE(a_flush_at_the_end) {
  runs_clean(
      "experiment: f\nconfig: tiny\nend: flush\nbuffers: {b: {size: 256 KiB}}\n"
      "phases: [{pattern: stream_store, buffer: b, grid: 16, block: 128}]\n");
}
