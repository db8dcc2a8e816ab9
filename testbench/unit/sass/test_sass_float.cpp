// SPDX-License-Identifier: Apache-2.0
//
// Floating-point instructions and conversions, against values worked out by hand.
#include <cmath>
#include <limits>

#include "one_instruction.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kTiny = std::ldexp(1.0F, -140);  // subnormal

}  // namespace

BOOST_AUTO_TEST_CASE(float_arithmetic_with_signs_and_numbers) {
  OneInstruction t;
  t.set_float(1, 1.5F).set_float(2, -4.0F).set_float(3, 0.25F);
  BOOST_TEST(t.run("FADD R0, R1, -|R2|").as_float(0) == -2.5F);
  BOOST_TEST(t.run("FMUL R0, R1, 0.5").as_float(0) == 0.75F);
  BOOST_TEST(t.run("FFMA R0, -R1, R2, R3").as_float(0) == 6.25F);
  BOOST_TEST(t.run("FADD.SAT R0, R1, R1").as_float(0) == 1.0F);
  BOOST_TEST(t.run("FADD.SAT R0, R2, R2").as_float(0) == 0.0F);
  BOOST_TEST(t.run("FSEL R0, -R1, R2, PT").as_float(0) == -1.5F);
  // One rounding: (1 + 2^-12)^2 - 1 keeps its last bit.
  t.set_float(1, 1 + std::ldexp(1.0F, -12));
  BOOST_TEST(t.run("FFMA R0, R1, R1, -1").as_float(0) == std::ldexp(1.0F, -11) + std::ldexp(1.0F, -24));
}

BOOST_AUTO_TEST_CASE(rounding_is_in_the_direction_asked_for) {
  OneInstruction t;
  const float ulp = std::ldexp(1.0F, -23);
  t.set_float(1, 1.0F).set_float(2, std::ldexp(1.0F, -30)).set_float(3, -1.0F).set_float(4, -std::ldexp(1.0F, -30));
  BOOST_TEST(t.run("FADD R0, R1, R2").as_float(0) == 1.0F);
  BOOST_TEST(t.run("FADD.RP R0, R1, R2").as_float(0) == 1.0F + ulp);
  BOOST_TEST(t.run("FADD.RM R0, R1, R2").as_float(0) == 1.0F);
  BOOST_TEST(t.run("FADD.RM R0, R3, R4").as_float(0) == -1.0F - ulp);
  BOOST_TEST(t.run("FADD.RZ R0, R3, R4").as_float(0) == -1.0F);
  BOOST_TEST(t.run("FFMA.RP R0, R1, R1, R2").as_float(0) == 1.0F + ulp);
  t.set_float(5, 1 + ulp);
  BOOST_TEST(t.run("FMUL.RZ R0, R5, R5").as_float(0) == 1.0F + 2 * ulp);
  BOOST_TEST(t.run("FMUL.RP R0, R5, R5").as_float(0) == 1.0F + 3 * ulp);
  t.set_double(10, 1.0).set_double(12, std::ldexp(1.0, -60));
  BOOST_TEST(t.run("DADD.RP R6, R10, R12").as_double(6) == 1.0 + std::ldexp(1.0, -52));
  BOOST_TEST(t.run("DADD.RM R6, R10, -R12").as_double(6) == 1.0 - std::ldexp(1.0, -53));
}

BOOST_AUTO_TEST_CASE(subnormals_are_kept_unless_flushed) {
  OneInstruction t;
  t.set_float(1, kTiny).set_float(2, 0.5F);
  BOOST_TEST(t.run("FADD R0, R1, R1").as_float(0) == 2 * kTiny);
  BOOST_TEST(t.run("FADD.FTZ R0, R1, R1").get(0) == 0U);
  BOOST_TEST(t.run("FADD.FTZ R0, -R1, -RZ").get(0) == 0x80000000U);
  t.set_float(3, std::numeric_limits<float>::min());
  BOOST_TEST(t.run("FMUL.FTZ R0, R3, R2").get(0) == 0U);
  BOOST_TEST(t.run("FMUL R0, R3, R2").as_float(0) == std::numeric_limits<float>::min() / 2);
}

