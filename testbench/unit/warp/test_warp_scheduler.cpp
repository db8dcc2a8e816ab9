// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "warp_bench.h"

using namespace gputlm;
using namespace gputlm::warp_test;

BOOST_AUTO_TEST_CASE(stall_cycles_set_the_warps_next_issue) {
  Bench bench;
  bench.scheduler.launch(cta_of({{compute(1), compute(5), compute(2.5), compute(1)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(1));
  BOOST_TEST(bench.watcher.issued(0, 2) == cycles(1) + cycles(5));
  BOOST_TEST(bench.watcher.issued(0, 3) == cycles(1) + cycles(5) + cycles(2.5));
}

BOOST_AUTO_TEST_CASE(warps_are_dealt_to_sub_partitions_and_each_issues_once_a_cycle) {
  Bench bench;
  std::vector<std::vector<Step>> scripts(48, {compute(1), compute(1), compute(1), compute(1)});
  bench.scheduler.launch(cta_of(scripts));
  BOOST_TEST(bench.scheduler.warps_resident() == 48U);
  bench.finish();
  // 12 warps of 5 instructions per scheduler, one a cycle, four schedulers side by side.
  BOOST_TEST(bench.watcher.issues.size() == 240U);
  BOOST_TEST(bench.watcher.issues.back().time == 59 * cycles(1));
  for (std::size_t i = 0; i < 240; ++i) {
    const auto& issue = bench.watcher.issues[i];
    BOOST_REQUIRE_EQUAL(issue.time, static_cast<Fs>(i / 4) * cycles(1));
    BOOST_REQUIRE_EQUAL(issue.warp % 4, i % 4);
    // Loose round robin: every warp of the scheduler once before any twice.
    BOOST_REQUIRE_EQUAL(issue.warp / 4, i / 4 % 12);
  }
}

BOOST_AUTO_TEST_CASE(round_robin_passes_over_a_warp_that_cannot_issue) {
  Bench bench;
  std::vector<std::vector<Step>> scripts(9, {compute(1), compute(1), compute(1)});
  scripts[4] = {compute(100), compute(1)};  // warps 0, 4 and 8 share a scheduler
  bench.scheduler.launch(cta_of(scripts));
  bench.finish();
  std::vector<unsigned> order;
  for (const auto& issue : bench.watcher.issues)
    if (issue.warp % 4 == 0) order.push_back(issue.warp);
  const std::vector<unsigned> expected{0, 4, 8, 0, 8, 0, 8, 0, 8, 4, 4};
  BOOST_TEST(order == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(memory_instructions_of_one_scheduler_are_four_cycles_apart) {
  Bench bench;
  std::vector<std::vector<Step>> scripts(8, {store(0x1000), store(0x2000), compute(1)});
  bench.scheduler.launch(cta_of(scripts));
  bench.finish();
  std::vector<Fs> times;
  for (const auto& arrival : bench.lsu.arrivals)
    if (arrival.port == 1) times.push_back(arrival.time);
  bench.lsu.forget();
  for (const auto& issue : bench.watcher.issues)
    if (issue.warp % 4 == 1 && issue.kind == WarpInstruction::Kind::memory) times.push_back(issue.time);
  BOOST_REQUIRE(times.size() == 4U);
  for (std::size_t i = 0; i < 4; ++i) BOOST_TEST(times[i] == static_cast<Fs>(i) * cycles(4));
}

BOOST_AUTO_TEST_CASE(a_scoreboard_holds_its_consumer_until_the_data_are_back_and_nobody_else) {
  Bench bench;
  bench.scheduler.launch(cta_of({{load(0x1000, 2), compute(1), compute(1, 1U << 2), compute(1)}}));
  bench.run_until(from_ns(100) - 1);
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(1));
  BOOST_TEST(bench.watcher.issued(0, 2) == kNever);
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 2) == from_ns(100));
  BOOST_TEST(bench.scheduler.stall_ns(WarpScheduler::Stall::scoreboard) == to_ns(from_ns(100) - 2 * cycles(1)));
}

BOOST_AUTO_TEST_CASE(two_loads_on_one_scoreboard_clear_it_together) {
  Bench bench;
  bench.scheduler.launch(cta_of({{load(0x1000, 0), compute(40), load(0x2000, 0), compute(1, 1)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 3) == cycles(1) + cycles(40) + from_ns(100));
}

BOOST_AUTO_TEST_CASE(a_program_sees_its_data_before_the_waiting_instruction_is_issued) {
  Bench bench;
  CtaLaunch cta;
  Fs returned_at = kNever;
  cta.warps.push_back(std::make_unique<Script>(std::vector<Step>{load(0x1000), compute(1, 1)},
                                               [&](const Payload&) { returned_at = now(); }));
  bench.scheduler.launch(std::move(cta));
  bench.finish();
  BOOST_TEST(returned_at == from_ns(100));
}

BOOST_AUTO_TEST_CASE(a_fence_waits_for_earlier_loads_then_blocks_its_warp_only) {
  Bench bench;
  std::vector<std::vector<Step>> scripts(5, {compute(1)});
  scripts[0] = {load(0x1000), fence(Scope::gpu), compute(1)};
  scripts[4] = {compute(300), compute(1)};
  bench.scheduler.launch(cta_of(scripts));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == from_ns(100));
  BOOST_TEST(bench.watcher.issued(0, 2) == from_ns(150));
  BOOST_TEST(bench.watcher.issued(4, 1) == cycles(1) + cycles(300));
  // Fetched in cycle 2: the scheduler gave cycle 1 to warp 4.
  BOOST_TEST(bench.scheduler.stall_ns(WarpScheduler::Stall::fence) == to_ns(from_ns(150) - 2 * cycles(1)));
}

BOOST_AUTO_TEST_CASE(a_release_is_a_fence_of_its_scope_and_then_the_access) {
  Bench bench;
  bench.scheduler.launch(cta_of({{store(0x1000), with(store(0x2000), Semantics::release, Scope::sys), compute(1)}}));
  sc_core::sc_start();
  const auto& arrivals = bench.lsu.arrivals;
  BOOST_REQUIRE(arrivals.size() == 3U);
  BOOST_TEST((arrivals[1].operation == Operation::fence && arrivals[1].scope == Scope::sys));
  BOOST_TEST((arrivals[2].operation == Operation::store));
  BOOST_TEST(arrivals[1].origin.instruction == 1U);
  BOOST_TEST(arrivals[2].time == cycles(4) + from_ns(50));
  BOOST_TEST(bench.watcher.issued(0, 1) == arrivals[2].time);
  BOOST_TEST(bench.watcher.issued(0, 2) == arrivals[2].time + cycles(1));  // a store does not block
  bench.finish();
}

BOOST_AUTO_TEST_CASE(an_acquire_blocks_its_warp_until_the_response) {
  Bench bench;
  bench.scheduler.launch(cta_of({{with(load(0x1000, kNoScoreboard), Semantics::acquire, Scope::gpu), compute(1)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == from_ns(100));
}

BOOST_AUTO_TEST_CASE(an_acq_rel_atomic_fences_first_and_blocks_after) {
  Bench bench;
  bench.scheduler.launch(
      cta_of({{with(memory(Operation::atomic, 0x1000, 1), Semantics::acq_rel, Scope::gpu), compute(1)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 0) == from_ns(50));
  BOOST_TEST(bench.watcher.issued(0, 1) == from_ns(150));
}

BOOST_AUTO_TEST_CASE(a_barrier_waits_for_every_warp_of_the_cta_and_for_no_other_cta) {
  Bench bench;
  bench.scheduler.launch(cta_of({{barrier(), compute(1)}, {compute(200), barrier(), compute(1)}}));
  bench.scheduler.launch(cta_of({{compute(1), barrier(), compute(1)}}, 1));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(200));
  BOOST_TEST(bench.watcher.issued(1, 2) == cycles(200) + cycles(1));
  BOOST_TEST(bench.watcher.issued(2, 2) == 2 * cycles(1));
  BOOST_TEST(bench.scheduler.stall_ns(WarpScheduler::Stall::barrier) ==
             to_ns(cycles(200) - cycles(1)));  // after its own cycle
}

BOOST_AUTO_TEST_CASE(a_compute_instruction_marks_its_scoreboard_for_its_latency) {
  Bench bench;
  Step slow = compute(2);
  slow.instruction.set_scoreboard = 3;
  slow.instruction.latency_cycles = 30;
  bench.scheduler.launch(cta_of({{slow, compute(1), compute(1, 1U << 2), compute(1, 1U << 3), compute(1, 1U << 3)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(2));
  BOOST_TEST(bench.watcher.issued(0, 2) == cycles(2) + cycles(1));  // another scoreboard
  BOOST_TEST(bench.watcher.issued(0, 3) == cycles(30));             // 30 cycles after the marking instruction's issue
  BOOST_TEST(bench.watcher.issued(0, 4) == cycles(30) + cycles(1));
}

BOOST_AUTO_TEST_CASE(two_compute_instructions_on_one_scoreboard_hold_it_until_the_later_end) {
  Bench bench;
  Step slow = compute(1), quick = compute(1);
  slow.instruction.set_scoreboard = quick.instruction.set_scoreboard = 0;
  slow.instruction.latency_cycles = 40;
  quick.instruction.latency_cycles = 5;
  bench.scheduler.launch(cta_of({{slow, quick, compute(1, 1)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 2) == cycles(40));
}

BOOST_AUTO_TEST_CASE(a_barrier_of_two_warps_does_not_wait_for_the_third) {
  Bench bench;
  Step pair = barrier();
  pair.instruction.barrier = 5;
  pair.instruction.barrier_warps = 2;
  bench.scheduler.launch(
      cta_of({{pair, compute(1)}, {compute(50), pair, compute(1)}, {compute(400), barrier()}, {barrier()}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(50));
  BOOST_TEST(bench.watcher.issued(1, 2) == cycles(50) + cycles(1));
}

BOOST_AUTO_TEST_CASE(an_arrival_completes_a_barrier_without_waiting_at_it) {
  Bench bench;
  Step waits = barrier(), arrives = barrier();
  waits.instruction.barrier = arrives.instruction.barrier = 1;
  waits.instruction.barrier_warps = arrives.instruction.barrier_warps = 2;
  arrives.instruction.barrier_waits = false;
  bench.scheduler.launch(cta_of({{compute(80), waits, compute(1)}, {arrives, compute(1), compute(1)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(1, 1) == cycles(1));
  BOOST_TEST(bench.watcher.issued(0, 2) == cycles(80) + cycles(1));
}

BOOST_AUTO_TEST_CASE(a_warp_that_exits_is_no_longer_waited_for_at_a_barrier) {
  Bench bench;
  bench.scheduler.launch(cta_of({{barrier(), barrier(), compute(1)}, {compute(100)}}));
  bench.finish();
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(100));
  BOOST_TEST(bench.watcher.retired.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_barrier_after_memory_accesses_orders_them_by_a_cta_fence) {
  Bench bench;
  bench.scheduler.launch(cta_of({{store(0x1000), barrier(), barrier(), compute(1)}, {barrier(), barrier()}}));
  sc_core::sc_start();
  const auto& arrivals = bench.lsu.arrivals;
  BOOST_REQUIRE(arrivals.size() == 2U);  // one fence for the warp that stored, none for the second barrier
  BOOST_TEST((arrivals[1].operation == Operation::fence && arrivals[1].scope == Scope::cta));
  BOOST_TEST(bench.watcher.issued(0, 1) == cycles(4) + from_ns(50));
  bench.finish();
}

BOOST_AUTO_TEST_CASE(exit_waits_for_loads_and_not_for_store_acknowledgements) {
  Bench bench;
  bench.scheduler.launch(cta_of({{load(0x1000, kNoScoreboard), store(0x2000)}}, 9));
  bench.run_until(from_ns(110));
  BOOST_REQUIRE(bench.watcher.retired.size() == 1U);
  BOOST_TEST(bench.watcher.retired[0].first == 9U);
  BOOST_TEST(bench.watcher.retired[0].second == from_ns(100));
  BOOST_TEST(bench.scheduler.warps_resident() == 0U);
  BOOST_TEST(bench.scheduler.outstanding() == 1U);
  BOOST_TEST(!bench.scheduler.idle());
  bench.finish();
  BOOST_TEST(bench.watcher.accesses_done == 2U);
}

BOOST_AUTO_TEST_CASE(a_withheld_end_req_stalls_its_scheduler_and_throttles_the_sm) {
  Bench bench;
  bench.lsu.withhold = true;
  std::vector<std::vector<Step>> scripts(5, {store(0x1000), compute(1)});
  scripts[1] = {compute(1), compute(1)};
  bench.scheduler.launch(cta_of(scripts));
  bench.run_until(from_ns(30));
  BOOST_TEST(bench.scheduler.throttled());
  BOOST_TEST(bench.watcher.issued(0, 1) == kNever);
  BOOST_TEST(bench.watcher.issued(4, 0) == kNever);  // the same scheduler's port
  BOOST_TEST(bench.watcher.issued(1, 1) == cycles(1));
  bench.lsu.withhold = false;
  for (const std::size_t port : {0, 2, 3}) bench.lsu.accept(port);
  BOOST_TEST(!bench.scheduler.throttled());
  bench.finish();
  BOOST_TEST(bench.watcher.issued(4, 0) == from_ns(30));
  BOOST_TEST(bench.watcher.throttles.size() == 2U);
  BOOST_TEST(bench.scheduler.stall_ns(WarpScheduler::Stall::queue_full) == 3 * 30.0);
}

BOOST_AUTO_TEST_CASE(a_fault_names_warp_instruction_and_address_and_ends_the_warp) {
  Bench bench;
  bench.lsu.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  bool returned = false;
  CtaLaunch cta;
  cta.warps.push_back(std::make_unique<Script>(std::vector<Step>{compute(1), load(0xdead00), compute(1, 1), compute(1)},
                                               [&](const Payload&) { returned = true; }));
  cta.warps.push_back(std::make_unique<Script>(std::vector<Step>{barrier(), compute(1)}));
  bench.scheduler.launch(std::move(cta));
  bench.finish();
  BOOST_REQUIRE(bench.watcher.faults.size() == 1U);
  const auto& fault = bench.watcher.faults[0];
  BOOST_TEST((fault.warp == 0 && fault.index == 1 && fault.address == 0xdead00));
  BOOST_TEST(fault.status == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(!returned);
  BOOST_TEST(bench.watcher.issued(0, 3) == kNever);
  BOOST_TEST(bench.watcher.retired.size() == 1U);  // the other warp was not left waiting at the barrier
}

BOOST_AUTO_TEST_CASE(a_store_fault_after_the_warps_exit_does_not_touch_the_slots_next_warp) {
  Bench bench;
  bench.scheduler.launch(cta_of({{store(0x1000)}}, 0));
  bench.run_until(from_ns(50));
  bench.lsu.status = tlm::TLM_ADDRESS_ERROR_RESPONSE;
  bench.scheduler.launch(cta_of({{compute(1000), compute(1)}}, 1));
  bench.finish();
  BOOST_TEST(bench.watcher.faults.size() == 1U);
  BOOST_TEST(bench.watcher.issued(0, 2) != kNever);  // the second CTA ran to its exit
  BOOST_TEST(bench.watcher.retired.size() == 2U);
}

BOOST_AUTO_TEST_CASE(room_is_counted_in_warps_and_ctas) {
  Bench bench;
  for (std::uint32_t i = 0; i < 24; ++i) {
    BOOST_TEST(bench.scheduler.can_take(1));
    bench.scheduler.launch(cta_of({{compute(10)}}, i));
  }
  BOOST_TEST(!bench.scheduler.can_take(1));  // 24 CTAs, though only 24 of 48 warps
  bench.finish();
  BOOST_TEST(bench.scheduler.can_take(48));
  BOOST_TEST(!bench.scheduler.can_take(49));
}

BOOST_AUTO_TEST_CASE(a_cta_can_be_launched_from_the_retirement_of_another) {
  Bench bench;
  unsigned launched = 1;
  std::vector<std::vector<Step>> scripts(48, {store(0x1000), compute(3)});
  bench.watcher.when_retired = [&] {
    if (launched == 20) return;
    bench.scheduler.launch(cta_of(scripts, launched++));
  };
  bench.scheduler.launch(cta_of(scripts));
  bench.finish();
  BOOST_TEST(bench.watcher.retired.size() == 20U);
  BOOST_TEST(bench.watcher.accesses_done == 20U * 48U);
}

BOOST_AUTO_TEST_CASE(a_spinning_program_makes_simulated_time_progress) {
  Bench bench;
  bench.scheduler.launch(cta_of({std::vector<Step>(1000, compute(0))}));
  bench.finish();
  BOOST_TEST(bench.watcher.issues.back().time == 1000 * cycles(1));
}

BOOST_AUTO_TEST_CASE(an_sm_without_work_has_no_event) {
  Bench bench;
  bench.scheduler.launch(cta_of({{load(0x1000), compute(1, 1)}}));
  bench.run_until(from_ns(50));
  BOOST_TEST((sc_core::sc_time_to_pending_activity() == to_sc_time(from_ns(50))));  // the LSU's answer, nothing before
  bench.finish();
}

BOOST_AUTO_TEST_CASE(reset_in_mid_traffic_leaves_nothing) {
  Bench bench;
  std::vector<std::vector<Step>> scripts(48,
                                         {store(0x1000), load(0x2000), fence(Scope::gpu), barrier(), store(0x3000)});
  bench.scheduler.launch(cta_of(scripts));
  bench.run_until(from_ns(20));
  bench.lsu.withhold = true;
  bench.run_until(from_ns(105));
  BOOST_TEST(bench.scheduler.throttled());
  bench.scheduler.reset();
  BOOST_TEST(bench.scheduler.idle());
  BOOST_TEST(!bench.scheduler.throttled());
  bench.run_until(from_ns(300));  // late responses change nothing
  BOOST_TEST(bench.scheduler.idle());
  bench.lsu.withhold = false;
  bench.lsu.forget();
  BOOST_TEST(bench.pool.outstanding() == 0U);
  for (auto& checker : bench.checkers) checker->reset();
  const std::size_t before = bench.watcher.retired.size();
  bench.scheduler.launch(cta_of({{load(0x1000), fence(Scope::cta)}}));
  sc_core::sc_start();
  BOOST_TEST(bench.watcher.retired.size() == before + 1);
}

BOOST_AUTO_TEST_CASE(a_warp_slot_can_be_looked_into) {
  Bench bench;
  bench.scheduler.launch(cta_of({{load(0x1000), compute(1, 1)}, {compute(100)}}, 7));
  BOOST_TEST(!bench.scheduler.view(2).has_value());
  bench.run_until(from_ns(10));
  const auto waiting = bench.scheduler.view(0), computing = bench.scheduler.view(1);
  BOOST_REQUIRE(waiting.has_value());
  BOOST_REQUIRE(computing.has_value());
  BOOST_TEST(waiting->cta == 7U);
  BOOST_TEST(waiting->instruction == 1U);
  BOOST_TEST(waiting->loads == 1U);
  BOOST_TEST((waiting->stall == WarpScheduler::Stall::scoreboard));
  BOOST_TEST(waiting->ready == kNever);
  BOOST_TEST(!computing->stall.has_value());
  BOOST_TEST(computing->ready == cycles(100));
  bench.finish();
  BOOST_TEST(!bench.scheduler.view(0).has_value());
}
