// SPDX-License-Identifier: Apache-2.0
//
// Which scoreboards and which times an instruction waits for.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/replay/register_marks.h"

using namespace gputlm;

namespace {

struct Marks {
  explicit Marks(unsigned scoreboards) : registers(scoreboards) {}

  TracegInstruction make(const char* opcode, std::uint8_t destination, std::vector<std::uint8_t> sources) {
    std::string problem;
    TracegInstruction i;
    i.opcode = opcodes.find(opcode, problem);
    i.destination = destination;
    std::copy(sources.begin(), sources.end(), i.sources.begin());
    return i;
  }
  unsigned load(std::uint8_t destination) { return registers.mark(make("LDG.E", destination, {2})); }
  unsigned waits(const char* opcode, std::uint8_t destination, std::vector<std::uint8_t> sources) {
    return registers.wait_for(make(opcode, destination, std::move(sources)));
  }

  TracegOpcodes opcodes;
  RegisterMarks registers;
};

constexpr std::uint8_t kRz = TracegInstruction::kNoRegister;

}  // namespace

BOOST_AUTO_TEST_CASE(who_reads_or_overwrites_a_loads_register_waits_for_it_once) {
  Marks m(6);
  const unsigned a = m.load(10), b = m.load(20);
  BOOST_TEST(a != b);
  BOOST_TEST(m.waits("IADD3", 30, {31, 32}) == 0U);
  BOOST_TEST(m.waits("IADD3", 30, {10, 32}) == 1U << a);
  BOOST_TEST(m.waits("IADD3", 30, {10, 32}) == 0U);
  BOOST_TEST(m.waits("MOV", 20, {31}) == 1U << b);
  BOOST_TEST(m.waits("IADD3", kRz, {kRz, kRz}) == 0U);
}

BOOST_AUTO_TEST_CASE(pairs_and_quads_are_waited_for_as_a_whole) {
  Marks m(6);
  const unsigned quad = m.registers.mark(m.make("LDG.E.128", 8, {2}));
  BOOST_TEST(m.waits("FADD", 30, {11}) == 1U << quad);
  const unsigned high = m.load(3);  // the upper half of an address
  BOOST_TEST(m.waits("STG.E", kRz, {2, 30}) == 1U << high);
}

BOOST_AUTO_TEST_CASE(with_all_scoreboards_marked_the_oldest_is_shared_and_a_wait_is_for_both) {
  Marks m(2);
  const unsigned first = m.load(10), second = m.load(11), third = m.load(12);
  BOOST_TEST(first == third);
  BOOST_TEST(m.waits("MOV", 30, {11}) == 1U << second);
  BOOST_TEST(m.load(13) == second);  // clear, while the other is marked
  BOOST_TEST(m.waits("MOV", 30, {10}) == 1U << first);
  BOOST_TEST(m.waits("MOV", 30, {12}) == 0U);
}

BOOST_AUTO_TEST_CASE(results_of_fixed_latency_have_a_time_and_take_the_place_of_a_mark) {
  Marks m(6);
  m.registers.set_ready(m.make("IMAD.WIDE", 10, {1}), 104);
  BOOST_TEST(m.registers.ready(m.make("FADD", 30, {11})) == 104);
  BOOST_TEST(m.registers.ready(m.make("FADD", 30, {12})) == 0);
  m.load(10);
  m.registers.set_ready(m.make("MOV", 10, {1}), 110);
  BOOST_TEST(m.waits("FADD", 30, {10}) == 0U);
}
