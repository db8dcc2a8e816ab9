// SPDX-License-Identifier: Apache-2.0
//
// What probes are made of: files, cases, children, rows. This process elaborates nothing; every run is a child.
#include "gputlm/test_support/sc_test.h"
//
#include <csignal>
#include <fstream>
#include <set>
#include <sstream>

#include "gputlm/config/data_dir.h"
#include "gputlm/probe/probe_catalogue.h"
#include "gputlm/probe/probe_report.h"
#include "gputlm/test_support/temp_folder.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

const char* const kStore = R"(
experiment: one-store
description: One store, then a fence.
config: tiny
buffers:
  m: {size: 4 KiB, mapped: $mapped}
phases:
  - {name: "${what}", pattern: script, buffer: m, steps: $steps}
probe:
  parameters:
    mapped: true
    what: first
    steps: "[{store: 0}, {fence: gpu}]"
    sizes: [1, 4 KiB]
  full:
    sizes: [8]
  references:
    "half=*": {value: 2, tolerance: 0.1, source: nobody, kind: input, fits: l1.ways}
    nothing: {value: 0, tolerance: 0.5, source: nobody, kind: prediction}
)";

ProbeFile file_of(const std::string& text, bool full = false) {
  const TempFolder folder;
  return read_probe_file(folder.file("probe.yaml", text), full);
}

bool says(const std::exception& e, const std::string& text) {
  return std::string(e.what()).find(text) != std::string::npos;
}

/// With a checker on every arrow and every DRAM channel.
ProbeOptions watched() {
  ProbeOptions options;
  options.check = true;
  return options;
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_probe_has_its_file_and_every_file_its_probe) {
  std::set<std::string> functions, files;
  for (const ProbeFunction& p : probe_functions()) functions.insert(p.name);
  for (const std::string& name : list_yaml(kProbeFolder)) files.insert(name);
  BOOST_TEST(functions == files, boost::test_tools::per_element());
  for (const std::string& name : files) {
    const ProbeFile file = find_probe_file(name, true);
    BOOST_TEST(file.name == name);
    BOOST_TEST(!file.description.empty(), name);
  }
}

BOOST_AUTO_TEST_CASE(a_run_in_a_child_brings_back_times_phases_and_counters) {
  const ProbeFile file = file_of(kStore);
  const ProbeOptions options = watched();
  ProbeRun run(file, options);
  for (const std::string what : {"first", "second"}) {  // each elaborates anew
    const Measurement m = run.measure({{"what", what}});
    BOOST_REQUIRE(m.accesses.size() == 2U);
    BOOST_TEST((m.accesses[0].operation == Operation::store));
    BOOST_TEST((m.accesses[1].operation == Operation::fence));
    BOOST_TEST(m.accesses[0].answered <= m.accesses[1].answered);
    BOOST_TEST(m.accesses[1].issued > m.accesses[0].issued);
    BOOST_TEST(m.phases.at(0).name == what);
    BOOST_TEST(m.phase(what).bytes_stored == 128);
    BOOST_TEST(m.sum("l2", "stores") == 1);
    BOOST_TEST(m.each("lsu", "stores") == (std::vector<double>{1, 0}));
    BOOST_TEST(m.summary["line_transactions"] == 1);
  }
  BOOST_TEST(run.measure({}, {}, Recording::counters).accesses.empty());
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_end_clean_is_one_clear_error) {
  const ProbeFile file = file_of(kStore);
  ProbeOptions options = watched();
  ProbeRun run(file, options);
  BOOST_CHECK_EXCEPTION(run.measure({{"mapped", false}}), ProbeError,
                        [](const ProbeError& e) { return says(e, "one-store") && says(e, "SM 0 warp 0"); });
  options.keep_going = [] { return false; };
  BOOST_CHECK_EXCEPTION(run.measure(), ProbeError, [](const ProbeError& e) { return says(e, "stopped"); });
}

BOOST_AUTO_TEST_CASE(a_child_that_crashes_is_named_with_its_signal) {
  const ProbeFile file = file_of(kStore);
  unsigned asked = 0;
  ProbeOptions options = watched();
  options.keep_going = [&asked]() -> bool {
    if (asked++ > 0) ::raise(SIGKILL);  // the first question is asked before the child is made
    return true;
  };
  ProbeRun run(file, options);
  BOOST_CHECK_EXCEPTION(run.measure({{"steps", "[{store: 0}, {delay: 10000}, {store: 0}]"}}), ProbeError,
                        [](const ProbeError& e) { return says(e, "crashed") && says(e, "Killed"); });
}

BOOST_AUTO_TEST_CASE(an_experiment_that_does_not_fit_the_card_is_bad_input) {
  const ProbeFile file = file_of(kStore);
  const ProbeOptions options = watched();
  ProbeRun run(file, options);
  BOOST_CHECK_THROW(run.measure({{"steps", "[{store: 1000000}]"}}), ConfigError);
  BOOST_CHECK_EXCEPTION(run.measure({{"what", "x"}}, {"l2.no_such_thing=1"}), ConfigError,
                        [](const ConfigError& e) { return says(e, "l2.no_such_thing"); });
}

