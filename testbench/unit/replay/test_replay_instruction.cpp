// SPDX-License-Identifier: Apache-2.0
//
// One line of a trace: the layouts of the versions, the address modes, widths and orders, and what is no line.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/replay/traceg_writer.h"
#include "trace_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// Reads lines of one version.
struct Lines {
  explicit Lines(TracegVersion version, bool lines = false) {
    header.version = version;
    header.lines = lines;
    header.shared_base = 0x7f0000000000;
    header.local_base = 0x7e0000000000;
    reader.block = {1, 2, 3};
    reader.warp = 4;
  }

  TracegInstruction read(const std::string& line) {
    TracegInstruction i;
    LineProblem problem;
    BOOST_TEST(reader.read(line, i, problem), line << ": " << problem.message);
    return i;
  }
  std::string refused(const std::string& line) {
    TracegInstruction i;
    LineProblem problem;
    BOOST_TEST(!reader.read(line, i, problem), line);
    return problem.message + "|" + problem.found;
  }

  TracegHeader header;
  TracegOpcodes opcodes;
  TracegLineReader reader{header, opcodes};
};

using Addresses = std::vector<std::uint64_t>;

Addresses addresses(const TracegInstruction& i) {
  Addresses all;
  for_each_lane_of(i.mask, [&](unsigned lane) { all.push_back(i.address[lane]); });
  return all;
}

bool begins(const std::string& text, const std::string& with) {
  return text.rfind(with, 0) == 0;
}

WarpInstruction access(const std::string& opcode) {
  static TracegOpcodes opcodes;
  std::string problem;
  return opcodes.find(opcode, problem)->access;
}

unsigned bytes(const std::string& opcode) {
  static TracegOpcodes opcodes;
  std::string problem;
  return opcodes.find(opcode, problem)->bytes;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_version_gives_the_same_instruction) {
  const std::string body = "0010 0000000f 0 STG.E 2 R6 R4 4 2 0x7f2000200000 64 64 64";
  Lines plain(TracegVersion::plain), prefixed(TracegVersion::prefixed), lined(TracegVersion::lined),
      numbered(TracegVersion::lined, true), immediates(TracegVersion::immediates, true);
  const TracegInstruction i = plain.read(body);
  BOOST_TEST(i.pc == 0x10U);
  BOOST_TEST(i.mask == 0xfU);
  BOOST_TEST(i.opcode->text == "STG.E");
  BOOST_TEST(unsigned{i.destination} == 255U);
  BOOST_TEST(unsigned{i.sources[0]} == 6U);
  BOOST_TEST(unsigned{i.sources[1]} == 4U);
  BOOST_TEST((addresses(i) == Addresses{0x7f2000200000, 0x7f2000200040, 0x7f2000200080, 0x7f20002000c0}));
  const auto same = [&](const TracegInstruction& o) {
    return o.pc == i.pc && o.mask == i.mask && o.opcode->text == i.opcode->text && addresses(o) == addresses(i);
  };
  BOOST_TEST(same(prefixed.read("1 2 3 4 " + body)));
  BOOST_TEST(same(lined.read(body)));
  BOOST_TEST(same(numbered.read("1234 " + body)));
  const TracegInstruction last = immediates.read("1234 " + body + " 16");
  BOOST_TEST(same(last));
  BOOST_TEST(last.immediate == 16U);
}

BOOST_AUTO_TEST_CASE(the_three_address_modes_name_the_lanes_addresses) {
  Lines l(TracegVersion::plain);
  const std::string load = "0000 00000038 1 R4 LDG.E 1 R2 4 ";
  BOOST_TEST((addresses(l.read(load + "0 0x100 0x0000000000000204 0x8")) == Addresses{0x100, 0x204, 0x8}));
  BOOST_TEST((addresses(l.read(load + "1 0x100 -8")) == Addresses{0x100, 0xf8, 0xf0}));
  BOOST_TEST((addresses(l.read(load + "1 0x100 0")) == Addresses{0x100, 0x100, 0x100}));
  BOOST_TEST((addresses(l.read(load + "2 0x100 -16 1024")) == Addresses{0x100, 0xf0, 0x4f0}));
  BOOST_TEST(l.read(load + "1 0x100 4").address[5] == 0x108U);  // the third lane of the run that begins at lane 3
}

