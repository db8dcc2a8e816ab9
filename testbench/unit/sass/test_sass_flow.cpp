// SPDX-License-Identifier: Apache-2.0
//
// Divergence and reconvergence, barriers, faults, and what the scheduler is told.
#include <algorithm>

#include "gputlm/config/diagnostics.h"
#include "listing_maker.h"
#include "sass_bench.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

constexpr std::uint64_t kOut = FlatMachine::kBase;

/// Code with the thread's number in R0 and the address of its word in R2.
std::vector<Line> with_frame(const std::vector<Line>& body) {
  std::vector<Line> code{"S2R R0, SR_TID.X", "MOV R1, 0x4", "IMAD.WIDE R2, R0, R1, c[0x0][0x160]"};
  code.insert(code.end(), body.begin(), body.end());
  return code;
}

struct Run : FlatMachine {
  explicit Run(const std::vector<Line>& code, std::uint32_t block = 32)
      : FlatMachine(1 << 16U), listing(make_listing(code)) {
    launch.block.x = block;
    launch.shared_bytes = 1024;
    go = [this] { run(SassCode(listing, listing.kernels[0]), Parameters() << kOut); };
  }
  std::vector<std::uint32_t> out(std::size_t count = 32) const { return read<std::uint32_t>(0, count); }
  SassListing listing;
  std::function<void()> go;
};

std::string refused(const std::vector<Line>& code) {
  try {
    const SassListing listing = make_listing(code);
    const SassCode bound(listing, listing.kernels[0]);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_part_at_a_branch_and_meet_at_the_barrier) {
  // Odd lanes add 100, even ones 200; behind the barrier all vote together.
  Run m(with_frame({"LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT",  // 30
                    "BSSY B0, 0x90",                            // 40
                    "@P0 BRA 0x70",                             // 50
                    "IADD3 R4, R0, 0xc8, RZ",                   // 60
                    "@P0 IADD3 R4, R0, 0x64, RZ",               // 70
                    "BSYNC B0",                                 // 80
                    "VOTE.ANY R5, PT, PT",                      // 90
                    "@P0 STG.E [R2.64], R4",                    // a0
                    "@!P0 STG.E [R2.64], R5",                   // b0
                    "EXIT"}));
  m.go();
  for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == (l % 2 != 0 ? l + 100 : 0xffffffffU));
}

BOOST_AUTO_TEST_CASE(a_loop_with_a_trip_count_per_lane_leaves_when_the_last_lane_does) {
  Run m(with_frame({"MOV R4, RZ", "BSSY B0, 0x90",                      // 30 40
                    "IADD3 R4, R4, 0x1, RZ",                            // 50
                    "ISETP.LE.AND P0, PT, R4, R0, PT", "@P0 BRA 0x50",  // 60 70
                    "BSYNC B0",                                         // 80
                    "VOTE.ANY R5, PT, PT", "POPC R5, R5", "IMAD R4, R5, 0x100, R4", "STG.E [R2.64], R4", "EXIT"}));
  m.go();
  for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == 0x2000 + l + 1);
}

BOOST_AUTO_TEST_CASE(lanes_that_break_or_exit_are_not_waited_for) {
  Run m(with_frame({"ISETP.LT.AND P0, PT, R0, 0x8, PT",                    // 30
                    "ISETP.GE.AND P1, PT, R0, 0x18, PT", "BSSY B1, 0xa0",  // 40 50
                    "@P0 EXIT",                                            // 60
                    "@P1 BREAK B1", "@P1 BRA 0xb0",                        // 70 80
                    "BSYNC B1",                                            // 90
                    "VOTE.ANY R4, PT, PT", "@P1 VOTE.ANY R4, PT, PT", "STG.E [R2.64], R4", "EXIT"}));
  m.go();
  for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == (l < 8 ? 0U : l < 24 ? 0x00ffff00U : 0xff000000U));
}

BOOST_AUTO_TEST_CASE(warpsync_brings_the_lanes_of_its_mask_together) {
  Run m(with_frame({"ISETP.LT.AND P0, PT, R0, 0x10, PT",  // 30
                    "@P0 BRA 0x60",                       // 40
                    "MOV R6, 0x7",                        // 50
                    "WARPSYNC 0xffffffff",                // 60
                    "VOTE.ANY R4, PT, PT", "STG.E [R2.64], R4", "EXIT"}));
  m.go();
  for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == 0xffffffffU);
}