BOOST_AUTO_TEST_CASE(a_nan_is_the_canonical_one) {
  OneInstruction t;
  t.set(1, 0xffc12345).set_float(2, 1.0F).set_float(3, kInf);
  BOOST_TEST(t.run("FADD R0, R1, R2").get(0) == 0x7fffffffU);
  BOOST_TEST(t.run("FFMA R0, R2, R2, R1").get(0) == 0x7fffffffU);
  BOOST_TEST(t.run("FADD R0, R3, -R3").get(0) == 0x7fffffffU);
  BOOST_TEST(t.run("FMUL R0, R3, RZ").get(0) == 0x7fffffffU);
  BOOST_TEST(t.run("FADD.SAT R0, R1, R2").get(0) == 0U);
  BOOST_TEST(t.run("FMNMX R0, R1, R2, PT").as_float(0) == 1.0F);
  BOOST_TEST(t.run("FMNMX R0, R1, R1, PT").get(0) == 0x7fffffffU);
  // Of doubles the operand's payload stays, made quiet.
  t.set_pair(10, 0x7ff0000000000123).set_double(12, 1.0).set_double(14, double{kInf});
  BOOST_TEST(t.run("DADD R6, R12, R10").pair(6) == 0x7ff8000000000123U);
  BOOST_TEST(t.run("DADD R6, R14, -R14").pair(6) == 0xfff8000000000000U);
}

BOOST_AUTO_TEST_CASE(comparisons_know_what_is_unordered) {
  OneInstruction t;
  t.set_float(1, 1.0F).set_float(2, 2.0F).set(3, 0x7fc00000);
  auto asks = [&](const char* text) { return t.run(text).predicate(0); };
  BOOST_TEST(asks("FSETP.LT.AND P0, PT, R1, R2, PT"));
  BOOST_TEST(!asks("FSETP.LT.AND P0, PT, R1, R3, PT"));
  BOOST_TEST(asks("FSETP.LTU.AND P0, PT, R1, R3, PT"));
  BOOST_TEST(!asks("FSETP.NE.AND P0, PT, R1, R3, PT"));
  BOOST_TEST(asks("FSETP.NEU.AND P0, PT, R1, R3, PT"));
  BOOST_TEST(asks("FSETP.GTU.AND P0, PT, |R3|, +INF , PT"));
  BOOST_TEST(!asks("FSETP.GTU.AND P0, PT, |R1|, +INF , PT"));
  BOOST_TEST(asks("FSETP.NUM.AND P0, PT, R1, R2, PT"));
  BOOST_TEST(asks("FSETP.NAN.AND P0, PT, R1, R3, PT"));
  BOOST_TEST(asks("FSETP.EQ.AND P0, PT, RZ, -RZ, PT"));
  BOOST_TEST(t.run("FSET.BF.LT.AND R0, R1, R2, PT").as_float(0) == 1.0F);
  BOOST_TEST(t.run("FMNMX R0, RZ, -RZ, PT").get(0) == 0x80000000U);
  t.set_double(10, -3).set_double(12, 2);
  BOOST_TEST(asks("DSETP.GE.AND P0, PT, |R10|, R12, PT"));
  t.run("DSETP.MIN.AND P0, P1, R10, R12, PT");
  BOOST_TEST((t.predicate(0) && !t.predicate(1)));
}

BOOST_AUTO_TEST_CASE(doubles_are_added_multiplied_and_fused) {
  OneInstruction t;
  t.set_double(10, 1.5).set_double(12, -0.25).set_double(14, 8);
  BOOST_TEST(t.run("DADD R0, R10, -R12").as_double(0) == 1.75);
  BOOST_TEST(t.run("DMUL R0, R10, 0.5").as_double(0) == 0.75);
  BOOST_TEST(t.run("DMUL R0, R10, c[0x0][0x168]").as_double(0) == 3.75);
  BOOST_TEST(t.run("DFMA R0, R10, R12, R14").as_double(0) == 7.625);
  t.set_double(10, 1 + std::ldexp(1.0, -30));
  BOOST_TEST(t.run("DFMA R0, R10, R10, -1").as_double(0) == std::ldexp(1.0, -29) + std::ldexp(1.0, -60));
}

