// SPDX-License-Identifier: Apache-2.0
//
// Every form that the table lets pass can run: a row with any one or two of its modifiers and any of its optional
// operands left out is either refused as unsupported or does something, and never reaches past its operands (which the
// sanitizers see).
#include <sstream>

#include "gputlm/config/diagnostics.h"
#include "one_instruction.h"

using namespace gputlm;
using namespace gputlm::sass_test;

namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

/// An operand of the class, as the listing would write it; `n` tells several of one class apart.
std::string operand(char kind, std::size_t n, bool uniform) {
  const std::string reg = uniform ? "UR" : "R", predicate = uniform ? "UP" : "P";
  switch (kind) {
    case 'd':
      return reg + "4";
    case 's':
      return reg + std::to_string(8 + 4 * n);
    case 'p':
      return predicate + std::to_string(n % 2);
    case 'q':
      return predicate + std::to_string(2 + n % 4);
    case 'i':
      return "0x3";
    case 'a':
      return "[R24]";
    case 'b':
      return "B0";
    case 'x':
      return "SR_TID.X";
    default:
      return "SB0";
  }
}

std::string text_of(const InstructionRow& row, const std::string& modifiers, unsigned left_out) {
  std::string text = row.opcode + modifiers;
  unsigned optional = 0;
  std::size_t n = 0;
  for (const std::string& kind : words(row.operands)) {
    if (kind.back() == '?' && (left_out >> optional++ & 1U) != 0) continue;
    text += (n == 0 ? " " : ", ") + operand(kind[0], n, row.opcode[0] == 'U');
    ++n;
  }
  return text;
}

/// All choices of none, one or two modifiers.
std::vector<std::string> modifier_choices(const InstructionRow& row) {
  const std::vector<std::string> names = words(row.modifiers);
  std::vector<std::string> choices{""};
  for (std::size_t i = 0; i < names.size(); ++i) {
    choices.push_back("." + names[i]);
    for (std::size_t j = 0; j < names.size(); ++j)
      if (i != j) choices.push_back("." + names[i] + "." + names[j]);
  }
  return choices;
}

struct Tally {
  std::size_t ran = 0, refused = 0;
};

void try_form(OneInstruction& one, const std::string& text, Tally& tally) {
  try {
    const SassListing listing = make_listing({text.c_str()});
    const BoundInstruction b = bind_instruction(listing.kernels[0].instructions[0]);
    if (b.kind == BoundInstruction::Kind::compute) b.run(one.state, b.once ? LaneMask{1} : kAllLaneBits);
    ++tally.ran;
  } catch (const Unsupported&) {
    ++tally.refused;
  } catch (const ConfigError&) {  // the reader has no such operand
    ++tally.refused;
  } catch (const std::exception& e) {
    BOOST_ERROR(text << ": " << e.what());
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_form_that_binds_can_run) {
  OneInstruction one;
  Tally tally;
  for (const InstructionFamily& family : instruction_families())
    for (const InstructionRow& row : *family.rows)
      for (const std::string& modifiers : modifier_choices(row)) {
        unsigned optional = 0;
        for (const std::string& kind : words(row.operands)) optional += kind.back() == '?' ? 1 : 0;
        for (unsigned left_out = 0; left_out < 1U << optional; ++left_out)
          try_form(one, text_of(row, modifiers, left_out), tally);
      }
  BOOST_TEST(tally.ran > 1000U);
  BOOST_TEST(tally.refused > 100U);
}

BOOST_AUTO_TEST_CASE(operands_that_reach_past_the_last_register_are_refused) {
  const auto refusal = [](const char* text) {
    const SassListing listing = make_listing({text, "EXIT"});
    try {
      const SassCode code(listing, listing.kernels[0]);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  for (const char* text : {"ULDC.128 UR60, c[0x0][0x160]", "ULDC.64 UR62, c[0x0][0x160]", "LDG.E.128 R252, [R4.64]",
                           "STG.E.64 [R4.64], R254", "IMAD.WIDE R254, R1, R2, R4", "LDG.E R4, [R254.64]"})
    BOOST_TEST(refusal(text).find("test.sass:2") == 0U, text << " -> " << refusal(text));
  for (const char* text : {"ULDC.64 UR60, c[0x0][0x160]", "LDG.E.128 R248, [R4.64]", "IMAD.WIDE R4, R254, R2, RZ",
                           "STG.E.64 [R4.64], RZ", "LDG.E R254, [R252.64]"})
    BOOST_TEST(refusal(text).empty(), text << " -> " << refusal(text));
}

BOOST_AUTO_TEST_CASE(what_would_lie_past_the_last_register_is_neither_written_nor_read) {
  OneInstruction one;
  one.run("ULDC.64 UR62, c[0x0][0x160]");
  BOOST_TEST(one.state.uniform[kUniformZeroRegister] == 0U);
  BOOST_TEST(one.state.uniform[62] == 7U);
}
