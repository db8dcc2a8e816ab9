// SPDX-License-Identifier: Apache-2.0
//
// Integer, logic and predicate instructions, against values worked out by hand.
#include "one_instruction.h"

using namespace gputlm;
using namespace gputlm::sass_test;

BOOST_AUTO_TEST_CASE(iadd3_adds_negates_and_carries) {
  OneInstruction t;
  t.set(1, 5).set(2, 3).set(3, 10);
  BOOST_TEST(t.run("IADD3 R0, R1, -R2, R3").get(0) == 12U);
  BOOST_TEST(t.run("IADD3 R0, R1, 0x10, RZ").get(0) == 21U);
  BOOST_TEST(t.run("IADD3 R0, R1, c[0x0][0x160], RZ").get(0) == 12U);
  // 5 - 3 borrows nothing: the carry is set. 3 - 5 borrows.
  t.run("IADD3 R0, P0, R1, -R2, RZ");
  BOOST_TEST(t.predicate(0));
  t.run("IADD3 R0, P0, R2, -R1, RZ");
  BOOST_TEST(!t.predicate(0));
  // Taking nothing away never borrows.
  t.run("IADD3 R0, P0, R1, -RZ, RZ");
  BOOST_TEST(t.predicate(0));
  t.set(1, 0xffffffff).set(2, 0xffffffff).set(3, 0xffffffff);
  t.run("IADD3 R0, P0, P1, R1, R2, R3");  // 3 * 2^32 - 3: two carries
  BOOST_TEST(t.get(0) == 0xfffffffdU);
  BOOST_TEST((t.predicate(0) && t.predicate(1)));
}

