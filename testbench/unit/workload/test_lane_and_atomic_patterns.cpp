// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"
//
#include "functional_machine.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{16} << 20;

MemoryVerdict run(Workload& workload, unsigned seed, std::vector<Seen>* seen = nullptr) {
  FunctionalMachine machine(workload, kMemory, seed);
  machine.run(workload);
  if (seen != nullptr) *seen = machine.seen;
  BOOST_TEST(workload.load_checks().mismatches() == 0U);
  BOOST_TEST(machine.verdict().checks.mismatches() == 0U);
  return machine.verdict();
}

std::string atomics(const std::string& image, const std::string& keys) {
  return "experiment: t\nbuffers: {m: {size: 64 KiB}}\nimage: {m: " + image +
         "}\nphases: [{pattern: atomics, buffer: m, " + keys + ", grid: 3, block: 80, count: 5}]\n";
}

std::string lanes(const std::string& accesses, const std::string& keys = "") {
  return "experiment: t\nbuffers: {m: {size: 64 KiB}}\nimage: {m: pattern}\nphases: [{pattern: lanes, buffer: m, " +
         keys + "accesses: [" + accesses + "]}]\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(commuting_atomics_end_as_predicted_in_any_order_on_distinct_and_shared_words) {
  for (const char* function : {"add", "min.s", "min.u", "max.s", "max.u", "and", "or", "xor", "inc", "dec"})
    for (const char* target : {"distinct", "same_line", "same_word"})
      for (const char* width : {"4", "8"}) {
        const std::string name = function;
        if (*width == '8' && (name == "inc" || name == "dec")) continue;
        for (unsigned seed = 1; seed < 3; ++seed) {
          Workload w =
              workload_of(atomics("pattern", "function: " + name + ", target: " + target + ", word_bytes: " + width));
          BOOST_TEST_INFO(name << " " << target << " " << width);
          BOOST_TEST(run(w, seed).bytes_not_determinate == 0U);
          BOOST_TEST(w.phases()[0].kernels[0]->counters.bytes_atomic == 240U * 5 * (*width - '0'));
        }
      }
}

BOOST_AUTO_TEST_CASE(old_values_of_atomics_on_distinct_words_are_checked) {
  for (const char* function : {"add", "exch", "cas", "xor", "add.f"}) {
    Workload w = workload_of(atomics("zeros", "operation: atomic, function: " + std::string(function)));
    std::vector<Seen> seen;
    BOOST_TEST(run(w, 3, &seen).bytes_not_determinate == 0U);
    BOOST_TEST(w.load_checks().bytes_checked() == 240U * 5 * 4);
    for (const Seen& s : seen)
      BOOST_TEST((s.instruction.operation == Operation::atomic && s.instruction.set_scoreboard == 0));
  }
}

BOOST_AUTO_TEST_CASE(a_wrong_old_value_is_found) {
  Workload w = workload_of(atomics("zeros", "operation: atomic"));
  FunctionalMachine m(w, kMemory);
  bool once = false;
  m.on_load = [&](const WarpLanes&, unsigned char* data) {
    data[5] ^= static_cast<unsigned char>(once ? 0 : 1), once = true;
  };
  m.run(w);
  BOOST_TEST(w.load_checks().mismatches() == 1U);
}

BOOST_AUTO_TEST_CASE(compare_and_swap_succeeds_twice_in_three) {
  Workload w = workload_of(atomics("zeros", "operation: atomic, function: cas"));
  std::vector<Seen> seen;
  run(w, 1, &seen);
  unsigned failed = 0;
  for (const Seen& s : seen) failed += std::memcmp(s.data.data(), s.data.data() + 128, 4) != 0 ? 1 : 0;
  BOOST_TEST(failed == 9U);  // operation 2 of 0 to 4, in each of 9 warps
}

BOOST_AUTO_TEST_CASE(what_depends_on_order_is_said_to_be_open) {
  for (const char* keys : {"operation: atomic, function: exch, target: same_word",
                           "operation: atomic, function: cas, target: same_line"}) {
    Workload w = workload_of(atomics("zeros", keys));
    BOOST_TEST(run(w, 1).bytes_not_determinate == 65536U);
  }
  Workload exact = workload_of(atomics("zeros", "function: add.f, target: same_line"));
  BOOST_TEST(run(exact, 1).bytes_not_determinate == 0U);
  Workload rounds = workload_of(atomics("floats", "function: add.f, target: same_line"));
  BOOST_TEST(run(rounds, 1).bytes_not_determinate == 65536U);
}

BOOST_AUTO_TEST_CASE(lanes_carry_the_addresses_mask_and_values_given) {
  Workload w = workload_of(
      lanes("{operation: store, lane_bytes: 2, offsets: [6, 100, 8192], active: 0x5, values: [0x1234, 2, 0xabcd]}"));
  std::vector<Seen> seen;
  run(w, 1, &seen);
  BOOST_REQUIRE(seen.size() == 1U);
  const std::uint64_t base = w.buffers()[0].virtual_address;
  BOOST_TEST(seen[0].lanes.active == 0x5U);
  BOOST_TEST(seen[0].lanes.lane_bytes == 2);
  BOOST_TEST(seen[0].lanes.at(0) == base + 6);
  BOOST_TEST(seen[0].lanes.at(2) == base + 8192);
  BOOST_TEST(seen[0].data[0] == 0x34);
  BOOST_TEST(seen[0].data[5] == 0xab);
  BOOST_TEST(w.phases()[0].bytes_stored() == 4U);
}

BOOST_AUTO_TEST_CASE(of_overlapping_lanes_the_highest_stays_and_later_loads_expect_it) {
  Workload w = workload_of(
      lanes("{operation: store, offsets: [0, 4, 4], values: [1, 2, 3]}, {operation: fence, scope: gpu}, "
            "{operation: load, offsets: [0, 4, 8]}, {operation: store, lane_bytes: 1, offsets: [5], values: [9]}, "
            "{operation: load, lane_bytes: 8, offsets: [0], wait: false}"));
  FunctionalMachine m(w, kMemory);
  m.run(w);
  BOOST_TEST(w.load_checks().bytes_checked() == 20U);
  BOOST_TEST(w.load_checks().mismatches() == 0U);
  BOOST_TEST(m.verdict().checks.mismatches() == 0U);
  BOOST_TEST(m.memory[4] == 3);
  BOOST_TEST(m.memory[5] == 9);
}

BOOST_AUTO_TEST_CASE(an_instruction_waits_for_the_load_before_it_unless_told_otherwise) {
  for (const bool wait : {true, false}) {
    Workload w = workload_of(lanes("{operation: load, offsets: [0], wait: " + std::string(wait ? "true" : "false") +
                                   "}, {operation: store, offsets: [8]}"));
    const auto program = w.phases()[0].kernels[0]->make_program(0, 0);
    program->fetch();
    BOOST_TEST(program->fetch().wait_scoreboards == (wait ? 1 : 0));
  }
}

BOOST_AUTO_TEST_CASE(lanes_of_several_warps_that_store_are_left_to_the_scoreboard) {
  Workload w = workload_of(lanes("{operation: store, offsets: [0]}", "grid: 2, "));
  BOOST_TEST(run(w, 1).bytes_not_determinate == 65536U);
}