BOOST_AUTO_TEST_CASE(parameters_come_from_the_file_and_full_ones_only_when_asked_for) {
  const ProbeOptions options = watched();
  const ProbeFile file = file_of(kStore), full = file_of(kStore, true);
  const ProbeRun run(file, options), full_run(full, options);
  BOOST_TEST(run.counts("sizes") == (std::vector<std::uint64_t>{1, 4096}), boost::test_tools::per_element());
  BOOST_TEST(full_run.counts("sizes") == (std::vector<std::uint64_t>{8}), boost::test_tools::per_element());
  BOOST_CHECK_EXCEPTION(run.count("size"), ConfigError,
                        [](const ConfigError& e) { return says(e, "probe.parameters.size"); });
  BOOST_CHECK_EXCEPTION(run.count("what"), ConfigError, [](const ConfigError& e) { return says(e, ".yaml:12"); });
}

BOOST_AUTO_TEST_CASE(a_row_is_held_against_the_reference_of_its_case) {
  const ProbeFile file = file_of(kStore);
  const ProbeOptions options = watched();
  ProbeRun run(file, options);
  run.row("half=1", 2.19, "ns");
  run.row("half=2", 2.21, "ns");
  run.row("half=3", std::nullopt, "ns");
  run.row("other", 7, "ns");
  BOOST_CHECK_EXCEPTION(run.check_references(), ConfigError, [](const ConfigError& e) { return says(e, "nothing"); });
  run.row("nothing", 0.4, "ns");
  run.check_references();
  std::vector<bool> ok;
  for (const ProbeRow& r : run.rows()) ok.push_back(r.ok());
  BOOST_TEST((ok == std::vector<bool>{true, false, false, true, true}));
  BOOST_TEST(row_json(run.rows()[3])["reference"].is_null());
  BOOST_TEST(row_json(run.rows()[0]) ==
             Json::parse(R"({"probe": "one-store", "case": "half=1", "value": 2.19, "unit": "ns", "reference": 2.0,
                             "tolerance": 0.1, "source": "nobody", "kind": "input", "ok": true})"));
}

BOOST_AUTO_TEST_CASE(a_row_is_free_of_the_noise_of_sums) {
  const ProbeFile file = file_of(kStore);
  const ProbeOptions options = watched();
  ProbeRun run(file, options);
  run.row("difference", -5.684341886080802e-14, "ns");
  run.row("mean", 7.69999999999979, "ns");
  run.row("femtosecond", 1e-6, "ns");
  run.row("bytes", 1e15 + 1, "B");
  std::vector<std::string> values;
  for (const ProbeRow& r : run.rows()) values.push_back(row_json(r)["value"].dump());
  BOOST_TEST(values == (std::vector<std::string>{"0.0", "7.7", "1e-06", "1.000000000000001e+15"}),
             boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_value_outside_of_what_was_published_is_shown_with_its_distance_to_the_nearest_figure) {
  Reference r;
  r.value = 872;
  r.tolerance = 0.25;
  r.published = PublishedRange{800, 900};
  BOOST_TEST(r.share_outside(850) == 0);
  BOOST_TEST(r.share_outside(720) == -0.1, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(r.share_outside(990) == 0.1, boost::test_tools::tolerance(1e-9));
  std::ostringstream out;
  print_calibration(out, {{"copy", "1:1", 720, "GB/s", r}}, Config::load("tiny"));
  BOOST_TEST((out.str().find("| copy | 1:1 | GB/s | 800 to 900 | 720 | -10.0 % |") != std::string::npos), out.str());
}

BOOST_AUTO_TEST_CASE(a_wrong_file_is_reported_with_its_places) {
  const auto refused = [](const std::string& text, const std::string& names) {
    BOOST_CHECK_EXCEPTION(file_of(text), ConfigError, [&](const ConfigError& e) { return says(e, names); });
  };
  const std::string head = "experiment: x\nbuffers: {m: {size: 4 KiB}}\nphases: []\nprobe:\n";
  refused(head + "  reference: {}\n", "probe.yaml:5");
  refused(head + "  references: {a: {value: 1, source: X, kind: input}}\n", "tolerance");
  refused(head + "  references: {a: {value: 1, tolerance: 1, source: X, kind: fitted}}\n", "kind");
  refused(head + "  references: {a: {value: 1, tolerance: 1, source: X, kind: input, fits: l1.way}}\n", "l1.ways");
  refused(
      head + "  references: {a: {value: 1, tolerance: 1, source: X, kind: input, published: {least: 2, most: 1}}}\n",
      "published.most");
  refused(head + "  full: {a: 1}\n", "full.a");
  refused(head + "  references: {a: {value: .nan, tolerance: 1, source: X, kind: input}}\n",
          "allowed -1000000000000000 to 1000000000000000");
  refused(head + "  references: {a: {value: 1, tolerance: -1, source: X, kind: input}}\n", "allowed 0 to 1000000");
  const ProbeOptions options = watched();
  const ProbeFile open = file_of("experiment: x\nbuffers: {m: {size: $siez}}\nphases: []\nprobe: {}\n");
  BOOST_CHECK_EXCEPTION(ProbeRun(open, options).measure(), ConfigError,
                        [](const ConfigError& e) { return says(e, "probe.yaml:2:21") && says(e, "$siez"); });
}