BOOST_AUTO_TEST_CASE(branch_on_divergence_asks_whether_the_masks_lanes_are_here) {
  Run m(with_frame({"ISETP.LT.AND P0, PT, R0, 0x10, PT", "UMOV UR4, 0xffff", "MOV R4, 0x1",  // 30 40 50
                    "@!P0 BRA 0x90",                                                         // 60
                    "BRA.DIV UR4, 0xa0",                                                     // 70: they are
                    "BRA.DIV ~URZ, 0xa0",                                                    // 80: not all
                    "MOV R4, 0x2",                                                           // 90
                    "STG.E [R2.64], R4", "EXIT"}));
  m.go();
  for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == (l < 16 ? 1U : 2U));
}

BOOST_AUTO_TEST_CASE(a_lane_that_spins_lets_the_lanes_it_waits_for_get_there) {
  // Lane 0 spins for a flag that the others set behind a barrier at which they wait for lane 0.
  for (const char* pause : {"NOP", "YIELD", "NANOSLEEP 0x14"}) {
    Run m(with_frame({"MOV R4, 0x1", "ISETP.NE.AND P0, PT, R0, RZ, PT", "BSSY B0, 0xc0",          // 30 40 50
                      "@P0 BRA 0xb0",                                                             // 60
                      pause, "LDS R5, [RZ]", "ISETP.NE.AND P1, PT, R5, RZ, PT", "@!P1 BRA 0x70",  // 70 80 90 a0
                      "BSYNC B0",                                                                 // b0
                      "STS [RZ], R4", "STG.E [R2.64], R4", "EXIT"}));
    m.go();
    BOOST_TEST(m.faults.empty());
    for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == 1U);
  }
}

BOOST_AUTO_TEST_CASE(calls_return_to_each_lanes_own_address) {
  Run m(with_frame({"LOP3.LUT P0, RZ, R0, 0x1, RZ, 0xc0, !PT", "MOV R4, R0",  // 30 40
                    "@P0 BRA 0x90",                                           // 50
                    "MOV R6, 0x80", "CALL.REL.NOINC 0xd0",                    // 60 70
                    "BRA 0xb0",                                               // 80
                    "MOV R6, 0xb0", "CALL.REL.NOINC 0xd0",                    // 90 a0
                    "STG.E [R2.64], R4", "EXIT",                              // b0 c0
                    "IADD3 R4, R4, 0x1000, RZ", "RET.REL.NODEC R6 0x0"}));
  m.go();
  for (std::uint32_t l = 0; l < 32; ++l) BOOST_TEST(m.out()[l] == l + 0x1000);
}

BOOST_AUTO_TEST_CASE(shared_memory_crosses_warps_at_a_barrier) {
  Run m(with_frame({"STS [R0.X4], R0", "BAR.SYNC.DEFER_BLOCKING 0x0", "LOP3.LUT R4, R0, 0x20, RZ, 0x3c, !PT",
                    "LDS R5, [R4.X4]", "STG.E [R2.64], R5", "EXIT"}),
        64);
  m.go();
  for (std::uint32_t t = 0; t < 64; ++t) BOOST_TEST(m.out(64)[t] == (t ^ 32U));
}

BOOST_AUTO_TEST_CASE(a_warp_that_has_parted_arrives_once_at_the_ctas_barrier) {
  // Halves of the warp come to two different BAR instructions; one half of warp 1 exits ahead of it.
  Run m(with_frame({"LOP3.LUT P0, RZ, R0, 0x10, RZ, 0xc0, !PT",              // 30
                    "ISETP.GE.AND P1, PT, R0, 0x30, PT", "STS [R0.X4], R0",  // 40 50
                    "@P1 EXIT", "@P0 BRA 0xa0",                              // 60 70
                    "BAR.SYNC.DEFER_BLOCKING 0x0", "BRA 0xb0",               // 80 90
                    "BAR.SYNC.DEFER_BLOCKING 0x0",                           // a0
                    "LOP3.LUT R4, R0, 0x20, RZ, 0x3c, !PT", "LDS R5, [R4.X4]", "STG.E [R2.64], R5", "EXIT"}),
        64);
  m.go();
  BOOST_TEST(m.faults.empty());
  for (std::uint32_t t = 0; t < 48; ++t) BOOST_TEST(m.out(64)[t] == (t ^ 32U));
  const auto barriers = std::count_if(m.trace.begin(), m.trace.end(), [](const WarpInstruction& i) {
    return i.kind == WarpInstruction::Kind::cta_barrier;
  });
  BOOST_TEST(barriers == 2);
}

