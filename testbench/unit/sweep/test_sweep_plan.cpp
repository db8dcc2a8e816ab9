// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>

#include "gputlm/sweep/sweep_definition.h"
#include "sweep_text.h"

using namespace gputlm;
using test::SweepText;

namespace {

using Texts = std::vector<std::string>;

Texts points_of(const SweepPlan& plan) {
  Texts all;
  for (const SweepPoint& point : plan.points) all.push_back(plan.describe(point));
  return all;
}

bool has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return true;
  BOOST_TEST_MESSAGE(text);
  return false;
}

}  // namespace

BOOST_AUTO_TEST_CASE(points_are_numbered_from_1_in_the_order_of_the_grid) {
  const SweepPlan plan = SweepText("parameters:\n  l2.ways: [8, 16]\n  experiment.seed: [1, 2]\n").plan();
  BOOST_TEST((points_of(plan) == Texts{"l2.ways=8, experiment.seed=1", "l2.ways=8, experiment.seed=2",
                                       "l2.ways=16, experiment.seed=1", "l2.ways=16, experiment.seed=2"}));
  BOOST_TEST(plan.points.front().number == 1U);
  BOOST_TEST(plan.points.back().number == 4U);
}

BOOST_AUTO_TEST_CASE(a_point_is_a_command_line_that_a_user_could_give) {
  const SweepText text("config: tiny\nset: {l2.sets: 512}\nparameters: {l2.ways: [8], experiment.seed: [3]}\n");
  const SweepPlan plan = text.plan();
  const Texts arguments = plan.arguments(plan.points[0]);
  BOOST_TEST((Texts(arguments.begin(), arguments.begin() + 3) == Texts{"run", text.path("small.yaml"), "--config"}));
  BOOST_TEST(has(arguments[3], "configs/tiny.yaml"));
  BOOST_TEST((Texts(arguments.begin() + 4, arguments.end()) ==
              Texts{"--set", "l2.sets=512", "--set", "l2.ways=8", "--set", "experiment.seed=3"}));
}

BOOST_AUTO_TEST_CASE(the_card_itself_can_be_a_parameter) {
  const SweepPlan plan = SweepText("parameters: {config: [tiny, rtx4090]}\n").plan();
  BOOST_REQUIRE(plan.points.size() == 2U);
  BOOST_TEST(has(plan.arguments(plan.points[1])[3], "configs/rtx4090.yaml"));
}

BOOST_AUTO_TEST_CASE(values_that_do_not_go_together_are_refused_where_they_stand_or_left_out) {
  const std::string parameters = "parameters:\n  dram.write_low_mark: [32, 100]\n  dram.write_high_mark: [64, 112]\n";
  BOOST_TEST(has(SweepText(parameters).mistakes(), "sweep.yaml:5:26: "));
  const SweepPlan plan = SweepText("unfit: skip\n" + parameters).plan();
  BOOST_TEST(plan.unfit == 1U);
  BOOST_TEST((points_of(plan) == Texts{"dram.write_low_mark=32, dram.write_high_mark=64",
                                       "dram.write_low_mark=32, dram.write_high_mark=112",
                                       "dram.write_low_mark=100, dram.write_high_mark=112"}));
  BOOST_TEST(has(SweepText("unfit: skip\nparameters: {dram.write_low_mark: [120]}\n").mistakes(),
                 "no point's values go together"));
}

BOOST_AUTO_TEST_CASE(a_value_that_the_experiment_refuses_is_told_where_the_sweep_has_it) {
  const std::string wrong = SweepText("parameters:\n  experiment.phases.write.grid: [2, 0]\n").mistakes();
  BOOST_TEST(has(wrong, "sweep.yaml:4:37: experiment.phases.write.grid: refused: "));
  BOOST_TEST(has(wrong, "small.yaml:6:"));
  BOOST_TEST(has(SweepText("parameters:\n  experiment.phases.wrote.grid: [2]\n").mistakes(),
                 "sweep.yaml:4:34: experiment.phases.wrote.grid: leads nowhere in the file: there is no 'wrote'; did "
                 "you mean write?"));
  BOOST_TEST(
      has(SweepText("parameters: {experiment.phases.0.gird: [2]}\n").mistakes(), "unknown key; did you mean grid?"));
}

