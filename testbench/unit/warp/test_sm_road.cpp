// SPDX-License-Identifier: Apache-2.0
//
// Schedulers and LSU together, as an SM has them.
#include "gputlm/test_support/sc_test.h"

#include "../lsu/lsu_bench.h"
#include "warp_bench.h"

using namespace gputlm;
using warp_test::barrier;
using warp_test::compute;
using warp_test::cta_of;
using warp_test::cycles;
using warp_test::fence;
using warp_test::load;
using warp_test::Step;
using warp_test::store;

namespace {

struct Sm {
  Sm() {
    schedulers.observer = &watcher;
    for (unsigned i = 0; i < 4; ++i) schedulers.accesses[i]->bind(*lsu.accesses[i]);
    lsu.line.bind(l1.socket);
  }
  void finish() {
    sc_core::sc_start();
    BOOST_TEST(schedulers.idle());
    BOOST_TEST(lsu.idle());
    arrivals = l1.arrivals;
    for (auto& a : arrivals) a.payload.reset();
    l1.forget();
    BOOST_TEST(pool.outstanding() == 0U);
  }
  PayloadPool pool;
  warp_test::Watcher watcher;
  WarpScheduler schedulers{"schedulers", warp_test::published_spec(), 0, pool};
  Lsu lsu{"lsu", lsu_test::published_spec(), 0, pool};
  lsu_test::ScriptedL1 l1{"l1"};
  std::vector<lsu_test::ScriptedL1::Arrival> arrivals;
};

std::vector<Step> line_stores(unsigned count, std::uint64_t base) {
  std::vector<Step> steps;
  for (unsigned i = 0; i < count; ++i) steps.push_back(store(base + i * std::uint64_t{kLineBytes}));
  return steps;
}

double bytes_per_cycle(const std::vector<lsu_test::ScriptedL1::Arrival>& arrivals) {
  const double total = 128.0 * static_cast<double>(arrivals.size() - 1);
  return total / (static_cast<double>(arrivals.back().time - arrivals.front().time) * warp_test::kClock / 1e15);
}

}  // namespace

BOOST_AUTO_TEST_CASE(one_warp_stores_every_six_point_one_cycles_once_its_queue_is_full) {
  Sm sm;
  sm.schedulers.launch(cta_of({line_stores(200, 0x1000)}));
  sm.finish();
  for (unsigned i = 1; i < 200; ++i) {
    const Fs interval = sm.watcher.issued(0, i) - sm.watcher.issued(0, i - 1);
    if (i < 70) BOOST_REQUIRE_EQUAL(interval, cycles(4));
    // Store 70 is the first to wait, for a part of the interval only; store 73 is the first to wait longer than 4
    // cycles.
    if (i > 73) BOOST_REQUIRE_EQUAL(interval, cycles(6.1));
  }
  BOOST_TEST(sm.schedulers.stall_ns(WarpScheduler::Stall::queue_full) > 0.0);
}

BOOST_AUTO_TEST_CASE(forty_eight_warps_store_thirty_two_bytes_a_cycle) {
  Sm sm;
  std::vector<std::vector<Step>> scripts;
  for (unsigned w = 0; w < 48; ++w) scripts.push_back(line_stores(25, 0x100000ULL * (w + 1)));
  sm.schedulers.launch(cta_of(scripts));
  sm.finish();
  BOOST_TEST(sm.arrivals.size() == 1200U);
  BOOST_TEST(bytes_per_cycle(sm.arrivals) == 32.0, boost::test_tools::tolerance(1e-4));
}

BOOST_AUTO_TEST_CASE(a_cta_fence_costs_three_cycles_on_top_of_the_stores_slot) {
  Sm sm;
  std::vector<Step> steps;
  for (unsigned i = 0; i < 10; ++i) {
    steps.push_back(store(0x1000 + i * 128ULL));
    steps.push_back(fence(Scope::cta));
  }
  sm.schedulers.launch(cta_of({steps}));
  sm.finish();
  for (unsigned i = 1; i < 10; ++i)
    BOOST_TEST(sm.watcher.issued(0, 2 * i) - sm.watcher.issued(0, 2 * i - 2) == cycles(6.1) + cycles(3));
}

BOOST_AUTO_TEST_CASE(across_a_barrier_a_load_finds_another_sub_partitions_store) {
  Sm sm;
  // Warp 0's queue is full of wide stores when its last store enters; warp 1's queue is empty.
  std::vector<Step> writer;
  for (unsigned i = 0; i < 20; ++i) writer.push_back(store(0x10000 + i * 130ULL));
  writer.push_back(store(0x8000));
  writer.push_back(barrier());
  CtaLaunch cta = cta_of({writer});
  unsigned char seen = 0;
  cta.warps.push_back(std::make_unique<warp_test::Script>(std::vector<Step>{barrier(), load(0x8000), compute(1, 1)},
                                                          [&](const Payload& p) { seen = p.get_data_ptr()[0]; }));
  sm.schedulers.launch(std::move(cta));
  sm.finish();
  BOOST_TEST(seen == 0x5a);
}

BOOST_AUTO_TEST_CASE(a_release_store_leaves_after_the_earlier_stores_acknowledgement) {
  Sm sm;
  sm.l1.latency = from_ns(400);
  sm.schedulers.launch(cta_of({{store(0x1000), warp_test::with(store(0x2000), Semantics::release, Scope::gpu)}}));
  sm.finish();
  BOOST_REQUIRE(sm.arrivals.size() == 3U);
  BOOST_TEST((sm.arrivals[1].operation == Operation::l1_invalidate));
  BOOST_TEST(sm.arrivals[2].line == 0x2000U);
  BOOST_TEST(sm.arrivals[2].time >= from_ns(400));
}
