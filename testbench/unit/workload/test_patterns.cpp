// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"
//
#include <map>
#include <set>

#include "functional_machine.h"
#include "gputlm/workload/pattern_data.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint64_t kMemory = std::uint64_t{16} << 20;

/// Runs an experiment on the functional machine and demands that checks and final memory agree with it.
FunctionalMachine run_clean(Workload& workload, unsigned seed = 1) {
  FunctionalMachine machine(workload, kMemory, seed);
  machine.run(workload);
  const MemoryVerdict verdict = machine.verdict();
  BOOST_TEST(verdict.checks.mismatches() == 0U);
  BOOST_TEST(verdict.bytes_unreadable == 0U);
  const CheckCounter loads = workload.load_checks();
  BOOST_TEST(loads.mismatches() == 0U);
  for (const Mismatch& m : verdict.checks.first()) BOOST_TEST_MESSAGE(m.text());
  for (const Mismatch& m : loads.first()) BOOST_TEST_MESSAGE(m.text());
  return machine;
}

/// Times each byte address was touched by accesses of one operation.
std::map<std::uint64_t, unsigned> touched(const FunctionalMachine& machine, Operation operation) {
  std::map<std::uint64_t, unsigned> count;
  for (const Seen& s : machine.seen)
    for (unsigned i = 0; i < kLanes && s.instruction.operation == operation; ++i)
      if ((s.lanes.active >> i & 1U) != 0)
        for (unsigned b = 0; b < s.lanes.lane_bytes; ++b) ++count[s.lanes.at(i) + b];
  return count;
}

bool exactly_once(const std::map<std::uint64_t, unsigned>& count, const Buffer& b, std::uint64_t bytes) {
  if (count.size() != bytes || count.begin()->first != b.virtual_address) return false;
  if (count.rbegin()->first != b.virtual_address + bytes - 1) return false;
  return std::all_of(count.begin(), count.end(), [](const auto& c) { return c.second == 1; });
}

std::string stream(const std::string& pattern, const std::string& size, const std::string& keys) {
  return "experiment: t\nbuffers: {m: {size: " + size + "}}\nimage: {m: pattern}\nphases: [{pattern: " + pattern +
         ", buffer: m, " + keys + "}]\n";
}

}  // namespace

BOOST_AUTO_TEST_CASE(pattern_bytes_do_not_depend_on_how_they_are_asked_for) {
  unsigned char whole[64], part[64];
  fill_pattern(0x1000, 64, 7, whole);
  for (unsigned first = 0; first < 64; ++first)
    for (unsigned n = 1; first + n <= 64; ++n) {
      fill_pattern(0x1000 + first, n, 7, part);
      BOOST_REQUIRE(std::memcmp(part, whole + first, n) == 0);
    }
  fill_pattern(0x1000, 64, 8, part);
  BOOST_TEST(std::memcmp(part, whole, 64) != 0);
}

BOOST_AUTO_TEST_CASE(a_store_stream_covers_its_buffer_exactly_once_with_pattern_data) {
  for (const char* order : {"grid_stride", "blocked"})
    for (const char* shape :
         {"grid: 3, block: 96", "grid: 5, block: 40", "grid: 1, block: 1024", "grid: 700, block: 32"})
      for (const unsigned lane_bytes : {1U, 4U, 16U}) {
        Workload w = workload_of(
            stream("stream_store", "10000 B",
                   std::string(shape) + ", order: " + order + ", lane_bytes: " + std::to_string(lane_bytes)));
        const FunctionalMachine m = run_clean(w);
        BOOST_TEST(exactly_once(touched(m, Operation::store), w.buffers()[0], 10000));
        BOOST_TEST(w.phases()[0].bytes_stored() == 10000U);
        BOOST_TEST(w.phases()[0].bytes_loaded() == 0U);
      }
}

BOOST_AUTO_TEST_CASE(a_stream_in_grid_stride_order_has_the_addresses_of_the_textbook_loop) {
  Workload w = workload_of(stream("stream_store", "8 KiB", "grid: 2, block: 64"));
  const FunctionalMachine m = run_clean(w);
  for (const Seen& s : m.seen) BOOST_TEST(s.lanes.active == ~0U);
  std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> firsts;
  for (const Seen& s : m.seen) firsts[{s.cta, s.warp}].push_back(s.lanes.at(0) - w.buffers()[0].virtual_address);
  for (const auto& [who, offsets] : firsts)
    for (std::size_t i = 0; i < offsets.size(); ++i)
      BOOST_TEST(offsets[i] == ((who.first * 64 + who.second * 32) + i * 128) * 4);
}

