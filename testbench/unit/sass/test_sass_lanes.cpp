// SPDX-License-Identifier: Apache-2.0
//
// Votes, shuffles, special registers, and the SM's own memory.
#include "one_instruction.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

/// R1 of lane l is 100 + l.
OneInstruction counted() {
  OneInstruction t;
  for (unsigned l = 0; l < 32; ++l) t.state.reg(1, l) = 100 + l;
  return t;
}

}  // namespace

BOOST_AUTO_TEST_CASE(votes_count_active_lanes_only) {
  OneInstruction t;
  t.state.set_predicate(0, kAllLaneBits, 0x0000ff0f);
  t.run("VOTE.ANY R0, P1, P0", 0x00000fff);
  BOOST_TEST(t.get(0) == 0x00000f0fU);
  BOOST_TEST((t.state.predicate(1) & 0xfffU) == 0xfffU);
  t.run("VOTE.ALL P2, P0", 0x0000000f);
  BOOST_TEST((t.state.predicate(2) & 0xfU) == 0xfU);
  t.run("VOTE.ALL P2, P0", 0x0000001f);
  BOOST_TEST((t.state.predicate(2) & 0x1fU) == 0U);
  t.run("VOTE.EQ P2, P0", 0x000000f0);
  BOOST_TEST((t.state.predicate(2) & 0xf0U) == 0xf0U);
  t.run("VOTEU.ANY UR4, UPT, P0", 0xff00);
  BOOST_TEST(t.state.uniform[4] == 0xff00U);
}

BOOST_AUTO_TEST_CASE(shuffles_stay_within_their_segment) {
  OneInstruction t = counted();
  t.run("SHFL.IDX P0, R0, R1, 0x5, 0x1f");
  BOOST_TEST((t.get(0, 0) == 105U && t.get(0, 31) == 105U));
  t.run("SHFL.UP P0, R0, R1, 0x3, RZ");
  BOOST_TEST((t.get(0, 2) == 102U && t.get(0, 3) == 100U && t.get(0, 31) == 128U));
  BOOST_TEST(t.state.predicate(0) == 0xfffffff8U);
  t.run("SHFL.DOWN P0, R0, R1, 0x5, 0x101f");  // width 16
  BOOST_TEST((t.get(0, 10) == 115U && t.get(0, 11) == 111U && t.get(0, 16) == 121U));
  BOOST_TEST(t.state.predicate(0) == 0x07ff07ffU);
  t.run("SHFL.BFLY PT, R0, R1, 0x9, 0x1f");
  BOOST_TEST((t.get(0, 0) == 109U && t.get(0, 31) == 122U));
  // A lane reads the old value also where the source is the destination.
  t.run("SHFL.BFLY PT, R1, R1, 0x1, 0x1f");
  BOOST_TEST((t.get(1, 0) == 101U && t.get(1, 1) == 100U));
}

BOOST_AUTO_TEST_CASE(matches_and_reductions_look_at_all_active_lanes) {
  OneInstruction t = counted();
  for (unsigned l = 0; l < 32; ++l) t.state.reg(2, l) = l % 3;
  t.run("MATCH.ANY R0, R2", 0xff);
  BOOST_TEST((t.get(0, 0) == 0x49U && t.get(0, 4) == 0x92U));
  t.run("MATCH.ALL P0, R0, R2", 0xff);
  BOOST_TEST((t.get(0, 0) == 0U && !t.predicate(0)));
  t.run("MATCH.ALL P0, R0, RZ", 0xf0);
  BOOST_TEST((t.get(0, 4) == 0xf0U && (t.state.predicate(0) & 0x10U) != 0));
  t.run("REDUX.SUM UR4, R1", 0xf);
  BOOST_TEST(t.state.uniform[4] == 406U);
  t.state.reg(1, 7) = 0xffffffff;
  t.run("REDUX.MAX UR4, R1").run("REDUX.MAX.S32 UR5, R1").run("REDUX.MIN.S32 UR6, R1").run("REDUX UR7, R1", 0x81);
  BOOST_TEST((t.state.uniform[4] == 0xffffffffU && t.state.uniform[5] == 131U));
  BOOST_TEST((t.state.uniform[6] == 0xffffffffU && t.state.uniform[7] == 100U));
}

BOOST_AUTO_TEST_CASE(special_registers_name_thread_block_and_lane) {
  OneInstruction t;  // block 8 x 4 x 2, CTA 0 on SM 5
  t.run("S2R R0, SR_TID.X").run("S2R R1, SR_TID.Y").run("S2R R2, SR_TID.Z");
  BOOST_TEST((t.get(0, 13) == 5U && t.get(1, 13) == 1U && t.get(2, 13) == 0U));
  t.run("S2R R0, SR_LTMASK")
      .run("S2R R1, SR_GEMASK")
      .run("S2R R2, SR_EQMASK")
      .run("S2R R3, SR_LEMASK")
      .run("S2R R4, SR_GTMASK");
  BOOST_TEST((t.get(0, 4) == 0xfU && t.get(1, 4) == 0xfffffff0U && t.get(2, 4) == 0x10U));
  BOOST_TEST((t.get(3, 31) == 0xffffffffU && t.get(4, 31) == 0U && t.get(0, 0) == 0U));
  t.run("S2R R0, SR_VIRTUALSMID").run("S2UR UR4, SR_CTAID.Y");
  BOOST_TEST((t.get(0) == 5U && t.state.uniform[4] == 0U));
  t.set_pair(6, ~std::uint64_t{0}).run("CS2R R6, SRZ");
  BOOST_TEST(t.pair(6) == 0U);
  BOOST_CHECK_THROW(t.run("S2R R0, SR_NOSUCH"), Unsupported);
}