BOOST_AUTO_TEST_CASE(a_carry_chain_adds_and_subtracts_64_bits) {
  OneInstruction t;
  t.set_pair(2, 0x1ffffffffULL).set_pair(4, 0x2'00000003ULL);
  t.run("IADD3 R0, P0, R2, R4, RZ").run("IADD3.X R1, R3, R5, RZ, P0, !PT");
  BOOST_TEST(t.pair(0) == 0x1ffffffffULL + 0x200000003ULL);
  t.run("IADD3 R0, P0, R2, -R4, RZ").run("IADD3.X R1, R3, ~R5, RZ, P0, !PT");
  BOOST_TEST(t.pair(0) == 0x1ffffffffULL - 0x200000003ULL);
  t.run("IADD3 R0, P0, R2, R4, RZ").run("IMAD.X R1, R3, 0x1, R5, P0");
  BOOST_TEST(t.pair(0) == 0x1ffffffffULL + 0x200000003ULL);
}

BOOST_AUTO_TEST_CASE(imad_gives_its_low_high_and_wide_product) {
  OneInstruction t;
  t.set(1, 0xfffffffe).set(2, 7).set(3, 5);
  BOOST_TEST(t.run("IMAD R0, R1, R2, R3").get(0) == static_cast<std::uint32_t>(-2 * 7 + 5));
  t.set_pair(4, 100);
  BOOST_TEST(t.run("IMAD.WIDE R8, R1, R2, R4").pair(8) == static_cast<std::uint64_t>(-14 + 100));
  BOOST_TEST(t.run("IMAD.WIDE.U32 R8, R1, R2, R4").pair(8) == 0xfffffffeULL * 7 + 100);
  BOOST_TEST(t.run("IMAD.HI.U32 R0, R1, R2, RZ").get(0) == 6U);
  BOOST_TEST(t.run("IMAD.HI R0, R1, R2, RZ").get(0) == 0xffffffffU);
  BOOST_TEST(t.run("IMAD.SHL.U32 R0, R2, 0x10, RZ").get(0) == 112U);
  BOOST_TEST(t.run("IMAD.MOV.U32 R0, RZ, RZ, -R2").get(0) == static_cast<std::uint32_t>(-7));
  // .HI takes a pair as its addend: its low half can carry into the result.
  t.set(1, 0x80000000).set(2, 1).set_pair(4, 0x80000000ULL);
  BOOST_TEST(t.run("IMAD.HI.U32 R0, R1, R2, R4").get(0) == 1U);
  t.set(1, 0xffffffff).set(2, 0xffffffff).set_pair(4, 0x2'ffffffffULL);
  t.run("IMAD.WIDE.U32 R0, P2, R1, R2, R4");
  BOOST_TEST(t.pair(0) == 0xfffffffe00000001ULL + 0x2ffffffffULL);
  BOOST_TEST(t.predicate(2));
}

BOOST_AUTO_TEST_CASE(lea_shifts_and_adds_in_32_and_64_bits) {
  OneInstruction t;
  t.set_pair(2, 0x80000001ULL).set_pair(4, 0x1'f0000000ULL);
  t.run("LEA R0, P0, R2, R4, 0x2").run("LEA.HI.X R1, R2, R5, R3, 0x2, P0");
  BOOST_TEST(t.pair(0) == (0x80000001ULL << 2U) + 0x1f0000000ULL);
  t.run("LEA R0, P0, R2, R4, 0x2").run("LEA.HI.X.SX32 R1, R2, R5, 0x2, P0");
  BOOST_TEST(t.pair(0) == (0xffffffff80000001ULL << 2U) + 0x1f0000000ULL);
  t.set(6, 0xfffffff0).set(7, 3);
  BOOST_TEST(t.run("LEA.HI.SX32 R0, R6, R7, 0x1e").get(0) == static_cast<std::uint32_t>(3 + (-16 >> 2)));
  BOOST_TEST(t.run("LEA R0, R7, -R7, 0x4").get(0) == 45U);
}

BOOST_AUTO_TEST_CASE(comparisons_are_signed_unless_told_and_join_a_predicate) {
  OneInstruction t;
  t.set(1, 0xffffffff).set(2, 1);
  t.run("ISETP.LT.AND P0, P1, R1, R2, PT");
  BOOST_TEST((t.predicate(0) && !t.predicate(1)));
  t.run("ISETP.LT.U32.AND P0, P1, R1, R2, PT");
  BOOST_TEST((!t.predicate(0) && t.predicate(1)));
  t.set_predicate(3, true).run("ISETP.GT.OR P0, PT, R1, R2, P3");
  BOOST_TEST(t.predicate(0));
  t.run("ISETP.LT.XOR P0, PT, R1, R2, P3");
  BOOST_TEST(!t.predicate(0));
  t.run("ISETP.NE.AND P0, P1, R1, R2, !P3");
  BOOST_TEST((!t.predicate(0) && !t.predicate(1)));
}

BOOST_AUTO_TEST_CASE(comparisons_of_64_bits_go_from_low_to_high) {
  struct Case {
    std::int64_t a, b;
  };
  for (const Case c :
       {Case{1, 2}, {2, 1}, {1LL << 32U, 1}, {-1, 1}, {-5, -4}, {7, 7}, {(7LL << 32U) | 9, (7LL << 32U) | 8}}) {
    OneInstruction t;
    t.set_pair(2, static_cast<std::uint64_t>(c.a)).set_pair(4, static_cast<std::uint64_t>(c.b));
    t.run("ISETP.LT.U32.AND P0, PT, R2, R4, PT").run("ISETP.LT.AND.EX P0, PT, R3, R5, PT, P0");
    BOOST_TEST(t.predicate(0) == (c.a < c.b));
    t.run("ISETP.GE.U32.AND P0, PT, R2, R4, PT").run("ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P0");
    BOOST_TEST(t.predicate(0) == (static_cast<std::uint64_t>(c.a) >= static_cast<std::uint64_t>(c.b)));
    t.run("ISETP.NE.U32.AND P0, PT, R2, R4, PT").run("ISETP.NE.AND.EX P0, PT, R3, R5, PT, P0");
    BOOST_TEST(t.predicate(0) == (c.a != c.b));
  }
}

BOOST_AUTO_TEST_CASE(minimum_absolute_value_and_differences) {
  OneInstruction t;
  t.set(1, 0xfffffff0).set(2, 4).set(3, 1);
  BOOST_TEST(t.run("IMNMX R0, R1, R2, PT").get(0) == 0xfffffff0U);
  BOOST_TEST(t.run("IMNMX R0, R1, R2, !PT").get(0) == 4U);
  BOOST_TEST(t.run("IMNMX.U32 R0, R1, R2, PT").get(0) == 4U);
  BOOST_TEST(t.run("IABS R0, R1").get(0) == 16U);
  BOOST_TEST(t.run("VABSDIFF R0, R1, R2, R3").get(0) == 21U);
  BOOST_TEST(t.run("VABSDIFF.U32 R0, R1, R2, R3").get(0) == 0xffffffecU + 1);
  t.set(1, 0x01ff8003).set(2, 0x03018002);
  BOOST_TEST(t.run("VABSDIFF4.U8 R0, R1, R2, RZ").get(0) == 0x02fe0001U);
  t.set(1, 0x01ff02fe).set(2, 0x01010203).set(3, 100);  // 1 - 1 + 4 - 6
  BOOST_TEST(t.run("IDP.4A.S8.S8 R0, R1, R2, R3").get(0) == 98U);
  BOOST_TEST(t.run("IDP.4A.U8.U8 R0, R1, R2, R3").get(0) == 100U + 1 + 255 + 4 + 762);
}

BOOST_AUTO_TEST_CASE(lop3_is_any_function_of_three_bits) {
  OneInstruction t;
  t.set(1, 0xf0f0aaaa).set(2, 0xff00cccc).set(3, 0x0ff0f0f0);
  BOOST_TEST(t.run("LOP3.LUT R0, R1, R2, RZ, 0xc0, !PT").get(0) == (0xf0f0aaaaU & 0xff00ccccU));
  BOOST_TEST(t.run("LOP3.LUT R0, R1, R2, R3, 0x96, !PT").get(0) == (0xf0f0aaaaU ^ 0xff00ccccU ^ 0x0ff0f0f0U));
  BOOST_TEST(t.run("LOP3.LUT R0, RZ, R1, RZ, 0x33, !PT").get(0) == ~0xf0f0aaaaU);
  const std::uint32_t picked = (0xf0f0aaaaU & 0xff00ccccU) | (~0xf0f0aaaaU & 0x0ff0f0f0U);
  BOOST_TEST(t.run("LOP3.LUT R0, R1, R2, R3, 0xca, !PT").get(0) == picked);
  t.run("LOP3.LUT P0, RZ, R1, 0x5, RZ, 0xc0, !PT");
  BOOST_TEST(!t.predicate(0));
  t.run("LOP3.LUT P0, RZ, R1, 0x2, RZ, 0xc0, !PT");
  BOOST_TEST(t.predicate(0));
  t.set_predicate(1, true).set_predicate(2, false);
  t.run("PLOP3.LUT P0, P3, P1, P2, PT, 0x80, 0x08");  // all three; the first two without the third's complement
  BOOST_TEST((!t.predicate(0) && !t.predicate(3)));
  t.run("PLOP3.LUT P0, P3, P1, !P2, PT, 0x80, 0xfe");
  BOOST_TEST((t.predicate(0) && t.predicate(3)));
}

BOOST_AUTO_TEST_CASE(shifts_clamp_wrap_and_funnel) {
  OneInstruction t;
  t.set(1, 0x80000001).set(2, 0x12345678).set(3, 40).set(4, 4).set(5, 32);
  BOOST_TEST(t.run("SHF.L.U32 R0, R1, R4, RZ").get(0) == 0x10U);
  BOOST_TEST(t.run("SHF.L.U32 R0, R1, R5, RZ").get(0) == 0U);
  BOOST_TEST(t.run("SHF.R.U32.HI R0, RZ, R4, R1").get(0) == 0x08000000U);
  BOOST_TEST(t.run("SHF.R.S32.HI R0, RZ, R4, R1").get(0) == 0xf8000000U);
  BOOST_TEST(t.run("SHF.R.S32.HI R0, RZ, R3, R1").get(0) == 0xffffffffU);
  BOOST_TEST(t.run("SHF.R.U32.HI R0, RZ, R3, R1").get(0) == 0U);
  BOOST_TEST(t.run("SHF.L.W.U32.HI R0, R1, R3, R2").get(0) == 0x34567880U);  // {R2, R1} << 8
  BOOST_TEST(t.run("SHF.R.U32 R0, R1, R4, R2").get(0) == 0x88000000U);
  BOOST_TEST(t.run("SHF.R.U64 R0, R1, R3, R2").get(0) == 0x00123456U);
  BOOST_TEST(t.run("SHF.L.U64.HI R0, R1, R4, R2").get(0) == 0x23456788U);
  BOOST_TEST(t.run("SHF.R.S64 R0, R2, R3, R1").get(0) == 0xff800000U);
}

BOOST_AUTO_TEST_CASE(bytes_and_bits_are_picked_counted_and_turned_round) {
  OneInstruction t;
  t.set(1, 0x44332211).set(2, 0x88776655);
  BOOST_TEST(t.run("PRMT R0, R1, 0x7531, R2").get(0) == 0x88664422U);
  BOOST_TEST(t.run("PRMT R0, R1, 0xf8c4, R2").get(0) == 0xff000055U);
  t.set(3, 0x00f0a000);
  BOOST_TEST(t.run("POPC R0, R3").get(0) == 6U);
  BOOST_TEST(t.run("FLO.U32 R0, R3").get(0) == 23U);
  BOOST_TEST(t.run("FLO.U32.SH R0, R3").get(0) == 8U);
  BOOST_TEST(t.run("FLO.U32 R0, RZ").get(0) == 0xffffffffU);
  t.set(4, 0xfffffff0);
  BOOST_TEST(t.run("FLO R0, R4").get(0) == 3U);
  BOOST_TEST(t.run("BREV R0, R3").get(0) == 0x00050f00U);
  t.set(5, 8).set(6, 12);
  BOOST_TEST(t.run("BMSK R0, R5, R6").get(0) == 0x000fff00U);
  BOOST_TEST(t.run("SGXT R0, R3, 0x10").get(0) == 0xffffa000U);
  BOOST_TEST(t.run("SGXT.U32 R0, R3, 0x10").get(0) == 0xa000U);
}

BOOST_AUTO_TEST_CASE(moves_and_selections) {
  OneInstruction t;
  t.set(1, 11).set(2, 22).set_predicate(2, true);
  BOOST_TEST(t.run("SEL R0, R1, R2, P2").get(0) == 11U);
  BOOST_TEST(t.run("SEL R0, R1, R2, !P2").get(0) == 22U);
  BOOST_TEST(t.run("MOV R0, c[0x0][0x164]").get(0) == 9U);
  BOOST_TEST(t.run("MOV RZ, R1").get(0) == 9U);
  t.set_predicate(0, true).set_predicate(1, false);
  BOOST_TEST(t.run("P2R R0, PR, R1, 0x7").get(0) == ((11U & ~7U) | 5U));
  t.set(3, 2).run("R2P PR, R3, 0x3");
  BOOST_TEST((!t.predicate(0) && t.predicate(1) && t.predicate(2)));
}

BOOST_AUTO_TEST_CASE(the_uniform_datapath_works_once_for_the_warp) {
  OneInstruction t;
  t.run("UMOV UR4, 0xfffffff0").run("UIADD3 UR5, UP0, UR4, 0x20, URZ");
  BOOST_TEST(t.state.uniform[5] == 0x10U);
  BOOST_TEST(t.state.predicate(kUniformPredicates) == kAllLaneBits);
  t.run("UIADD3.X UR6, URZ, 0x3, URZ, UP0, !UPT").run("ULOP3.LUT UR7, UR6, 0x6, URZ, 0x3c, !UPT");
  BOOST_TEST(t.state.uniform[7] == 2U);
  t.run("USHF.L.U32 UR8, UR7, 0x4, URZ").run("UIMAD UR9, UR8, UR7, UR6");
  BOOST_TEST(t.state.uniform[9] == 68U);
  t.run("UISETP.GT.AND UP1, UPT, UR9, UR8, UPT").run("USEL UR10, UR8, UR9, UP1");
  BOOST_TEST(t.state.uniform[10] == 32U);
  t.run("ULDC.64 UR12, c[0x0][0x160]");
  BOOST_TEST((t.state.uniform[12] == 7U && t.state.uniform[13] == 9U));
  for (unsigned l = 0; l < 32; ++l) t.state.reg(1, l) = 100 + l;
  t.run("R2UR UR14, R1", 0xfffffff8U);
  BOOST_TEST(t.state.uniform[14] == 103U);
  BOOST_TEST(t.run("IADD3 R0, R1, UR14, RZ").get(0, 1) == 204U);
  t.run("UFLO.U32 UR15, UR10").run("UPOPC UR16, UR9");
  BOOST_TEST((t.state.uniform[15] == 5U && t.state.uniform[16] == 2U));
}