BOOST_AUTO_TEST_CASE(a_load_stream_covers_its_buffer_and_checks_every_byte) {
  Workload w = workload_of(stream("stream_load", "9000 B", "grid: 3, block: 96, repeat: 2"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(w.load_checks().bytes_checked() == 18000U);
  const auto count = touched(m, Operation::load);
  BOOST_TEST(count.size() == 9000U);
  for (const auto& [address, n] : count) BOOST_REQUIRE(n == 2U);
}

BOOST_AUTO_TEST_CASE(a_load_stream_keeps_several_loads_in_flight_and_never_reuses_a_marked_scoreboard) {
  Workload w = workload_of(stream("stream_load", "4 KiB", "grid: 1, block: 32, unroll: 3"));
  const auto program = w.phases()[0].kernels[0]->make_program(0, 0);
  for (unsigned i = 0; i < 7; ++i) {
    const WarpInstruction load = program->fetch();
    BOOST_TEST(load.set_scoreboard == i % 3);
    BOOST_TEST(load.wait_scoreboards == 1U << (i % 3));
  }
}

BOOST_AUTO_TEST_CASE(one_wrong_byte_in_a_load_is_found_and_named) {
  Workload w = workload_of(stream("stream_load", "4 KiB", "grid: 1, block: 32"));
  FunctionalMachine m(w, kMemory);
  const std::uint64_t target = w.buffers()[0].virtual_address + 1000;
  m.on_load = [&](const WarpLanes& lanes, unsigned char* data) {
    if (target - lanes.at(0) < 128) data[target - lanes.at(0)] ^= 0x40U;
  };
  m.run(w);
  const CheckCounter checks = w.load_checks();
  BOOST_TEST(checks.mismatches() == 1U);
  BOOST_REQUIRE(checks.first().size() == 1U);
  BOOST_TEST(checks.first()[0].address == target);
  BOOST_TEST((checks.first()[0].expected ^ checks.first()[0].got) == 0x40);
}

BOOST_AUTO_TEST_CASE(one_wrong_byte_in_memory_is_found_at_the_end_even_past_the_buffers_end) {
  Workload w = workload_of(stream("stream_store", "10000 B", "grid: 3, block: 96"));
  FunctionalMachine m(w, kMemory);
  m.run(w);
  for (const std::uint64_t offset : {0U, 9999U, 10000U, 65535U}) {
    m.memory[offset] ^= 1U;
    const MemoryVerdict verdict = m.verdict();
    BOOST_TEST(verdict.checks.mismatches() == 1U);
    BOOST_TEST(verdict.checks.first()[0].address == offset);
    m.memory[offset] ^= 1U;
  }
}

BOOST_AUTO_TEST_CASE(stride_touches_only_its_places_and_the_expectation_knows_them) {
  Workload w = workload_of(stream("stride", "64 KiB", "stride: 96 B, offset: 8 B, lane_bytes: 8, grid: 2, block: 64"));
  const FunctionalMachine m = run_clean(w);
  const auto count = touched(m, Operation::store);
  for (const auto& [address, n] : count) {
    BOOST_REQUIRE((address - w.buffers()[0].virtual_address - 8) % 96 < 8);
    BOOST_REQUIRE(n == 1U);
  }
  BOOST_TEST(count.size() == ((65536 - 16) / 96 + 1) * 8U);
}

BOOST_AUTO_TEST_CASE(byte_per_sector_stores_one_byte_of_each_sector) {
  Workload w = workload_of(stream("byte_per_sector", "64 KiB", "byte: 31, grid: 4, block: 64"));
  const FunctionalMachine m = run_clean(w);
  const auto count = touched(m, Operation::store);
  BOOST_TEST(count.size() == 2048U);
  for (const auto& [address, n] : count) BOOST_REQUIRE(address % 32 == 31);
  for (const Seen& s : m.seen) BOOST_TEST(s.lanes.lane_bytes == 1);
}

BOOST_AUTO_TEST_CASE(byte_masks_store_the_given_mask_in_every_line_in_the_widest_words) {
  Workload w =
      workload_of(stream("byte_masks", "4 KiB", "mask: 0xf0000000000000ff00000000000000f0, grid: 2, block: 64"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(m.seen.size() == 32U);
  for (const Seen& s : m.seen) {
    BOOST_TEST(s.lanes.lane_bytes == 4);
    BOOST_TEST(s.lanes.active == 0xfU);
    const std::uint64_t line = line_of(s.lanes.at(0));
    const std::uint64_t offsets[] = {4, 64, 68, 124};
    for (unsigned i = 0; i < 4; ++i) BOOST_TEST(s.lanes.at(i) == line + offsets[i]);
  }
}

BOOST_AUTO_TEST_CASE(random_byte_masks_differ_by_line_have_their_density_and_are_expected_exactly) {
  Workload w = workload_of(stream("byte_masks", "128 KiB", "density: 0.25, grid: 2, block: 64"));
  const FunctionalMachine m = run_clean(w);
  const auto bytes = static_cast<double>(touched(m, Operation::store).size());
  BOOST_TEST(bytes > 0.23 * 131072);
  BOOST_TEST(bytes < 0.27 * 131072);
}

BOOST_AUTO_TEST_CASE(random_accesses_are_the_same_for_a_seed_and_stay_in_their_granules) {
  for (const char* granule : {"lane", "sector", "line"}) {
    const std::string yaml = stream(
        "random", "64 KiB", "granule: " + std::string(granule) + ", stores: 0.5, grid: 4, block: 64, accesses: 40");
    Workload one = workload_of(yaml), two = workload_of(yaml), other = workload_of("seed: 5\n" + yaml);
    const FunctionalMachine m = run_clean(one, 1), n = run_clean(two, 2), o = run_clean(other, 1);
    BOOST_TEST((m.memory == n.memory));
    BOOST_TEST((m.memory != o.memory));
    BOOST_TEST(one.phases()[0].bytes_stored() + one.phases()[0].bytes_loaded() == 4U * 64 * 40 * 4);
    BOOST_TEST(one.load_checks().bytes_checked() == one.phases()[0].bytes_loaded());
    const unsigned together = granule[0] == 'l' && granule[1] == 'i' ? 32 : granule[0] == 's' ? 8 : 1;
    for (const Seen& s : m.seen)
      for (unsigned i = 0; i < kLanes; ++i)
        BOOST_REQUIRE(s.lanes.at(i) == s.lanes.at(i - i % together) + i % together * 4);
  }
}

BOOST_AUTO_TEST_CASE(random_stores_of_varying_data_are_left_to_the_scoreboard_with_a_reason) {
  Workload w = workload_of(stream("random", "64 KiB", "vary: true, grid: 4, block: 64"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(m.verdict().bytes_not_determinate == 65536U);
  BOOST_TEST(m.verdict().reasons.size() == 1U);
  BOOST_TEST(w.load_checks().bytes_checked() == 0U);
}

BOOST_AUTO_TEST_CASE(hammer_stays_on_one_line_and_one_warps_last_data_win) {
  Workload w = workload_of(stream("hammer", "64 KiB", "offset: 256 B, vary: true, count: 9"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(m.seen.size() == 9U);
  BOOST_TEST(m.verdict().bytes_not_determinate == 0U);
  BOOST_TEST((m.seen[7].data != m.seen[8].data));
  for (const Seen& s : m.seen) BOOST_TEST(s.lanes.at(0) == w.buffers()[0].virtual_address + 256);
  Workload many = workload_of(stream("hammer", "64 KiB", "vary: true, grid: 2"));
  BOOST_TEST(run_clean(many).verdict().bytes_not_determinate == 65536U);
}

BOOST_AUTO_TEST_CASE(copy_moves_every_byte_whatever_the_order_of_returns) {
  for (unsigned seed = 1; seed < 6; ++seed) {
    Workload w = workload_of(
        "experiment: t\nbuffers: {a: {size: 20000 B}, b: {size: 20004 B}}\nimage: {a: pattern, b: floats}\n"
        "phases: [{pattern: copy, from: a, to: b, grid: 3, block: 72, unroll: 5}, {pattern: stream_load, buffer: "
        "b}]\n");
    const FunctionalMachine m = run_clean(w, seed);
    BOOST_TEST(exactly_once(touched(m, Operation::store), w.buffers()[1], 20000));
    BOOST_TEST(w.load_checks().bytes_checked() == 40004U);
    BOOST_TEST(std::memcmp(&m.memory[w.buffers()[0].physical_address], &m.memory[w.buffers()[1].physical_address],
                           20000) == 0);
  }
}

BOOST_AUTO_TEST_CASE(vadd_stores_the_sums_of_its_operands) {
  Workload w = workload_of(
      "experiment: t\nbuffers: {a: {size: 4000 B}, b: {size: 4000 B}, c: {size: 4000 B}}\nimage: {a: floats, b: "
      "floats}\n"
      "phases: [{pattern: vadd, a: a, b: b, c: c, grid: 4, block: 128}]\n");
  const FunctionalMachine m = run_clean(w);
  std::set<float> sums;
  for (unsigned i = 0; i < 1000; ++i) {
    float v[3];
    for (unsigned k = 0; k < 3; ++k) std::memcpy(&v[k], &m.memory[w.buffers()[k].physical_address + 4 * i], 4);
    BOOST_REQUIRE(v[0] + v[1] == v[2]);
    sums.insert(v[2]);
  }
  BOOST_TEST(sums.size() > 990U);
  BOOST_TEST(w.phases()[0].bytes_stored() == 4000U);
  BOOST_TEST(w.phases()[0].bytes_loaded() == 8000U);
  BOOST_TEST(w.load_checks().bytes_checked() == 8000U);
}

BOOST_AUTO_TEST_CASE(vadd_adds_only_after_both_loads_and_stores_after_the_addition) {
  Workload w = workload_of(
      "experiment: t\nbuffers: {a: {size: 128 B}, b: {size: 128 B}, c: {size: 128 B}}\n"
      "phases: [{pattern: vadd, a: a, b: b, c: c, prologue_cycles: 0, add_cycles: 5}]\n");
  const auto program = w.phases()[0].kernels[0]->make_program(0, 0);
  const WarpInstruction a = program->fetch(), b = program->fetch(), add = program->fetch(), store = program->fetch();
  BOOST_TEST((a.operation == Operation::load && b.operation == Operation::load));
  BOOST_TEST((add.kind == WarpInstruction::Kind::compute));
  BOOST_TEST(add.wait_scoreboards == ((1U << a.set_scoreboard) | (1U << b.set_scoreboard)));
  BOOST_TEST(add.stall_cycles == 5.0);
  BOOST_TEST((store.operation == Operation::store));
  BOOST_TEST((program->fetch().kind == WarpInstruction::Kind::exit));
}

BOOST_AUTO_TEST_CASE(mix_keeps_its_proportion_and_covers_both_buffers) {
  Workload w = workload_of(
      "experiment: t\nbuffers: {i: {size: 24 KiB}, o: {size: 8 KiB}}\nimage: {i: pattern}\n"
      "phases: [{pattern: mix, input: i, output: o, loads: 3, stores: 1, grid: 2, block: 64}]\n");
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(exactly_once(touched(m, Operation::load), w.buffers()[0], 24576));
  BOOST_TEST(exactly_once(touched(m, Operation::store), w.buffers()[1], 8192));
  std::map<std::pair<unsigned, unsigned>, std::string> order;
  for (const Seen& s : m.seen) order[{s.cta, s.warp}] += s.instruction.operation == Operation::load ? 'l' : 's';
  for (const auto& [who, text] : order)
    for (std::size_t i = 0; i < text.size(); ++i) BOOST_REQUIRE(text[i] == (i % 4 == 3 ? 's' : 'l'));
}

BOOST_AUTO_TEST_CASE(fenced_stores_fence_after_every_so_many_of_a_warp) {
  Workload w = workload_of(stream("fenced_stores", "4 KiB", "every: 3, scope: sys, fence: acq_rel"));
  const auto program = w.phases()[0].kernels[0]->make_program(0, 0);
  std::string text;
  WarpLanes lanes;
  unsigned char data[512];
  for (WarpInstruction i = program->fetch(); i.kind != WarpInstruction::Kind::exit; i = program->fetch()) {
    text += i.kind == WarpInstruction::Kind::fence ? 'f' : 's';
    if (i.kind == WarpInstruction::Kind::fence)
      BOOST_TEST((i.scope == Scope::sys && i.semantics == Semantics::acq_rel));
    else
      program->operands(lanes, data);
  }
  BOOST_TEST(text.size() == 32U + 10U);
  for (std::size_t i = 0; i < text.size(); ++i) BOOST_REQUIRE(text[i] == (i % 4 == 3 ? 'f' : 's'));
  run_clean(w);
}

BOOST_AUTO_TEST_CASE(one_set_stores_then_loads_lines_of_one_set_one_at_a_time) {
  const ModuloOracle oracle;
  Workload w = workload_of(stream("one_set", "1 MiB", "slice: 2, set: 5, stores: 16, loads: 32"), &oracle);
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(m.seen.size() == 48U);
  std::set<std::uint64_t> lines;
  for (std::size_t i = 0; i < 48; ++i) {
    const std::uint64_t physical = w.buffers()[0].physical(m.seen[i].lanes.at(0));
    lines.insert(physical);
    BOOST_TEST(oracle.slice_of(physical) == 2U);
    BOOST_TEST(oracle.set_of(physical) == 5U);
    BOOST_TEST((m.seen[i].instruction.operation == (i < 16 ? Operation::store : Operation::load)));
    if (i >= 16) BOOST_TEST(m.seen[i].instruction.wait_scoreboards != 0);
  }
  BOOST_TEST(lines.size() == 48U);
  BOOST_TEST(w.phases()[0].kernels[0]->counters.fences == 16U);
}

BOOST_AUTO_TEST_CASE(single_store_is_one_store) {
  Workload w = workload_of(stream("single_store", "64 KiB", "offset: 512 B"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(m.seen.size() == 1U);
  BOOST_TEST(m.seen[0].lanes.at(31) == w.buffers()[0].virtual_address + 512 + 124);
}
