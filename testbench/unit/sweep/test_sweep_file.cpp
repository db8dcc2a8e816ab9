// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "sweep_text.h"

using namespace gputlm;
using test::SweepText;

namespace {

std::vector<std::string> texts_of(const SweepParameter& parameter) {
  std::vector<std::string> all;
  for (const SweepValue& value : parameter.values) all.push_back(value.text);
  return all;
}

SweepParameter only(const std::string& parameter, const std::string& rest = "") {
  return SweepText(rest + "parameters: {" + parameter + "}\n").read().parameters.at(0);
}

std::string mistake(const std::string& parameter, const std::string& rest = "") {
  return SweepText(rest + "parameters: {" + parameter + "}\n").mistakes();
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE(text);
  return false;
}

using Texts = std::vector<std::string>;

}  // namespace

BOOST_AUTO_TEST_CASE(the_simplest_file_is_a_grid_over_lists) {
  const SweepFile file = SweepText("parameters:\n  l2.ways: [8, 16]\n  l2.replacement.policy: [rrip, lru]\n").read();
  BOOST_TEST(file.name == "s");
  BOOST_TEST((file.method == SweepMethod::grid));
  BOOST_TEST((texts_of(file.parameters.at(0)) == Texts{"8", "16"}));
  BOOST_TEST(file.parameters[0].column() == "l2.ways [ways]");
  BOOST_TEST(file.parameters[1].column() == "l2.replacement.policy");
  BOOST_TEST(file.parameters[0].values[1].cell == 16);
  BOOST_TEST(file.parameters[1].values[1].cell == "lru");
}

BOOST_AUTO_TEST_CASE(ranges_have_steps_or_counts_linear_or_logarithmic) {
  BOOST_TEST((texts_of(only("dram.write_high_mark: {from: 32, to: 100, step: 32}")) == Texts{"32", "64", "96"}));
  BOOST_TEST((texts_of(only("l2.janitor.dirty_threshold: {from: 1, to: 4}")) == Texts{"1", "2", "3", "4"}));
  BOOST_TEST((texts_of(only("crossbar.request_latency: {from: 10 ns, to: 80 ns, count: 4, scale: log}")) ==
              Texts{"10 ns", "20 ns", "40 ns", "80 ns"}));
  BOOST_TEST((texts_of(only("dram.look_ahead_refill: {from: 0.1, to: 0.5, step: 0.1}")).size() == 5U));
  BOOST_TEST((texts_of(only("experiment.buffers.out.size: {from: 64 KiB, to: 128 KiB, step: 32 KiB}")) ==
              Texts{"64 KiB", "96 KiB", "128 KiB"}));
}

BOOST_AUTO_TEST_CASE(cells_are_numbers_in_the_unit_of_their_column) {
  const SweepParameter time = only("crossbar.request_latency: [1.5 ns, 1 us]");
  BOOST_TEST(time.column() == "crossbar.request_latency [ns]");
  BOOST_TEST(time.values[0].cell == 1.5);
  BOOST_TEST(time.values[1].cell == 1000.0);
  const SweepParameter size = only("experiment.buffers.out.size: [64 KiB, 1 MiB]");
  BOOST_TEST(size.column() == "experiment.buffers.out.size [B]");
  BOOST_TEST(size.values[1].cell == 1048576);
  BOOST_TEST(only("experiment.seed: [1, x]").values[0].cell == "1");  // no numbers all of them: texts
}

BOOST_AUTO_TEST_CASE(samples_of_a_whole_number_reach_both_ends_and_nothing_beyond) {
  const SweepParameter p = only("l2.ways: {from: 4, to: 7}", "method: random\npoints: 3\n");
  BOOST_TEST(p.at(0).text == "4");
  BOOST_TEST(p.at(0.26).text == "5");
  BOOST_TEST(p.at(0.99999).text == "7");
  const SweepParameter q = only("experiment.seed: {from: 1, to: 100, scale: log}", "method: random\npoints: 3\n");
  BOOST_TEST(q.at(0).text == "1");
  BOOST_TEST(q.at(0.5).text == "10");
  BOOST_TEST(q.at(0.99999).text == "100");
}

BOOST_AUTO_TEST_CASE(a_wrong_path_or_value_is_told_with_line_column_and_what_is_allowed) {
  BOOST_TEST(has(mistake("l2.wais: [8]"), "sweep.yaml:3:23: l2.wais: unknown parameter; did you mean l2.ways?"));
  BOOST_TEST(has(mistake("l2: [8]"), "is a group of parameters"));
  BOOST_TEST(has(mistake("l2.ways: [8, 65]"), "sweep.yaml:3:27: l2.ways: out of range (found 65, allowed 1 to 64)"));
  BOOST_TEST(has(mistake("l2.ways: [many]"), "l2.ways: not a whole number"));
  BOOST_TEST(has(mistake("l2.ways: []"), "is an empty list"));
  BOOST_TEST(has(mistake("dram.page_policy: [opened]"), "(found opened, allowed open, closed, idle_timer)"));
  BOOST_TEST(has(mistake("config: [tiny, none]"), "sweep.yaml:3:29: config: there is no file or name 'none'"));
  BOOST_TEST(has(mistake("probe.parameters.x: [1]"), "unknown parameter"));
}