BOOST_AUTO_TEST_CASE(a_barriers_reduction_is_read_behind_it) {
  Run m(with_frame({"ISETP.GE.AND P0, PT, R0, 0x5, PT", "BAR.RED.POPC.DEFER_BLOCKING 0x0, P0", "B2R.RESULT R4",
                    "BAR.RED.AND.DEFER_BLOCKING 0x0, P0", "B2R.RESULT RZ, P1", "BAR.RED.OR.DEFER_BLOCKING 0x0, P0",
                    "B2R.RESULT RZ, P2", "SEL R5, RZ, 0x1, !P1", "@P2 IADD3 R5, R5, 0x2, RZ", "IMAD R4, R4, 0x10, R5",
                    "STG.E [R2.64], R4", "EXIT"}),
        96);
  m.go();
  for (std::uint32_t t = 0; t < 96; ++t) BOOST_TEST(m.out(96)[t] == 91U * 16 + 2);
}

BOOST_AUTO_TEST_CASE(a_partial_warp_has_no_lanes_past_the_block) {
  Run m(with_frame({"VOTE.ANY R4, PT, PT", "STG.E [R2.64], R4", "EXIT"}), 40);
  m.go();
  BOOST_TEST(m.out(64)[0] == 0xffffffffU);
  BOOST_TEST(m.out(64)[39] == 0xffU);
  BOOST_TEST(m.out(64)[40] == 0U);
}

BOOST_AUTO_TEST_CASE(an_endless_loop_ends_as_a_fault_that_says_where) {
  Run m({"MOV R0, RZ", "BRA 0x10"}, 1);
  m.spec.instruction_budget = 500;
  m.go();
  BOOST_REQUIRE(m.faults.size() == 1U);
  BOOST_TEST(m.faults[0].text().find("test.sass:4: kernel k, CTA 0, warp 0: the warp has issued 500 instructions") ==
             0U);
  BOOST_TEST(m.trace.size() == 501U);
}

BOOST_AUTO_TEST_CASE(wrong_shared_accesses_traps_and_ends_of_code_are_faults) {
  Run shared({"MOV R0, 0x2", "LDS R1, [R0]", "EXIT"}, 1);
  shared.go();
  BOOST_REQUIRE(shared.faults.size() == 1U);
  BOOST_TEST(shared.faults[0].reason.find("a shared access of 4 bytes at 0x2") == 0U);
  BOOST_TEST(shared.faults[0].instruction == "LDS R1, [R0]");
  Run global(with_frame({"IADD3 R2, R2, 0x1, RZ", "LDG.E R4, [R2.64]", "EXIT"}));
  global.go();
  BOOST_TEST(global.faults.at(0).reason == "a global access of 4 bytes at 0x10000001, which is not aligned");
  BOOST_TEST(global.out_of_range == 0U);
  Run trap({"BPT.TRAP 0x1", "EXIT"}, 1);
  trap.go();
  BOOST_TEST(trap.faults.at(0).reason.find("the kernel traps") == 0U);
  Run end({"NOP"}, 1);
  end.go();
  BOOST_TEST(end.faults.at(0).reason == "the threads run past the end of the kernel");
}

BOOST_AUTO_TEST_CASE(what_is_not_supported_is_named_ahead_of_the_run_where_it_can_be_reached) {
  const std::string message =
      refused({"@P0 BRA 0x30", "HMMA.16816.F32 R0, R2, R4, R6", "EXIT", "IADD3.NEW R0, R1, R2, R3", "MUFU.RCP.X R1, R2",
               "LDC R0, c[0x3][0x8]", "EXIT", "TEX R0, R1, R2, 2D"});
  BOOST_TEST(message.find("test.sass:4:1: k: HMMA: this opcode is not supported (found HMMA.16816.F32") !=
             std::string::npos);
  BOOST_TEST(message.find("test.sass:8:1: k: IADD3: .NEW is not supported for IADD3") != std::string::npos);
  BOOST_TEST(message.find("test.sass:10:1: k: MUFU: .X is not supported") != std::string::npos);
  BOOST_TEST(message.find("a constant bank that the listing does not contain") != std::string::npos);
  BOOST_TEST(message.find("TEX") == std::string::npos);  // behind the last exit
}