BOOST_AUTO_TEST_CASE(halves_work_in_pairs) {
  OneInstruction t;
  t.set(1, 0x40003c00).set(2, 0xc4003800).set(3, 0x3c003c00);  // {1, 2}, {0.5, -4}, {1, 1}
  BOOST_TEST(t.run("HADD2 R0, R1, R2").get(0) == 0xc0003e00U);
  BOOST_TEST(t.run("HMUL2 R0, R1, R2").get(0) == 0xc8003800U);
  BOOST_TEST(t.run("HFMA2 R0, R1, R2, R3").get(0) == 0xc7003e00U);
  BOOST_TEST(t.run("HFMA2.RELU R0, R1, R2, R3").get(0) == 0x00003e00U);
  BOOST_TEST(t.run("HADD2 R0, R1.H1_H1, R2.H0_H0").get(0) == 0x41004100U);
  BOOST_TEST(t.run("HADD2 R0, R1, 2, 1").get(0) == 0x44004000U);               // the first number is the upper half's
  BOOST_TEST(t.run("HFMA2.MMA R0, -RZ, RZ, 1.875, 0").get(0) == 0x3f800000U);  // how 1.0F is made
  BOOST_TEST(t.run("HADD2.F32 R0, -RZ, R2.H1_H1").as_float(0) == -4.0F);
  BOOST_TEST(t.run("HMNMX2 R0, R1, R2, PT").get(0) == 0xc4003800U);
  BOOST_TEST(t.run("HSET2.BF.GT.AND R0, R1, R2, PT").get(0) == 0x3c003c00U);
  t.run("HSETP2.LT.AND P0, P1, R1, R2, PT");
  BOOST_TEST((!t.predicate(0) && !t.predicate(1)));
  t.set(4, 0x7c00fe01);
  BOOST_TEST(t.run("HADD2 R0, R4, R3").get(0) == 0x7c007fffU);
  // 2048 + 1 ties to even; with 2^-24 more it goes up: the sum is rounded once.
  t.set(5, 0x6800).set(6, 0x0001);
  BOOST_TEST((t.run("HADD2 R0, R5, R3").get(0) & 0xffffU) == 0x6800U);
  BOOST_TEST((t.run("HFMA2 R0, R3, R5, R3").get(0) & 0xffffU) == 0x6800U);
}

BOOST_AUTO_TEST_CASE(integers_become_floats) {
  OneInstruction t;
  t.set(1, 0xffffffff).set(2, 16777217).set(3, 0x80ff7f05);
  BOOST_TEST(t.run("I2FP.F32.S32 R0, R1").as_float(0) == -1.0F);
  BOOST_TEST(t.run("I2FP.F32.U32 R0, R1").as_float(0) == 4294967296.0F);
  BOOST_TEST(t.run("I2FP.F32.U32.RZ R0, R1").as_float(0) == 4294967040.0F);
  BOOST_TEST(t.run("I2F.RP R0, R2").as_float(0) == 16777218.0F);
  BOOST_TEST(t.run("I2F.U8 R0, R3.B2").as_float(0) == 255.0F);
  BOOST_TEST(t.run("I2F.S8 R0, R3.B3").as_float(0) == -128.0F);
  BOOST_TEST(t.run("I2F.S16 R0, R3").as_float(0) == 32517.0F);
  BOOST_TEST(t.run("I2F.F64 R4, R1").as_double(4) == -1.0);
  t.set_pair(6, ~std::uint64_t{0});
  BOOST_TEST(t.run("I2F.U64.RP R0, R6").as_float(0) == std::ldexp(1.0F, 64));
  BOOST_TEST(t.run("I2F.S64 R0, R6").as_float(0) == -1.0F);
  t.set_pair(6, (std::uint64_t{1} << 60U) + 1);
  BOOST_TEST(t.run("I2F.U64.RP R0, R6").as_float(0) == std::ldexp(1.0F, 60) + std::ldexp(1.0F, 37));
  BOOST_TEST(t.run("I2F.F64.U64 R4, R6").as_double(4) == std::ldexp(1.0, 60));
}