BOOST_AUTO_TEST_CASE(a_cta_knows_its_place_in_the_grid) {
  SassLaunch launch;
  launch.grid = {3, 2, 2};
  const CtaState cta(launch, 10, 0);
  BOOST_TEST((cta.index.x == 1U && cta.index.y == 1U && cta.index.z == 1U));
}

BOOST_AUTO_TEST_CASE(shared_memory_holds_every_width) {
  OneInstruction t = counted();
  t.run("S2R R3, SR_LANEID").run("STS [R3.X4], R1");
  for (unsigned l = 0; l < 32; ++l) BOOST_TEST(t.state.cta.shared[4 * l] == 100 + l);
  t.set(4, 0).run("LDS.64 R6, [R4+0x8]");
  BOOST_TEST((t.get(6) == 102U && t.get(7) == 103U));
  t.run("LDS.128 R8, [0x10]");
  BOOST_TEST((t.get(8) == 104U && t.get(11) == 107U));
  t.set(5, 0xffffff80).run("STS.U8 [R4+0x41], R5").run("LDS.S8 R0, [R4+0x41]").run("LDS.U8 R2, [R4+0x41]");
  BOOST_TEST((t.get(0) == 0xffffff80U && t.get(2) == 0x80U));
  t.run("LDS.U16 R0, [0x40]");
  BOOST_TEST(t.get(0) == 0x8000U + 116U);
  BOOST_TEST(t.state.fault.empty());
  t.run("LDS R0, [0x100]");
  BOOST_TEST(t.state.fault == "a shared access of 4 bytes at 0x100, where the CTA has 256 bytes of shared memory");
}

BOOST_AUTO_TEST_CASE(shared_atomics_take_the_lanes_in_turn) {
  OneInstruction t = counted();
  t.run("ATOMS.ADD R0, [RZ], R1");
  BOOST_TEST((t.get(0, 0) == 0U && t.get(0, 1) == 100U && t.get(0, 2) == 201U));
  t.run("LDS R2, [RZ]");
  BOOST_TEST(t.get(2) == 32U * 100 + 31 * 16);
  t.run("ATOMS.MAX RZ, [0x4], R1").run("ATOMS.MIN.S32 RZ, [0x8], -0x5").run("ATOMS.POPC.INC.32 RZ, [0xc]");
  t.run("LDS.128 R4, [RZ]");
  BOOST_TEST((t.get(5) == 131U && t.get(6) == static_cast<std::uint32_t>(-5) && t.get(7) == 32U));
  // All lanes swap the same word: one succeeds.
  t.set(2, 0).run("LDS R2, [0x20]").set(3, 9).run("ATOMS.CAST.SPIN R0, [0x20], R2, R3");
  BOOST_TEST((t.get(0, 0) == 1U && t.get(0, 1) == 0U && t.get(0, 31) == 0U));
  t.run("ATOMS.CAS R0, [0x20], R3, R2").run("LDS R4, [0x20]");
  BOOST_TEST((t.get(0, 0) == 9U && t.get(0, 1) == 0U && t.get(4) == 0U));
  t.set_pair(6, 0x100000002).run("ATOMS.EXCH.64 R8, [0x28], R6");
  BOOST_TEST(t.get(8, 1) == 2U);
}

BOOST_AUTO_TEST_CASE(local_memory_is_the_threads_own) {
  OneInstruction t = counted();
  t.set(2, 0x20).run("STL [R2+0x4], R1").run("STL.64 [R2+0x8], R1").run("LDL R0, [R2+0x4]");
  BOOST_TEST((t.get(0, 0) == 100U && t.get(0, 31) == 131U));
  t.run("LDL.U8 R0, [R2+0x8]");
  BOOST_TEST(t.get(0, 9) == 109U);
  t.run("STL [R2+0x20], R1");
  BOOST_TEST(t.state.fault.find("a local access of 4 bytes at 0x40") == 0U);
}

BOOST_AUTO_TEST_CASE(constants_hold_dimensions_windows_and_parameters) {
  OneInstruction t;
  t.run("MOV R0, c[0x0][0x0]").run("MOV R1, c[0x0][0x4]").run("MOV R2, c[0x0][0xc]").run("MOV R3, c[0x0][0x28]");
  BOOST_TEST((t.get(0) == 8U && t.get(1) == 4U && t.get(2) == 3U && t.get(3) == 64U));
  t.set(4, 4).run("LDC R0, c[0x0][R4+0x160]").run("LDC.64 R6, c[0x0][R4+0x15c]").run("LDC.U8 R2, c[0x0][0x164]");
  BOOST_TEST((t.get(0) == 9U && t.pair(6) == 0x900000007U && t.get(2) == 9U));
  t.run("MOV R0, c[0x0][0x400]");
  BOOST_TEST(t.get(0) == 0U);
  t.run("MOV R8, c[0x0][0x18]")
      .run("MOV R9, c[0x0][0x1c]")
      .run("QSPC.E.S P0, RZ, [R8+0x40]")
      .run("QSPC.E.G P1, RZ, [R8+0x40]");
  BOOST_TEST((t.predicate(0) && !t.predicate(1)));
}