BOOST_AUTO_TEST_CASE(reachability_follows_branches_calls_and_guards) {
  const SassListing listing = make_listing(
      {"CALL.REL.NOINC 0x40", "@P0 EXIT", "BRA 0x60", "NOP", "MOV R1, R2", "RET.REL.NODEC R4 0x0", "EXIT", "NOP"});
  const std::vector<bool> reached = reachable_instructions(listing.kernels[0]);
  const std::vector<bool> expected{true, true, true, false, true, true, true, false};
  BOOST_TEST(reached == expected, boost::test_tools::per_element());
  const SassListing indirect = make_listing({"CALL.REL.NOINC R2 0x0", "EXIT", "NOP"});
  BOOST_TEST(reachable_instructions(indirect.kernels[0])[2]);
}

BOOST_AUTO_TEST_CASE(accesses_carry_order_scope_function_and_hint) {
  Run m(with_frame({{"LDG.E.STRONG.GPU R4, [R2.64]", control(2, 0)},
                    {"CCTL.IVALL", control(1, 7, 1)},
                    {"LDG.E.EF R5, [R2.64]", control(2, 1)},
                    {"ATOMG.E.CAS.STRONG.SYS PT, R6, [R2], R4, R5", control(4, 3, 3)},
                    {"RED.E.MAX.S32.STRONG.GPU [R2.64], R0", control(1, 7, 8)},
                    "STG.E.EL [R2.64], R0",
                    "MEMBAR.ALL.GPU",
                    "CCTL.IVALL",
                    "EXIT"}));
  m.go();
  std::vector<WarpInstruction> seen;
  for (const WarpInstruction& i : m.trace)
    if (i.kind == WarpInstruction::Kind::memory || i.kind == WarpInstruction::Kind::fence) seen.push_back(i);
  BOOST_REQUIRE(seen.size() == 6U);
  BOOST_TEST((seen[0].semantics == Semantics::acquire && seen[0].scope == Scope::gpu && seen[0].set_scoreboard == 0));
  BOOST_TEST((seen[1].semantics == Semantics::weak && seen[1].eviction == EvictionClass::first));
  BOOST_TEST((seen[2].operation == Operation::atomic && seen[2].function == AtomicFunction::compare_and_swap));
  BOOST_TEST((seen[2].scope == Scope::sys && seen[2].wait_scoreboards == 3 && seen[2].stall_cycles == 4));
  BOOST_TEST((seen[3].operation == Operation::reduction && seen[3].function == AtomicFunction::max_signed));
  BOOST_TEST((seen[3].set_scoreboard == kNoScoreboard));
  BOOST_TEST((seen[4].operation == Operation::store && seen[4].eviction == EvictionClass::last));
  BOOST_TEST((seen[5].kind == WarpInstruction::Kind::fence && seen[5].semantics == Semantics::acq_rel));
}

BOOST_AUTO_TEST_CASE(an_invalidate_on_its_own_is_a_fence) {
  Run m({"CCTL.IVALL", "EXIT"}, 1);
  m.go();
  BOOST_TEST((m.trace.at(0).kind == WarpInstruction::Kind::fence && m.trace.at(0).semantics == Semantics::acquire));
}

BOOST_AUTO_TEST_CASE(variable_latencies_hold_the_scoreboard_of_the_control_word) {
  Run m({{"S2R R0, SR_TID.X", control(1, 2)},
         {"MUFU.RCP R1, R0", control(1, 3, 4)},
         {"LDS R2, [RZ]", control(1, 0)},
         {"NANOSLEEP 0x64", control(5)},
         "EXIT"});
  m.go();
  const SassSpec spec = bench_spec();
  BOOST_TEST((m.trace[0].set_scoreboard == 2 && m.trace[0].latency_cycles == spec.special_register_cycles));
  BOOST_TEST((m.trace[1].wait_scoreboards == 4 && m.trace[1].latency_cycles == spec.special_function_cycles));
  BOOST_TEST(m.trace[2].latency_cycles == spec.shared_cycles);
  BOOST_TEST(m.trace[3].stall_cycles == 5 + 260.0);
}

BOOST_AUTO_TEST_CASE(an_instruction_that_no_lane_executes_takes_its_issue_slot_only) {
  Run m({"ISETP.NE.AND P0, PT, RZ, RZ, PT",
         {"@P0 LDG.E R0, [R2.64]", control(2, 1)},
         "@P0 BAR.SYNC.DEFER_BLOCKING 0x0",
         "EXIT"});
  m.go();
  for (std::size_t n = 0; n < 3; ++n) {
    BOOST_TEST((m.trace[n].kind == WarpInstruction::Kind::compute));
    BOOST_TEST(m.trace[n].set_scoreboard == kNoScoreboard);
  }
  BOOST_TEST(m.out_of_range == 0U);
}