BOOST_AUTO_TEST_CASE(mode_2_has_one_delta_less_than_lanes_and_the_immediate_is_none_of_them) {
  Lines l(TracegVersion::immediates);
  const TracegInstruction one = l.read("0000 00000001 1 R4 LDG.E 1 R2 4 2 0x7f2000000000 128");
  BOOST_TEST((addresses(one) == Addresses{0x7f2000000000}));
  BOOST_TEST(one.immediate == 128U);
  const TracegInstruction two = l.read("0000 80000001 1 R4 LDG.E 1 R2 4 2 0x100 32 64");
  BOOST_TEST((addresses(two) == Addresses{0x100, 0x120}));
  BOOST_TEST(two.immediate == 64U);
}

BOOST_AUTO_TEST_CASE(an_access_of_no_lane_has_no_address_whatever_is_written) {
  Lines l(TracegVersion::plain), five(TracegVersion::immediates);
  for (const char* mode : {"0", "1 0x7fffffffffffffff 4", "2 0x3", "2"}) {
    const TracegInstruction i = l.read("0000 00000000 1 R4 LDG.E 1 R2 4 " + std::string(mode));
    BOOST_TEST(global_lanes(i, l.header) == 0U);
    BOOST_TEST(five.read("0000 00000000 1 R4 LDG.E 1 R2 4 " + std::string(mode) + " 7").immediate == 7U);
  }
  BOOST_TEST(l.read("0040 00000000 0 BRA 0 0").mask == 0U);
}

BOOST_AUTO_TEST_CASE(widths_come_from_the_opcode_and_not_from_the_line) {
  BOOST_TEST(bytes("LDG.E.S8") == 1U);
  BOOST_TEST(bytes("LDG.E.U8.CONSTANT") == 1U);
  BOOST_TEST(bytes("STG.E.S16") == 2U);
  BOOST_TEST(bytes("LDG.E") == 4U);
  BOOST_TEST(bytes("LDG.E.LTC128B.64") == 8U);
  BOOST_TEST(bytes("LDGSTS.E.BYPASS.LTC128B.128") == 16U);
  BOOST_TEST(bytes("ATOMG.E.ADD.F64.RN.STRONG.GPU") == 8U);
  BOOST_TEST(bytes("MEMBAR.SC.GPU") == 0U);
  // A line that says 4 of signed bytes is read as bytes: neighbours three apart are right.
  BOOST_TEST((addresses(Lines(TracegVersion::plain).read("0000 00000003 1 R4 LDG.E.S8 1 R2 4 2 0x101 3")) ==
              Addresses{0x101, 0x104}));
}

BOOST_AUTO_TEST_CASE(order_and_scope_come_from_the_opcode) {
  BOOST_TEST((access("LDG.E.SYS").semantics == Semantics::weak));  // Volta and Turing write it behind every access
  BOOST_TEST((access("LDG.E").semantics == Semantics::weak));
  BOOST_TEST((access("LDG.E.STRONG.GPU").semantics == Semantics::relaxed));
  BOOST_TEST((access("LDG.E.STRONG.GPU").scope == Scope::gpu));
  BOOST_TEST((access("STG.E.STRONG.SYS").scope == Scope::sys));
  BOOST_TEST((access("STG.E.EF").eviction == EvictionClass::first));
  BOOST_TEST((access("RED.E.ADD.F32.FTZ.RN.STRONG.GPU").function == AtomicFunction::float_add));
  BOOST_TEST((access("RED.E.MAX.S32.STRONG.GPU").operation == Operation::reduction));
  BOOST_TEST((access("ATOM.E.CAS.STRONG.SYS").operation == Operation::atomic));
  BOOST_TEST((access("RED.E.ADD.F16x2.RN").function == AtomicFunction::add));
  BOOST_TEST((access("ATOMS.ARRIVE.64").operation == Operation::atomic));  // in shared memory, whatever it does there
  BOOST_TEST((access("ATOMG.E.ADD").semantics == Semantics::relaxed));     // never weaker
  BOOST_TEST((access("MEMBAR.SC.GPU").semantics == Semantics::seq_cst));
  BOOST_TEST((access("MEMBAR.ALL.SYS").scope == Scope::sys));
  BOOST_TEST((access("CCTL.IVALL").semantics == Semantics::acquire));
}

