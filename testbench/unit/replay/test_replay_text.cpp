// SPDX-License-Identifier: Apache-2.0
//
// Traces of one access a line: the plain form and what mem_trace prints.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/config/quantity.h"
#include "gputlm/replay/text_trace.h"
#include "trace_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

struct TextRead {
  explicit TextRead(const std::string& text, bool lenient = false) : damage(lenient) {
    TextTraceReader reader(std::make_unique<TraceLines>("t.txt", trace_text(text)), opcodes, damage);
    for (TextAccess a; reader.next(a);) accesses.push_back(a);
  }

  TracegOpcodes opcodes;
  Damage damage;
  std::vector<TextAccess> accesses;
};

std::string mem_trace(const std::string& opcode, std::uint64_t first, unsigned lanes) {
  std::string line = "MEMTRACE: CTX 0x000055d5 - grid_launch_id 3 - CTA 1,2,0 - warp 5 - " + opcode + " - ";
  for (unsigned lane = 0; lane < 32; ++lane)
    line += (lane < lanes ? format_hex(first + 4 * lane) : std::string("0x0000000000000000")) + " ";
  return line + "\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_access_is_a_time_an_operation_an_address_a_size_and_a_mask) {
  const TextRead r(
      "# a comment\n12.5 load 0x7f2000000000 4 ffffffff\n1us, store.gpu, 7f2000000100, 8, 0x5 warp=7 # more\n"
      "2000 fence.sys warp=7\n0 reduction 0x100 4\n");
  BOOST_TEST(r.damage.count() == 0U);
  BOOST_REQUIRE(r.accesses.size() == 4U);
  const TracegInstruction& load = r.accesses[0].instruction;
  BOOST_TEST(load.immediate == 12'500'000U);
  BOOST_TEST((load.opcode->access.semantics == Semantics::weak));
  BOOST_TEST(load.mask == 0xffffffffU);
  BOOST_TEST(load.address[31] == 0x7f200000007cU);
  const TracegInstruction& store = r.accesses[1].instruction;
  BOOST_TEST(store.immediate == 1'000'000'000U);
  BOOST_TEST((store.opcode->access.scope == Scope::gpu));
  BOOST_TEST(store.mask == 5U);
  BOOST_TEST(store.address[2] == 0x7f2000000110U);
  BOOST_TEST(r.accesses[1].block[0] == 7U);
  BOOST_TEST((r.accesses[2].instruction.opcode->access.scope == Scope::sys));
  BOOST_TEST((r.accesses[3].instruction.opcode->access.operation == Operation::reduction));
  BOOST_TEST(r.accesses[3].instruction.mask == 1U);
}

BOOST_AUTO_TEST_CASE(what_is_no_access_is_told_with_its_line_and_can_be_skipped) {
  for (const char* line :
       {"x load 0x10 4", "-1 load 0x10 4", "0 laod 0x10 4", "0 load.all 0x10 4", "0 load zz 4", "0 load 0x10",
        "0 load 0x10 3", "0 atomic 0x10 16", "0 load 0x12 4", "0 load 0x2000000000000 4", "0 load 0x10 4 123456789",
        "0 load 0x10 4 1 warp=70000", "0 load 0x10 4 1 2 3", "0"}) {
    const TextRead r("0 load 0x10 4\n" + std::string(line) + "\n", true);
    BOOST_TEST(r.accesses.size() == 1U, line);
    BOOST_TEST(r.damage.count() == 1U, line);
    BOOST_TEST(r.damage.first().text().rfind("t.txt:2:1: ", 0) == 0U, r.damage.first().text());
  }
}

BOOST_AUTO_TEST_CASE(lines_of_mem_trace_name_launch_block_warp_and_lanes) {
  const TextRead r(mem_trace("STG.E.STRONG.GPU", 0x7f2000000000, 3));
  BOOST_REQUIRE(r.accesses.size() == 1U);
  const TextAccess& a = r.accesses[0];
  BOOST_TEST(a.launch == 3U);
  BOOST_TEST(a.block[0] == 1U);
  BOOST_TEST(a.block[1] == 2U);
  BOOST_TEST(a.warp == 5U);
  BOOST_TEST(a.instruction.mask == 7U);
  BOOST_TEST(a.instruction.address[2] == 0x7f2000000008U);
  BOOST_TEST((a.instruction.opcode->access.semantics == Semantics::relaxed));
}

BOOST_AUTO_TEST_CASE(damaged_lines_of_mem_trace_are_told) {
  const std::string good = mem_trace("LDG.E", 0x7f2000000000, 32);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return TextRead(text, true).damage.count();
  };
  BOOST_TEST(TextRead(good).damage.count() == 0U);
  BOOST_TEST(with("grid_launch_id 3", "grid_launch_id x") == 1U);
  BOOST_TEST(with("CTA 1,2,0", "CTA 1,2") == 1U);
  BOOST_TEST(with("warp 5", "warp 32") == 1U);
  BOOST_TEST(with("LDG.E", "ldg") == 1U);
  BOOST_TEST(with("0x7f2000000004", "0x7f2000000006") == 1U);
  BOOST_TEST(TextRead(good.substr(0, 200), true).damage.count() == 1U);
}