BOOST_AUTO_TEST_CASE(floats_become_integers_clamped) {
  OneInstruction t;
  t.set_float(1, -2.5F).set_float(2, 3e9F).set(3, 0x7fc00000).set_float(4, 2.5F);
  BOOST_TEST(t.run("F2I.TRUNC.NTZ R0, R1").get(0) == static_cast<std::uint32_t>(-2));
  BOOST_TEST(t.run("F2I.FLOOR.NTZ R0, R1").get(0) == static_cast<std::uint32_t>(-3));
  BOOST_TEST(t.run("F2I.CEIL.NTZ R0, R4").get(0) == 3U);
  BOOST_TEST(t.run("F2I.NTZ R0, R4").get(0) == 2U);  // ties to even
  BOOST_TEST(t.run("F2I.TRUNC.NTZ R0, R2").get(0) == 0x7fffffffU);
  BOOST_TEST(t.run("F2I.U32.TRUNC.NTZ R0, R2").get(0) == 3000000000U);
  BOOST_TEST(t.run("F2I.U32.TRUNC.NTZ R0, R1").get(0) == 0U);
  BOOST_TEST(t.run("F2I.TRUNC.NTZ R0, R3").get(0) == 0U);
  BOOST_TEST(t.run("F2I.S64.TRUNC R6, R1").pair(6) == static_cast<std::uint64_t>(-2));
  t.set_double(10, -1e300);
  BOOST_TEST(t.run("F2I.S64.F64.TRUNC R6, R10").pair(6) == std::uint64_t{1} << 63U);
  BOOST_TEST(t.run("FRND.FLOOR R0, R1").as_float(0) == -3.0F);
  BOOST_TEST(t.run("FRND R0, R4").as_float(0) == 2.0F);
  t.set_double(10, -0.5);
  BOOST_TEST(t.run("FRND.F64.CEIL R6, R10").pair(6) == std::uint64_t{1} << 63U);  // minus zero
}

BOOST_AUTO_TEST_CASE(formats_become_each_other) {
  OneInstruction t;
  t.set_float(1, 65519.0F).set_float(2, 65520.0F).set_float(3, std::ldexp(1.0F, -25)).set_float(4, 0.1F);
  BOOST_TEST(t.run("F2F.F16.F32 R0, R1").get(0) == 0x7bffU);
  BOOST_TEST(t.run("F2F.F16.F32 R0, R2").get(0) == 0x7c00U);
  BOOST_TEST(t.run("F2F.F16.F32 R0, R3").get(0) == 0U);  // half of the smallest: a tie, to even
  BOOST_TEST(t.run("F2F.F16.F32 R0, R4").get(0) == 0x2e66U);
  BOOST_TEST(t.run("F2FP.F16.F32.PACK_AB R0, R4, R2").get(0) == 0x2e667c00U);
  t.set_double(10, 1 + std::ldexp(1.0, -24));
  BOOST_TEST(t.run("F2F.F32.F64 R0, R10").as_float(0) == 1.0F);
  BOOST_TEST(t.run("F2F.F64.F32 R6, R4").as_double(6) == static_cast<double>(0.1F));
}

BOOST_AUTO_TEST_CASE(special_functions_are_exact_where_the_answer_is) {
  OneInstruction t;
  t.set_float(1, 4.0F).set_float(2, 0.25F).set_float(3, -3.0F).set_float(4, kTiny);
  BOOST_TEST(t.run("MUFU.RCP R0, R1").as_float(0) == 0.25F);
  BOOST_TEST(t.run("MUFU.RSQ R0, R1").as_float(0) == 0.5F);
  BOOST_TEST(t.run("MUFU.SQRT R0, R1").as_float(0) == 2.0F);
  BOOST_TEST(t.run("MUFU.EX2 R0, R3").as_float(0) == 0.125F);
  BOOST_TEST(t.run("MUFU.LG2 R0, R2").as_float(0) == -2.0F);
  BOOST_TEST(t.run("MUFU.SIN R0, R2").as_float(0) == 1.0F);  // a quarter turn
  BOOST_TEST(t.run("MUFU.COS R0, R1").as_float(0) == 1.0F);
  BOOST_TEST(t.run("MUFU.TANH R0, R3").as_float(0) == std::tanh(-3.0F), boost::test_tools::tolerance(1e-6F));
  BOOST_TEST(t.run("MUFU.RCP R0, R4").as_float(0) == kInf);  // subnormal operands are zero
  BOOST_TEST(t.run("MUFU.RSQ R0, R3").get(0) == 0x7fffffffU);
  BOOST_TEST(t.run("MUFU.LG2 R0, RZ").as_float(0) == -kInf);
  for (int i = 0; i < 44; ++i) {
    const float x = -8.0F + 0.37F * static_cast<float>(i);
    t.set_float(5, x);
    BOOST_TEST(t.run("MUFU.EX2 R0, R5").as_float(0) == std::exp2(x), boost::test_tools::tolerance(2e-7F));
    BOOST_TEST(std::fabs(t.run("MUFU.SIN R0, R5").as_float(0) - std::sin(2 * M_PI * static_cast<double>(x))) < 1e-6);
  }
  t.set_double(10, 3.0);
  t.run("MUFU.RCP64H R0, R11");
  BOOST_TEST(t.get(0) == 0x3fd55555U);
}
