// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "run_text.h"

using namespace gputlm;

namespace {

const char* const kTraffic = R"(
experiment: traffic
config: tiny
buffers:
  memory: {size: 2 MiB}
image:
  memory: pattern
phases:
  - {name: random, pattern: random, buffer: memory, granule: sector, stores: 0.5, accesses: 30, grid: 16, block: 128}
)";

}  // namespace

// The second run must take exactly as long as the first would have: nothing of the interrupted one is left.
BOOST_AUTO_TEST_CASE(a_reset_in_mid_traffic_leaks_nothing_and_the_card_starts_afresh) {
  TextRun t(kTraffic);
  Simulation& s = t.simulation;
  s.dispatcher.start(s.workload.phases());
  run_until(1500 * kFsPerNs);
  BOOST_TEST(!s.gpu.idle());
  BOOST_TEST(s.gpu.mem.pool.outstanding() > 0U);
  s.dispatcher.reset();
  s.gpu.reset();
  s.scoreboard.reset();
  s.workload.reset();
  BOOST_TEST(s.gpu.mem.pool.outstanding() == 0U);
  BOOST_TEST(s.gpu.idle());

  const Fs start = now();
  const Verdict v = t.run();
  BOOST_TEST(v.clean(), complaints(v));
  BOOST_TEST(s.dispatcher.times().at(0).start == start);
  BOOST_TEST(s.line_requests() > 0U);
}
