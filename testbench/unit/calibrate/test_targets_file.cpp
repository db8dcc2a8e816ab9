// SPDX-License-Identifier: Apache-2.0
//
// Targets files as users write them, right and wrong.
#include "gputlm/test_support/sc_test.h"
//
#include "gputlm/calibrate/targets_file.h"
#include "gputlm/config/data_dir.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

const std::string kHead = "calibration: x\n";
const std::string kParameters = "parameters:\n  l1.hit_latency: {min: 5 ns, max: 40 ns}\n";
const std::string kTargets = "targets:\n  - {probe: tlb, case: step, value: 4, tolerance: 0.1, source: X}\n";

TargetsFile file_of(const std::string& text) {
  const TempFolder folder;
  return read_targets(folder.file("t.yaml", text));
}

FittedParameter parameter(const std::string& path, const std::string& map) {
  return file_of(kHead + "parameters:\n  " + path + ": " + map + "\n" + kTargets).parameters.at(0);
}

void check_refused(const std::string& text, const std::string& says) {
  try {
    file_of(text);
    BOOST_ERROR("taken: " + text);
  } catch (const ConfigError& e) {
    BOOST_TEST(std::string(e.what()).find(says) != std::string::npos, e.what());
  }
}

void check_parameter_refused(const std::string& line, const std::string& says) {
  check_refused(kHead + "parameters:\n  " + line + "\n" + kTargets, "t.yaml:3:" + says);
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_shipped_file_is_right) {
  BOOST_TEST(!list_yaml(kTargetsFolder).empty());
  for (const std::string& name : list_yaml(kTargetsFolder)) {
    const TargetsFile t = read_targets(name);
    BOOST_TEST(t.name == name);
    BOOST_TEST(!t.description.empty(), name);
  }
}

BOOST_AUTO_TEST_CASE(a_target_takes_over_what_the_probes_file_says_of_its_case) {
  const TargetsFile t =
      file_of(kHead + kParameters + "targets:\n  - {probe: tlb, case: step}\n" + "probes:\n  tlb: {passes: 3}\n");
  BOOST_TEST(t.targets[0].wanted.value == 4.4);
  BOOST_TEST(t.targets[0].wanted.source == "READS");
  BOOST_TEST(t.targets[0].wanted.place.line == 5U);
  BOOST_TEST(t.targets[0].scale() == 0.05 * 4.4, boost::test_tools::tolerance(1e-12));
  BOOST_TEST(t.probes.at(0).parameters.find("passes")->text == "3");
}

BOOST_AUTO_TEST_CASE(a_number_moves_between_its_bounds_in_round_values) {
  const FittedParameter time = parameter("l1.hit_latency", "{min: 5 ns, max: 40 ns}");
  BOOST_TEST(time.text(0) == "5 ns");
  BOOST_TEST(time.text(1) == "40 ns");
  BOOST_TEST(time.text(1.0 / 3) == "16.6667 ns");
  BOOST_TEST(time.allowed() == "5 ns to 40 ns");
  const FittedParameter real = parameter("sm.store_issue_interval", "{min: 2, max: 20}");
  BOOST_TEST(real.text(0.2277778) == "6.1");
  const FittedParameter stepped = parameter("sm.store_issue_interval", "{min: 2, max: 3, step: 0.1}");
  BOOST_TEST(stepped.text(stepped.axis().nearest(0.71)) == "2.7");
  BOOST_TEST(stepped.axis().quantum == 0.1, boost::test_tools::tolerance(1e-12));
  const FittedParameter whole = parameter("mmu.entries", "{min: 3, max: 12, step: 4}");
  BOOST_TEST(whole.text(1) == "11");  // 3, 7, 11
  BOOST_TEST(whole.allowed() == "3 to 11 in steps of 4");
  const FittedParameter listed = parameter("l2.replacement.policy", "{values: [rrip, lru]}");
  BOOST_TEST(listed.text(1) == "lru");
  BOOST_TEST(!listed.axis().ordered);
}

BOOST_AUTO_TEST_CASE(a_configurations_value_is_found_or_brought_to_the_nearest) {
  const Config card = Config::load("tiny", std::vector<std::string>{"l1.hit_latency=60 ns", "mmu.entries=9"});
  BOOST_TEST(parameter("l1.hit_latency", "{min: 5 ns, max: 40 ns}").share_of(card) == 1);
  BOOST_TEST(parameter("mmu.entries", "{min: 3, max: 12, step: 4}").share_of(card) == 1);  // 11: of two as near
  BOOST_TEST(parameter("mmu.entries", "{values: [4, 9, 16]}").share_of(card) == 0.5);
  BOOST_TEST(parameter("mmu.entries", "{values: [4, 8, 16]}").share_of(card) == 0);
}