BOOST_AUTO_TEST_CASE(a_probe_has_the_parameters_that_its_file_has) {
  const std::string head = "sweep: s\nprobe: latency\n";
  const SweepPlan plan = SweepText("parameters:\n  probe.parameters.footprints_kib: [[16], [1024]]\n", head).plan();
  const Texts arguments = plan.arguments(plan.points[1]);
  BOOST_TEST((arguments == Texts{"probe", "latency", "--no-references", "--format", "json", "--set",
                                 "probe.parameters.footprints_kib=[1024]"}));
  BOOST_TEST(has(SweepText("parameters: {probe.parameters.footprint_kib: [1]}\n", head).mistakes(),
                 "the probe has no such parameter; did you mean probe.parameters.footprints_kib?"));
}

BOOST_AUTO_TEST_CASE(a_definition_tells_what_has_changed) {
  const auto definition = [](const std::string& rest) { return sweep_definition(SweepText(rest).plan()); };
  const Json one = definition("parameters: {l2.ways: [8, 16]}\n");
  BOOST_TEST(definition_difference(one, definition("# said otherwise\nparameters:\n  l2.ways: [8, 16]\n")) == "");
  BOOST_TEST(definition_difference(one, definition("statistics: [simulated]\nparameters: {l2.ways: [8, 16]}\n")) == "");
  BOOST_TEST(definition_difference(one, definition("parameters: {l2.ways: [8, 12]}\n")) ==
             "parameters.l2.ways was [\"8\",\"16\"], is [\"8\",\"12\"]");
  BOOST_TEST(definition_difference(one, definition("parameters: {l2.ways: [8, 16], l2.sets: [512]}\n")) ==
             "parameters.l2.sets was nothing, is [\"512\",\"512\"]");
  BOOST_TEST(definition_difference(one, definition("config: rtx4090\nparameters: {l2.ways: [8, 16]}\n")) ==
             "config was , is rtx4090");
}

BOOST_AUTO_TEST_CASE(the_fingerprint_is_of_what_the_files_hold) {
  const std::string rest = "parameters: {l2.ways: [8]}\n";
  const std::string one = SweepText(rest).plan().fingerprint;
  BOOST_TEST(SweepText(rest).plan().fingerprint == one);
  BOOST_TEST(SweepText("config: rtx4090\n" + rest).plan().fingerprint != one);
}

BOOST_AUTO_TEST_CASE(two_paths_to_one_value_are_refused_where_the_second_stands) {
  const auto refused = [](const std::string& parameters) {
    return has(SweepText("parameters: {" + parameters + "}\n").mistakes(),
               "changes the same value as another parameter");
  };
  BOOST_TEST(refused("experiment.phases.0.grid: [2, 4], experiment.phases.write.grid: [8]"));
  BOOST_TEST(refused("experiment.phases.*.grid: [2, 4], experiment.phases.write.grid: [8]"));
  BOOST_TEST(refused("experiment.buffers.out: [{size: 64 KiB}], experiment.buffers.out.size: [128 KiB]"));
  BOOST_TEST(refused("experiment.config: [tiny, teach], config: [tiny]"));
  BOOST_TEST(SweepText("parameters: {experiment.phases.0.grid: [2], experiment.phases.0.block: [64]}\n").mistakes() ==
             "");
}

BOOST_AUTO_TEST_CASE(a_text_that_yaml_would_read_otherwise_is_quoted_on_the_command_line) {
  const SweepPlan plan =
      SweepText("parameters: {experiment.description: [\"a: b\", \"two\\nlines\", \"[x\", \"# no\", plain text]}\n")
          .plan();
  Texts given;
  for (const SweepPoint& point : plan.points) given.push_back(plan.arguments(point).back());
  const std::string set = "experiment.description=";
  BOOST_TEST((given ==
              Texts{set + "\"a: b\"", set + "\"two\\nlines\"", set + "\"[x\"", set + "\"# no\"", set + "plain text"}));
}
