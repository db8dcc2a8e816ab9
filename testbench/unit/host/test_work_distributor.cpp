// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "gputlm/host/system_memory.h"
#include "gputlm/host/work_distributor.h"
#include "launch_facts.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr Fs ns = kFsPerNs;

struct HostSpace : GpuAddressSpace {
  std::optional<GpuLocation> locate(std::uint64_t va) const override {
    if (va < 0x10000) return GpuLocation{true, va};
    return {};
  }
  std::uint64_t device_bytes() const override { return 1 << 20; }
};

struct Bench : SmArray, MemoryOperations, LaunchObserver {
  explicit Bench(unsigned sms)
      : host("host", {1 << 20, 90 * ns}), card("card", {1 << 20, 90 * ns}), cwd("cwd", sm_8_9(sms), pool, space) {
    cwd.dma.host.bind(host.requests);
    cwd.dma.device.bind(card.requests);
    cwd.sms = this;
    cwd.memory = this;
    cwd.observer = this;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  struct Started {
    unsigned sm;
    std::uint32_t launch;
    std::uint64_t number;
    Fs time;
  };
  void start_block(unsigned sm, const BlockStart& b) override { started.push_back({sm, b.launch, b.number, now()}); }
  void membar(bool system, WorkDone done) override {
    barriers.push_back(system);
    barrier_done.push_back(std::move(done));
  }
  void flush_l2(WorkDone) override {}
  void on_launch_ended(const LaunchTimes& t, const LaunchShape&) override { times.push_back(t); }

  void launch(const Qmd& qmd) {
    cwd.launch(7, qmd, [this](const WorkResult& r) { results.push_back(r); });
  }
  void retire(std::size_t i) { cwd.retire(started[i].sm, started[i].launch); }
  std::uint32_t word(std::uint64_t address) const {
    std::uint32_t value = 0;
    host.read(address, &value, 4);
    return value;
  }

  PayloadPool pool;
  HostSpace space;
  SystemMemory host, card;
  WorkDistributor cwd;
  std::vector<Started> started;
  std::vector<bool> barriers;
  std::vector<WorkDone> barrier_done;
  std::vector<WorkResult> results;
  std::vector<LaunchTimes> times;
};

Qmd with_semaphore(Qmd q, unsigned membar) {
  q.set(QmdField::cwd_membar_type, membar);
  q.set(QmdField::release0_address_lower, 0x1000);
  q.set(QmdField::release0_payload, 42);
  return q;
}

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_go_round_robin_one_per_interval_after_the_launch_latency) {
  Bench b(3);
  b.launch(launch_of(7, 256));
  run_until(1000 * ns);
  BOOST_TEST_REQUIRE(b.started.size() == 7U);
  for (unsigned i = 0; i < 7; ++i) {
    BOOST_TEST(b.started[i].sm == i % 3);
    BOOST_TEST(b.started[i].number == i);
    BOOST_TEST(b.started[i].time == (100 + i) * ns);
  }
}

BOOST_AUTO_TEST_CASE(sms_fill_to_their_occupancy_and_a_retired_block_is_back_filled_there) {
  Bench b(2);
  b.launch(launch_of(100, 256));
  run_until(1000 * ns);
  BOOST_TEST(b.started.size() == 12U);  // 6 each
  BOOST_TEST(b.cwd.blocks_on(0) == 6U);
  b.retire(3);  // on SM 1
  run_until(2000 * ns);
  BOOST_TEST(b.started.size() == 13U);
  BOOST_TEST(b.started.back().sm == 1U);
  BOOST_TEST(b.started.back().number == 12U);
}

BOOST_AUTO_TEST_CASE(every_block_of_a_grid_runs_once) {
  Bench b(5);
  b.launch(launch_of(200, 512));
  std::vector<unsigned> runs(200);
  run_until(200 * ns);
  for (std::size_t done = 0; done < 200; ++done) {
    run_until(now() + 10 * ns);
    BOOST_TEST_REQUIRE(b.started.size() > done);
    ++runs[b.started[done].number];
    b.retire(done);
  }
  BOOST_TEST(std::count(runs.begin(), runs.end(), 1U) == 200);
  BOOST_TEST(b.results.size() == 1U);
  BOOST_TEST(b.cwd.idle());
}

BOOST_AUTO_TEST_CASE(the_next_kernel_follows_when_its_predecessor_has_no_block_left) {
  Bench b(1);
  b.launch(launch_of(8, 256));
  b.launch(launch_of(2, 256));
  run_until(1000 * ns);
  BOOST_TEST(b.started.size() == 6U);
  b.retire(0), b.retire(1), b.retire(2);
  run_until(2000 * ns);
  BOOST_TEST_REQUIRE(b.started.size() == 9U);
  BOOST_TEST(b.started[7].launch == 0U);
  BOOST_TEST(b.started[8].launch == 1U);
  BOOST_TEST(b.results.empty());
}

BOOST_AUTO_TEST_CASE(a_kernel_ends_with_its_barrier_then_its_semaphore_then_word_to_its_launcher) {
  Bench b(1);
  b.launch(with_semaphore(launch_of(1, 32), 1));
  run_until(1000 * ns);
  b.retire(0);
  BOOST_TEST((b.barriers == std::vector<bool>{true}));
  run_until(1740 * ns);
  BOOST_TEST(b.word(0x1000) == 0U);
  BOOST_TEST(b.results.empty());
  b.barrier_done[0]({});
  run_until(2000 * ns);
  BOOST_TEST(b.word(0x1000) == 42U);
  BOOST_TEST(b.word(0x1008) == 1740U);  // four words: payload and time
  BOOST_TEST_REQUIRE(b.results.size() == 1U);
  BOOST_TEST(b.results[0].ok);
  BOOST_TEST_REQUIRE(b.times.size() == 1U);
  BOOST_TEST(b.times[0].received == 0);
  BOOST_TEST(b.times[0].first_block == 100 * ns);
  BOOST_TEST(b.times[0].last_retired == 1000 * ns);
  BOOST_TEST(b.times[0].barrier_done == 1740 * ns);
  BOOST_TEST(b.times[0].released == 1740 * ns);
  BOOST_TEST(b.cwd.idle());
}

