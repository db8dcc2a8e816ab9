// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "gputlm/config/diagnostics.h"
#include "gputlm/sass/listing.h"
#include "listing_maker.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

using Kind = SassOperand::Kind;

SassInstruction read_one(const char* text) {
  return make_listing({text}).kernels.at(0).instructions.at(0);
}

SassOperand operand_of(const std::string& text) {
  return read_one(("MOV R0, " + text).c_str()).operands.at(1);
}

std::string errors_of(const std::string& text) {
  try {
    parse_listing(text, "bad.sass");
  } catch (const ConfigError& e) {
    return e.what();
  }
  return {};
}

bool says(const std::string& message, const std::string& part) {
  return message.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_kernel_of_the_shipped_listing_is_read) {
  const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  std::vector<std::string> names;
  for (const SassKernel& k : listing.kernels) names.push_back(k.name);
  const std::vector<std::string> expected{
      "saxpy_shared",    "ticket", "block_fence", "system_fence", "producer_consumer",
      "grid_stride_sum", "copy4",  "fill_bytes",  "fill",         "vadd"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
  const SassKernel& vadd = listing.kernel("vadd");
  BOOST_TEST(vadd.instructions.size() == 32U);
  BOOST_TEST(vadd.instructions[4].text == "ISETP.GE.AND P0, PT, R6, c[0x0][0x178], PT");
}

BOOST_AUTO_TEST_CASE(control_words_are_those_of_the_published_walk_through) {
  // vadd: both LDGs set scoreboard 2, the FADD waits for it, the STG issues 5 cycles after the FADD.
  const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  unsigned loads = 0;
  for (const SassInstruction& i : listing.kernel("vadd").instructions) {
    if (i.opcode == "LDG") {
      ++loads;
      BOOST_TEST(i.control.write_barrier == 2);
      BOOST_TEST(i.control.read_barrier == ControlWord::kNoBarrier);
    }
    if (i.opcode == "FADD") {
      BOOST_TEST(i.control.wait_mask == 1U << 2);
      BOOST_TEST(i.control.stall == 5);
      BOOST_TEST(i.control.write_barrier == ControlWord::kNoBarrier);
    }
  }
  BOOST_TEST(loads == 2U);
  // STS in saxpy_shared, 0x0203e80000004800: stall 4, read barrier 1, waits for scoreboard 5.
  const ControlWord sts = decode_control_word(0x0203e80000004800);
  BOOST_TEST(sts.stall == 4);
  BOOST_TEST(sts.read_barrier == 1);
  BOOST_TEST(sts.wait_mask == 1U << 5);
  BOOST_TEST(sts.yield);
}

BOOST_AUTO_TEST_CASE(a_control_word_encodes_to_what_it_was_decoded_from) {
  for (unsigned bit = 41; bit < 62; ++bit) {
    const std::uint64_t high = std::uint64_t{1} << bit;
    BOOST_TEST(encode_control_word(decode_control_word(high)) == high);
  }
}

BOOST_AUTO_TEST_CASE(guards_modifiers_and_operands_are_typed) {
  const SassInstruction i = read_one("@!P3 ISETP.GE.U32.AND P0, PT, R4, c[0x0][0x170], !P1");
  BOOST_TEST(i.guard == 3);
  BOOST_TEST(i.guard_negated);
  BOOST_TEST(i.opcode == "ISETP");
  const std::vector<std::string> modifiers{"GE", "U32", "AND"};
  BOOST_TEST(i.modifiers == modifiers, boost::test_tools::per_element());
  BOOST_REQUIRE(i.operands.size() == 5U);
  BOOST_TEST((i.operands[0].kind == Kind::predicate && i.operands[0].index == 0));
  BOOST_TEST((i.operands[1].kind == Kind::predicate && i.operands[1].index == kTruePredicate));
  BOOST_TEST((i.operands[2].kind == Kind::reg && i.operands[2].index == 4));
  BOOST_TEST((i.operands[3].kind == Kind::constant && i.operands[3].index == 0 && i.operands[3].value == 0x170));
  BOOST_TEST(i.operands[4].negated);
}

BOOST_AUTO_TEST_CASE(every_form_of_operand_is_understood) {
  BOOST_TEST((operand_of("RZ").index == kZeroRegister));
  BOOST_TEST((operand_of("UR62").kind == Kind::uniform));
  BOOST_TEST((operand_of("-|R7|.reuse").absolute && operand_of("-|R7|.reuse").negated));
  BOOST_TEST((operand_of("~R7").inverted));
  BOOST_TEST((operand_of("R7.H1_H1").halves == SassOperand::Halves::high));
  BOOST_TEST((operand_of("R7.B3").byte == 3));
  BOOST_TEST((operand_of("-0x10").value == -16));
  BOOST_TEST((operand_of("-1.5").number == -1.5 && operand_of("-1.5").kind == Kind::decimal));
  BOOST_TEST(std::isinf(operand_of("+INF").number));
  BOOST_TEST(std::isnan(operand_of("-QNAN").number));
  BOOST_TEST((operand_of("c[0x3][R4+0x10]").base == 4 && operand_of("c[0x3][R4+0x10]").value == 0x10));
  const SassOperand a = operand_of("desc[UR8][R2.64+UR4+-0x8]");
  BOOST_TEST((a.kind == Kind::address && a.base == 2 && a.wide && a.uniform_base == 4 && a.value == -8));
  BOOST_TEST((operand_of("[R7.X4+0x440]").scale == 4));
  BOOST_TEST((operand_of("[0x14]").base == kZeroRegister && operand_of("[0x14]").value == 0x14));
  BOOST_TEST((operand_of("SR_CTAID.X").kind == Kind::special));
  BOOST_TEST((operand_of("B15").kind == Kind::barrier));
  BOOST_TEST((operand_of("2D").kind == Kind::other));
  const SassInstruction indirect = read_one("BRX R2 -0x130 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)");
  BOOST_TEST((indirect.operands.size() == 2U && indirect.operands[1].value == -0x130));
  const SassInstruction call = read_one("CALL.REL.NOINC R2 0x0");
  BOOST_TEST((call.operands.size() == 2U && call.operands[0].kind == Kind::reg));
}

BOOST_AUTO_TEST_CASE(damaged_listings_are_refused_with_line_and_what_would_be_right) {
  const std::string good = function_text({"MOV R1, R2", "EXIT"});
  BOOST_TEST(errors_of(good).empty());
  auto damaged = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return errors_of(text);
  };
  BOOST_TEST(says(damaged("0x0000000000007000", "0x00000000000070"), "bad.sass:2:1: k: damaged encoding"));
  BOOST_TEST(says(damaged("0x0000000000007000", "0x000000000000Z000"), "16 hexadecimal digits"));
  BOOST_TEST(says(damaged("0x0000000000007000", "0x0000000000003000"), "name another guard predicate"));
  BOOST_TEST(says(damaged("/*0010*/", "/*0000*/"), "bad.sass:4:1: k: this address has been given"));
  BOOST_TEST(says(damaged("/*0010*/", "/*0030*/"), "addresses are missing"));
  BOOST_TEST(says(damaged("MOV R1, R2", "MOV R1, #7"), "unknown form of operand (found #7"));
  BOOST_TEST(says(damaged("MOV R1, R2", "MOV R1, R256"), "unknown form of operand (found R256") ==
             false);  // reads as a word of an unknown instruction; the table refuses it
  BOOST_TEST(says(damaged("MOV R1", "mov R1"), "not an opcode (found mov"));
  BOOST_TEST(says(damaged("MOV R1, R2", "@R1 MOV R1, R2"), "unknown guard"));
  BOOST_TEST(says(damaged("Function : k", "Function : "), "without a name"));
  BOOST_TEST(says(errors_of(""), "no kernel"));
  BOOST_TEST(says(errors_of("\t\tFunction : k\n\t\t.....\n"), "a function without instructions"));
  BOOST_TEST(says(errors_of(good + good), "bad.sass:7:1: k: a kernel of this name stands at line 1"));
}