BOOST_AUTO_TEST_CASE(mistakes_in_parameters_have_their_places) {
  check_parameter_refused("l1.hit_latenc: {min: 5 ns, max: 40 ns}", "18: parameters.l1.hit_latenc: unknown parameter");
  check_parameter_refused("l1.hit_latency: {min: 5, max: 40 ns}", "25: parameters.l1.hit_latency.min: needs a unit");
  check_parameter_refused("l1.hit_latency: {min: 5 ns}", "19: parameters.l1.hit_latency.max: is missing");
  check_parameter_refused("l1.hit_latency: {min: 5 ns, max: 5 ns}", "36: parameters.l1.hit_latency.max: is not above");
  check_parameter_refused("l1.hit_latency: {min: 5 ns, max: 2 s}", "36: parameters.l1.hit_latency.max: out of range");
  check_parameter_refused("l1.hit_latency: {min: 5 ns, max: 9 ns, step: 5 ns}", "48: parameters.l1.hit_latency.step");
  check_parameter_refused("l1.hit_latency: {min: 5 ns, max: 9 ns, sept: 1 ns}", "42: parameters.l1.hit_latency.sept");
  check_parameter_refused("l1.hit_latency: 5 ns", "19: parameters.l1.hit_latency: must be a map");
  check_parameter_refused("l2.replacement.policy: {min: 1, max: 2}", "26: parameters.l2.replacement.policy: is no");
  check_parameter_refused("l2.replacement.policy: {values: [rrip, lur]}", "42: ");
  check_parameter_refused("mmu.entries: {values: [4, 4]}", "29: ");
  check_parameter_refused("mmu.entries: {values: 4}", "25: ");
}

BOOST_AUTO_TEST_CASE(mistakes_in_targets_and_probes_have_their_places) {
  const std::string head = kHead + kParameters + "targets:\n  - ";
  check_refused(head + "{probe: tbl, case: step}\n", "t.yaml:5:13: targets[0].probe: not one of the names");
  check_refused(head + "{probe: tlb, case: stpe}\n", "t.yaml:5:5: targets[0].value: is missing");
  check_refused(head + "{probe: tlb, case: step, value: 1, source: X}\n", "t.yaml:5:5: targets[0].tolerance");
  check_refused(head + "{probe: tlb, case: step, value: x, tolerance: 1, source: X}\n", "t.yaml:5:37: ");
  const auto figures = [&](const std::string& value, const std::string& tolerance) {
    return head + "{probe: tlb, case: step, value: " + value + ", tolerance: " + tolerance + ", source: X}\n";
  };
  check_refused(figures("1", "-1"), "t.yaml:5:51: targets[0].tolerance: out of range (found -1, allowed 0 to 1");
  check_refused(figures(".nan", "1"), "t.yaml:5:37: targets[0].value: not a number");
  check_refused(figures(".nan", "1"), "allowed -1000000000000000 to 1000000000000000");
  check_refused(figures("1e-300", "1"), "is too near to 0 (found 1e-300, allowed 0, or at least 1e-12 from it)");
  check_refused(figures("1", "1e-300"), "targets[0].tolerance: is too near to 0");
  check_refused(head + "{probe: tlb, case: step}\n  - {probe: tlb, case: step}\n",
                "t.yaml:6:5: targets[1]: is a target");
  check_refused(kHead + kParameters + "targets: []\n", "t.yaml:4:10: targets: is an empty list");
  check_refused(kHead + "parameters: {}\n" + kTargets, "t.yaml:2:13: parameters: names no parameter");
  const std::string whole = kHead + kParameters + kTargets;
  check_refused(whole + "probes: {latency: {page: 4 KiB}}\n",
                "t.yaml:6:19: probes.latency: no target is of this probe");
  check_refused(whole + "probes: {tlb: {passses: 4}}\n",
                "passses: the probe has no such parameter; did you mean passes");
  check_refused(whole + "probes: {tlb: {passes: many}}\n", "t.yaml:6:24: probes.tlb.passes: is not of the kind");
  check_refused(whole + "probes: {tlb: {passes: [1, 2]}}\n", "is not of the kind");
  check_refused(whole + "budget: 4\n", "t.yaml:6:1: budget: unknown key");
  check_refused("", "t.yaml");
  check_refused("\x7f\x45\x4c\x46", "t.yaml");
}