BOOST_AUTO_TEST_CASE(the_barrier_is_the_one_that_the_qmd_asks_for) {
  Bench b(1);
  b.launch(with_semaphore(launch_of(1, 32), 3));
  b.launch(with_semaphore(launch_of(1, 32), 0));
  Qmd released_behind_a_barrier = with_semaphore(launch_of(1, 32), 0);
  released_behind_a_barrier.set(QmdField::release_membar_type, 1);
  b.launch(released_behind_a_barrier);
  run_until(1000 * ns);
  b.retire(0);
  b.retire(1);
  run_until(1100 * ns);
  BOOST_TEST(b.word(0x1000) == 42U);  // the second, without one
  b.retire(2);
  BOOST_TEST((b.barriers == std::vector<bool>{false, true}));
}

BOOST_AUTO_TEST_CASE(a_qmd_that_asks_for_too_much_and_a_semaphore_that_is_not_mapped_end_with_a_reason) {
  Bench b(1);
  b.launch(launch_of(1, 32, 16, 101377));
  BOOST_TEST(b.results.empty());  // answered later, never within the call
  Qmd lost = launch_of(1, 32);
  lost.set(QmdField::release0_address_lower, 0x20000);
  b.launch(lost);
  run_until(1000 * ns);
  BOOST_TEST_REQUIRE(b.results.size() == 1U);
  BOOST_TEST(!b.results[0].ok);
  BOOST_TEST((b.results[0].kind == ChannelErrorKind::graphics_exception));
  BOOST_TEST(b.results[0].reason == "QMD: SHARED_MEMORY_SIZE (found 101377, allowed 0 to 101376)");
  b.retire(0);
  run_until(2000 * ns);
  BOOST_TEST_REQUIRE(b.results.size() == 2U);
  BOOST_TEST(b.results[1].reason == "completion semaphore at 0x20000 cannot be written");
  BOOST_TEST((b.results[1].kind == ChannelErrorKind::mmu_fault));
}

BOOST_AUTO_TEST_CASE(a_kernel_that_faults_gets_no_further_blocks_and_others_go_on) {
  Bench b(1);
  b.launch(with_semaphore(launch_of(100, 256), 1));
  b.launch(launch_of(1, 256));
  run_until(1000 * ns);
  BOOST_TEST(b.started.size() == 6U);
  b.cwd.fault(0, ChannelErrorKind::mmu_fault, "a reason");
  b.cwd.fault(0, ChannelErrorKind::mmu_fault, "another");
  BOOST_TEST_REQUIRE(b.results.size() == 1U);
  BOOST_TEST(b.results[0].reason == "a reason");
  for (std::size_t i = 0; i < 6; ++i) b.retire(i);
  run_until(2000 * ns);
  BOOST_TEST_REQUIRE(b.started.size() == 7U);
  BOOST_TEST(b.started[6].launch == 1U);
  b.retire(6);
  BOOST_TEST(b.results.size() == 2U);
  BOOST_TEST(b.barriers.empty());
  BOOST_TEST(b.word(0x1000) == 0U);
  BOOST_TEST(b.cwd.idle());
}

// A store's acknowledgement is not waited for by its block, so it may fail when all blocks have retired.
BOOST_AUTO_TEST_CASE(a_kernel_that_faults_during_its_barrier_ends_with_it_and_leaves_no_semaphore) {
  Bench b(1);
  b.launch(with_semaphore(launch_of(1, 256), 1));
  run_until(1000 * ns);
  b.retire(0);
  BOOST_TEST_REQUIRE(b.barrier_done.size() == 1U);
  b.cwd.fault(0, ChannelErrorKind::mmu_fault, "late");
  BOOST_TEST_REQUIRE(b.results.size() == 1U);
  BOOST_TEST(b.results[0].reason == "late");
  BOOST_TEST(!b.cwd.idle());
  b.barrier_done[0]({});
  run_until(2000 * ns);
  BOOST_TEST(b.results.size() == 1U);
  BOOST_TEST(b.word(0x1000) == 0U);
  BOOST_TEST_REQUIRE(b.times.size() == 1U);  // told when it failed
  BOOST_TEST(b.times[0].barrier_done == kNever);
  BOOST_TEST(b.cwd.idle());
}

BOOST_AUTO_TEST_CASE(what_waits_is_explained_and_reset_forgets_it) {
  Bench b(1);
  b.launch(with_semaphore(launch_of(8, 256), 1));
  run_until(1000 * ns);
  std::ostringstream text;
  b.cwd.explain(text);
  BOOST_TEST(text.str() == "cwd: launch 0 of channel 7: 6 of 8 blocks handed out, 0 retired since 0 ns\n");
  b.cwd.reset();
  BOOST_TEST(b.cwd.idle());
  BOOST_TEST(b.cwd.blocks_on(0) == 0U);
  run_until(2000 * ns);
  BOOST_TEST(b.results.empty());
}
