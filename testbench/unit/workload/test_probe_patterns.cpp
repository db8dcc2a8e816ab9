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

constexpr std::uint64_t kMemory = std::uint64_t{8} << 20;

std::string kernel(const std::string& keys, const std::string& buffers = "m: {size: 64 KiB}") {
  return "experiment: t\nbuffers: {" + buffers + "}\nimage: {m: pattern}\nphases: [{buffer: m, " + keys + "}]\n";
}

FunctionalMachine run_clean(Workload& workload) {
  FunctionalMachine machine(workload, kMemory);
  machine.run(workload);
  BOOST_TEST(machine.verdict().checks.mismatches() == 0U);
  BOOST_TEST(workload.load_checks().mismatches() == 0U);
  return machine;
}

/// Offsets of the first lanes of all accesses, in order.
std::vector<std::uint64_t> places(const FunctionalMachine& m, const Workload& w) {
  std::vector<std::uint64_t> all;
  for (const Seen& s : m.seen) all.push_back(s.lanes.at(0) - w.buffers()[0].virtual_address);
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_chase_loads_its_places_in_order_each_waiting_for_the_one_before) {
  Workload w = workload_of(kernel("pattern: chase, offsets: [512, 0, 4096], passes: 2"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(places(m, w) == (std::vector<std::uint64_t>{512, 0, 4096, 512, 0, 4096}));
  for (const Seen& s : m.seen) {
    BOOST_TEST(s.lanes.active == 1U);
    BOOST_TEST((s.instruction.wait_scoreboards >> s.instruction.set_scoreboard & 1U) == 1U);
  }
  BOOST_TEST(w.load_checks().bytes_checked() == 6U * 4);
}

BOOST_AUTO_TEST_CASE(a_chase_goes_chunk_by_chunk_in_shuffled_order_and_takes_its_share_of_each) {
  Workload w = workload_of(kernel("pattern: chase, order: shuffled, footprint: 16 KiB, chunk: 4 KiB, per_chunk: 8"));
  const auto at = places(run_clean(w), w);
  BOOST_REQUIRE(at.size() == 32U);
  BOOST_TEST(std::set<std::uint64_t>(at.begin(), at.end()).size() == 32U);
  BOOST_TEST(!std::is_sorted(at.begin(), at.begin() + 8));
  for (std::size_t i = 0; i < at.size(); ++i) BOOST_TEST(at[i] / 4096 == i / 8);
}

BOOST_AUTO_TEST_CASE(the_warps_of_a_split_chase_share_out_the_places) {
  Workload w = workload_of(kernel("pattern: chase, footprint: 4 KiB, split: true, block: 96, passes: 3"));
  std::map<std::uint64_t, unsigned> visits;
  for (const std::uint64_t at : places(run_clean(w), w)) ++visits[at];
  BOOST_TEST(visits.size() == 32U);
  for (const auto& [at, count] : visits) BOOST_TEST(count == 3U);
}

BOOST_AUTO_TEST_CASE(gather_gives_each_lane_or_each_warp_a_place_of_its_own) {
  Workload lanes = workload_of(kernel("pattern: gather, offsets: [0, 4096, 128], operation: store"));
  const FunctionalMachine m = run_clean(lanes);
  BOOST_REQUIRE(m.seen.size() == 1U);
  BOOST_TEST(m.seen[0].lanes.active == 7U);
  BOOST_TEST(m.seen[0].lanes.at(1) - lanes.buffers()[0].virtual_address == 4096U);

  Workload lines = workload_of(kernel("pattern: gather, offsets: [0, 4096, 128], together: true, repeat: 2"));
  const FunctionalMachine n = run_clean(lines);
  BOOST_TEST(places(n, lines) == (std::vector<std::uint64_t>{0, 4096, 128, 0, 4096, 128}));
  for (const Seen& s : n.seen) BOOST_TEST(s.lanes.active == ~0U);
}

BOOST_AUTO_TEST_CASE(a_script_does_its_steps_in_order_with_their_distances) {
  Workload w = workload_of(
      kernel("pattern: script, steps: [{store: 0, count: 3, every: 256}, {fence: gpu}, {load: 256, lanes: 2}, "
             "{load: 512, wait: false}, {wait: loads}, {delay: 10}, {store: 8192, lanes: 4, stride: 128}]"));
  const FunctionalMachine m = run_clean(w);
  BOOST_TEST(places(m, w) == (std::vector<std::uint64_t>{0, 256, 512, 256, 512, 8192}));
  BOOST_TEST(m.seen[3].lanes.active == 3U);
  BOOST_TEST(m.seen[5].lanes.at(3) - m.seen[5].lanes.at(0) == 384U);
  BOOST_TEST(w.phases()[0].kernels[0]->counters.fences == 1U);
  BOOST_TEST(w.load_checks().bytes_checked() > 0U);
}

BOOST_AUTO_TEST_CASE(a_patterns_and_a_steps_cache_hint_goes_with_their_accesses) {
  Workload script = workload_of(
      kernel("pattern: script, steps: [{store: 0, eviction: first}, {load: 0}, {atomic: 128, eviction: last}]"));
  const FunctionalMachine m = run_clean(script);
  BOOST_TEST((m.seen[0].instruction.eviction == EvictionClass::first));
  BOOST_TEST((m.seen[1].instruction.eviction == EvictionClass::normal));
  BOOST_TEST((m.seen[2].instruction.eviction == EvictionClass::last));
}

BOOST_AUTO_TEST_CASE(every_patterns_accesses_carry_its_cache_hint) {
  const std::map<std::string, std::string> keys{
      {"atomics", "buffer: m, eviction: last"},
      {"byte_masks", "buffer: m, eviction: last"},
      {"byte_per_sector", "buffer: m, eviction: last"},
      {"chase", "buffer: m, offsets: [0, 4096], eviction: last"},
      {"copy", "from: m, to: n, eviction: last"},
      {"fenced_stores", "buffer: m, eviction: last"},
      {"gather", "buffer: m, offsets: [0, 4096], eviction: last"},
      {"hammer", "buffer: m, eviction: last"},
      {"lanes", "buffer: m, accesses: [{operation: load, offsets: [0], eviction: last}]"},
      {"mix", "input: m, output: n, eviction: last"},
      {"one_set", "buffer: m, slice: 1, set: 3, stores: 1, loads: 2, eviction: last"},
      {"random", "buffer: m, granule: line, accesses: 4, eviction: last"},
      {"script", "buffer: m, steps: [{store: 0, eviction: last}]"},
      {"single_store", "buffer: m, eviction: last"},
      {"stream_load", "buffer: m, eviction: last"},
      {"stream_store", "buffer: m, eviction: last"},
      {"stride", "buffer: m, eviction: last"},
      {"vadd", "a: m, b: m, c: n, eviction: last"}};
  const ModuloOracle oracle;
  for (const PatternInfo& pattern : patterns()) {
    BOOST_TEST_CONTEXT(pattern.name) {
      Workload w = workload_of("experiment: t\nbuffers: {m: {size: 64 KiB}, n: {size: 64 KiB}}\nphases: [{pattern: " +
                                   std::string(pattern.name) + ", " + keys.at(pattern.name) + "}]\n",
                               &oracle);
      const FunctionalMachine m = run_clean(w);
      BOOST_TEST(!m.seen.empty());
      for (const Seen& s : m.seen) BOOST_TEST((s.instruction.eviction == EvictionClass::last));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_poll_goes_on_until_the_other_kernels_store_has_arrived) {
  Workload w = workload_of(
      "experiment: t\nbuffers: {m: {size: 4 KiB}}\nphases: [{kernels: ["
      "{pattern: script, buffer: m, seed: 5, steps: [{poll: 0}, {store: 256}]},"
      "{pattern: script, buffer: m, seed: 5, steps: [{delay: 5}, {load: 512}, {load: 640}, {store: 0}]}]}]\n");
  const FunctionalMachine m = run_clean(w);
  std::size_t last_poll = 0, store = 0;
  for (std::size_t i = 0; i < m.seen.size(); ++i) {
    const std::uint64_t at = m.seen[i].lanes.at(0) - w.buffers()[0].virtual_address;
    if (at == 0) (m.seen[i].instruction.operation == Operation::store ? store : last_poll) = i;
  }
  BOOST_TEST(last_poll > store);
}

BOOST_AUTO_TEST_CASE(atomics_of_a_script_leave_the_end_to_the_scoreboard) {
  Workload w = workload_of(kernel("pattern: script, steps: [{atomic: 0, lanes: 4}, {reduction: 128, function: xor}]"));
  BOOST_TEST(!w.expected().determinate(w.buffers()[0].physical_address, 4));
}

BOOST_AUTO_TEST_CASE(what_makes_no_sense_is_refused_with_its_place) {
  const auto refused = [](const std::string& keys, const std::string& names) {
    BOOST_CHECK_EXCEPTION(workload_of(kernel(keys)), ConfigError,
                          [&](const ConfigError& e) { return std::string(e.what()).find(names) != std::string::npos; });
  };
  refused("pattern: chase, offsets: [70000]", "offsets");
  refused("pattern: chase, offsets: [2]", "offsets");
  refused("pattern: chase, footprint: 1 MiB", "footprint");
  refused("pattern: gather, stride: 6 B", "stride");
  refused("pattern: script, steps: []", "steps");
  refused("pattern: script, steps: [{load: 0, store: 0}]", "exactly one");
  refused("pattern: script, steps: [{lode: 0}]", "exactly one");
  refused("pattern: script, steps: [{load: 65500}]", "steps");
  refused("pattern: script, steps: [{store: 0, lanes: 33}]", "lanes");
  refused("pattern: script, steps: [{atomic: 0, lane_bytes: 2}]", "lane_bytes");
  refused("pattern: script, steps: [{delay: 0}]", "delay");
  refused("pattern: script, steps: [{fence: all}]", "fence");
  refused("pattern: script, steps: [{load: 0, eviction: never}]", "first, normal, last");
  refused("pattern: script, steps: [{fence: gpu, eviction: last}]", "eviction");
  refused("pattern: gather, offsets: [0], eviction: second", "first, normal, last");
}