BOOST_AUTO_TEST_CASE(generic_addresses_in_a_window_and_the_shared_half_of_a_copy_stay_in_the_sm) {
  Lines l(TracegVersion::plain);
  const TracegInstruction mixed =
      l.read("0000 0000000f 1 R4 LD.E 1 R2 4 0 0x7f0000000010 0x7e0000000010 0x7d0000000010 0x7f0001000000");
  BOOST_TEST(global_lanes(mixed, l.header) == 0xcU);
  BOOST_TEST(global_lanes(l.read("0000 00000001 1 R4 LDS 1 R2 4 2 0x10"), l.header) == 0U);
  BOOST_TEST(global_lanes(l.read("0000 00000001 0 LDGSTS.E 2 R2 R4 4 2 0x400"), l.header) == 0U);
  BOOST_TEST(global_lanes(l.read("0000 00000001 0 LDGSTS.E 2 R2 R4 4 2 0x7d0000000000"), l.header) == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_no_line_is_refused_with_the_word_that_is_wrong) {
  Lines l(TracegVersion::plain), first(TracegVersion::prefixed), five(TracegVersion::immediates);
  const std::string load = "0000 ffffffff 1 R4 LDG.E 1 R2 4 ";
  const std::pair<std::string, std::string> wrong[] = {
      {"zz ffffffff 0 EXIT 0 0", "not a program counter|zz"},
      {"0000 1ffffffff 0 EXIT 0 0", "a mask of more than 32 lanes"},
      {"0000 ffffffff 3 R1 R2 R3 MOV 0 0", "more destinations"},
      {"0000 ffffffff 1 P0 MOV 0 0", "not a register|P0"},
      {"0000 ffffffff 1 R256 MOV 0 0", "not a register|R256"},
      {"0000 ffffffff 0 exit 0 0", "not an opcode|exit"},
      {"0000 ffffffff 0 IADD3 5 R1 R2 R3 R4 R5 0", "more sources"},
      {"0000 ffffffff 0 EXIT 0", "the line ends too early"},
      {"0000 ffffffff 0 EXIT 0 0 7", "more than the line needs|7"},
      {load + "3 0x100", "not an address mode|3"},
      {load + "1 0x100", "the line ends too early"},
      {load + "1 0x100 x", "not a stride|x"},
      {load + "1 0x102 4", "an address that is not aligned"},
      {load + "1 0x2000000000000 4", "an address beyond 49 bits"},
      {"0000 0000000f 1 R4 LDG.E 1 R2 4 0 0x100 0x104 0x108", "the line ends too early"},
      {"0000 00000005 1 R4 LDG.E 1 R2 4 1 0x100 4", "address mode 1"},
      {"0000 ffffffff 1 R4 LDG.E 1 R2 0", "an access without addresses|LDG.E"},
      {"0000 ffffffff 0 UTMALDG.2D 0 8 0", "Hopper's bulk copies"},
      {"0000 ffffffff 1 R4 ATOMG.E.FOO.STRONG.GPU 2 R2 R4 4 1 0x100 4", "the atomic's function is none of ADD"},
      {"0000 ffffffff 0 RED.E.SUB.F16x2 2 R2 R4 4 1 0x100 4", "the atomic's function is none of ADD"},
      {"0000 ffffffff 1 R4 ATOM.E 2 R2 R4 4 1 0x100 4", "the atomic's function is none of ADD"},
      {"0000 ffffffff 0 RED.E.ADD.128 1 R2 16 1 0x100 16", "an atomic is of 4 or 8 bytes"},
  };
  for (const auto& [line, message] : wrong)
    BOOST_TEST(begins(l.refused(line), message), line << ": " << l.refused(line));
  BOOST_TEST(begins(first.refused("1 2 3 5 0000 ffffffff 0 EXIT 0 0"), "the line belongs to another block or warp"));
  BOOST_TEST(begins(five.refused("0000 ffffffff 0 EXIT 0 0"), "the line ends too early"));
}

BOOST_AUTO_TEST_CASE(what_is_written_is_read_again) {
  Lines l(TracegVersion::immediates);
  for (const char* line :
       {"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f2000000000 4 0", "0010 0000000f 0 STG.E 2 R6 R4 4 2 0x100 64 4 -8 0",
        "0020 00000005 0 STG.E 2 R6 R4 4 2 0x100 4 0", "0030 80000000 0 RED.E.ADD 2 R6 R4 4 2 0x100 0",
        "0040 00000000 0 STG.E 2 R6 R4 0 0", "0050 ffffffff 0 NANOSLEEP 0 0 250",
        "12340 ffffffff 1 R255 IADD3 3 R1 R2 R3 0 0"}) {
    std::string expected = line;
    if (const auto zero = expected.find("1 R255"); zero != std::string::npos) expected.replace(zero, 6, "0");
    BOOST_TEST(traceg_line(l.read(line)) == expected + "\n");
  }
}