BOOST_AUTO_TEST_CASE(a_missing_control_word_is_refused) {
  std::string text = function_text({"MOV R1, R2", "EXIT"});
  const auto second = text.find("\n/* 0x") + 1;
  text.erase(second, text.find('\n', second) + 1 - second);
  BOOST_TEST(
      says(errors_of(text), "bad.sass:3:1: k: damaged second half of the encoding: the control word is missing"));
  const std::string cut = function_text({"EXIT"});
  BOOST_TEST(
      says(errors_of(cut.substr(0, cut.find("\n/* 0x") + 1)), "the second half of the last encoding is missing"));
}

BOOST_AUTO_TEST_CASE(a_branch_to_where_no_instruction_stands_is_refused) {
  for (const char* text : {"BRA 0x40", "BRA 0x8", "BSSY B0, 0x100", "CALL.REL.NOINC -0x10"})
    BOOST_TEST(says(errors_of(function_text({text, "EXIT"})), "a branch to where no instruction stands"));
  BOOST_TEST(errors_of(function_text({"CALL.REL.NOINC R2 0x0", "RET.REL.NODEC R4 0x0", "BRA 0x10"})).empty());
}

BOOST_AUTO_TEST_CASE(all_mistakes_of_a_listing_are_named_at_once) {
  const std::string message = errors_of(function_text({"MOV R1, #7", "MOV R2, %x", "EXIT"}));
  BOOST_TEST(says(message, "bad.sass:2"));
  BOOST_TEST(says(message, "bad.sass:4"));
}

BOOST_AUTO_TEST_CASE(an_unknown_kernel_names_those_there_are) {
  const SassListing listing = read_listing(GPUTLM_KERNELS "/kernels.sm_89.sass");
  try {
    listing.kernel("vad");
    BOOST_FAIL("no error");
  } catch (const ConfigError& e) {
    BOOST_TEST(says(e.what(), "did you mean vadd?"));
    BOOST_TEST(says(e.what(), "saxpy_shared"));
  }
}