BOOST_AUTO_TEST_CASE(ranges_that_make_no_sense_are_told) {
  BOOST_TEST(has(mistake("l2.ways: {from: 8, to: 4}"), "ends before it begins"));
  BOOST_TEST(has(mistake("l2.ways: {from: 8, to: 65}"), "l2.ways: out of range (found 65"));
  BOOST_TEST(has(mistake("l2.ways: {from: 1, to: 9, step: 0}"), "must be above 0"));
  BOOST_TEST(has(mistake("l2.ways: {from: 1, to: 9, step: 2, count: 2}"), "a step or a count, not both"));
  BOOST_TEST(has(mistake("l2.ways: {from: 1, to: 9, stp: 2}"), "unknown key; did you mean step?"));
  BOOST_TEST(has(mistake("dram.page_policy: {from: open, to: closed}"), "they are no numbers"));
  BOOST_TEST(has(mistake("crossbar.request_latency: {from: 1, to: 9 ns, count: 3}"), "a number in fs, ps, ns"));
  BOOST_TEST(has(mistake("crossbar.request_latency: {from: 1 ns, to: 9 ns}"), "needs a step or a count"));
  BOOST_TEST(has(mistake("dram.write_low_mark: {from: 0, to: 9, count: 2, scale: log}"), "above 0 on a logarithmic"));
  BOOST_TEST(has(mistake("experiment.seed: {from: 1, to: 99999999}"), "more than 100000 values"));
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_sweep_is_told_what_it_lacks) {
  BOOST_TEST(has(SweepText("", "sweep: s\n").mistakes(), "experiment: is missing"));
  BOOST_TEST(has(SweepText("").mistakes(), "parameters: is missing"));
  BOOST_TEST(has(SweepText("parameters: {}\n").mistakes(), "a sweep needs a parameter"));
  BOOST_TEST(has(SweepText("parameters: {l2.ways: [8]}\n", "sweep: ../s\nexperiment: small.yaml\n").mistakes(),
                 "is no name of a sweep"));
  BOOST_TEST(has(SweepText("parameters: {l2.ways: [8]}\n", "sweep: s\nexperiment: nowhere\n").mistakes(),
                 "there is no file or name 'nowhere'"));
  BOOST_TEST(has(SweepText("parameters: {l2.ways: [8]}\n", "sweep: s\nprobe: latencey\n").mistakes(),
                 "there is no probe of that name; did you mean latency?"));
  BOOST_TEST(has(mistake("l2.ways: [8]", "method: random\n"), "points: is missing"));
  BOOST_TEST(has(mistake("l2.ways: [8]", "points: 4\n"), "is of random and latin-hypercube samples"));
  BOOST_TEST(has(mistake("l2.ways: [8], l2.sets: [512, 1024]", "method: list\n"), "another number of values"));
  BOOST_TEST(has(mistake("l2.ways: [8]", "sead: 1\n"), "unknown key; did you mean seed?"));
}

BOOST_AUTO_TEST_CASE(statistics_are_chosen_by_name_and_a_wrong_name_is_told) {
  const SweepFile file = SweepText(
                             "parameters: {l2.ways: [8]}\nstatistics: [store_bandwidth, phases.write.time, "
                             "{path: stats.total.l2.evictions, name: evicted, unit: lines, better: lower}]\n")
                             .read();
  BOOST_REQUIRE(file.statistics.size() == 3U);
  BOOST_TEST(file.statistics[2].name == "evicted");
  BOOST_TEST(*file.statistics[2].unit == "lines");
  BOOST_TEST(has(mistake("l2.ways: [8]", "statistics: [store_bandwith]\n"),
                 "sweep.yaml:3:14: statistics[0]: no statistic has this name; did you mean store_bandwidth?"));
  BOOST_TEST(has(mistake("l2.ways: [8]", "statistics: [simulated, simulated]\n"), "the same name"));
  // SQLite takes names that differ by case for one.
  for (const char* name : {"Simulated", "point", "State", "L2.Ways"})
    BOOST_TEST(
        has(mistake("l2.ways: [8]", std::string("statistics: [simulated, {path: load_latency, name: ") + name + "}]\n"),
            "sweep.yaml:3:25: " + std::string(name) + ": another column of the table has the same name"));
  BOOST_TEST(has(mistake("l2.ways: [8]", "statistics: simulated\n"), "must be a list"));
}

BOOST_AUTO_TEST_CASE(all_mistakes_of_a_file_are_told_at_once) {
  const std::string all =
      SweepText("parameters:\n  l2.wais: [8]\n  l2.ways: [0]\nmethod: grids\nslurm: {option: [x]}\n").mistakes();
  for (const char* part : {"sweep.yaml:4:", "sweep.yaml:5:", "sweep.yaml:6:", "sweep.yaml:7:"})
    BOOST_TEST(has(all, part));
}
