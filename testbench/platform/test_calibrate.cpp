// SPDX-License-Identifier: Apache-2.0
//
// Calibrations of the small card as a user makes them: planted values come back, whatever happens on the way.
#include "gputlm/test_support/sc_test.h"
//
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "command.h"
#include "gputlm/calibrate/evaluator.h"
#include "gputlm/config/quantity.h"

using namespace gputlm;
using namespace gputlm::test;
using nlohmann::json;

namespace {

const char* const kRoad = R"(calibration: road
parameters:
  l1.hit_latency: {min: 5 ns, max: 40 ns}
  mmu.miss_latency: {min: 0 ns, max: 20 ns}
  crossbar.request_latency: {min: 10 ns, max: 80 ns}
  crossbar.response_latency: {min: 10 ns, max: 80 ns}
  mmu.entries: {values: [4, 8, 16, 32]}
probes:
  latency: {footprints_kib: [16]}
  tlb: {passes: 3}
targets:
)";
const std::vector<std::pair<std::string, std::string>> kRoadCases{
    {"latency", "l1"}, {"tlb", "pages=1"}, {"tlb", "pages=64"}, {"tlb", "reach"}};

const char* const kShort = R"(calibration: short
parameters:
  l1.hit_latency: {min: 5 ns, max: 40 ns}
  l2.store_latency: {min: 20 ns, max: 120 ns}
probes:
  latency: {footprints_kib: [16]}
targets:
)";
const std::vector<std::pair<std::string, std::string>> kShortCases{{"latency", "l1"},
                                                                   {"l1-store-policy", "acknowledgement"}};

// The teaching card's clocks have 1 ns: what DRAM takes goes in steps of that. Sizes are those of the card.
const char* const kStairs = R"(calibration: stairs
parameters:
  l1.hit_latency: {min: 5 ns, max: 40 ns}
  l2.load_latency: {min: 10 ns, max: 60 ns}
  mmu.miss_latency: {min: 0 ns, max: 20 ns}
  dram.request_latency: {min: 1 ns, max: 60 ns}
targets:
  - {probe: latency, case: l1, value: 13.3, unit: ns, tolerance: 0.005, source: planted}
  - {probe: latency, case: l2, value: 71.7, unit: ns, tolerance: 0.005, source: planted}
  - {probe: latency, case: dram, value: 125, unit: ns, tolerance: 0.005, source: planted}
  - {probe: latency, case: "dram,translation", value: 8, unit: ns, tolerance: 0.005, source: planted}
)";

/// The file with those figures as targets, or with any where they do not matter yet.
std::string with_targets(const std::string& head, const std::vector<std::pair<std::string, std::string>>& cases,
                         const std::vector<double>& values = {}) {
  std::string text = head;
  for (std::size_t i = 0; i < cases.size(); ++i)
    text += fmt::format("  - {{probe: {}, case: \"{}\", value: {}, tolerance: 0.01, source: planted}}\n",
                        cases[i].first, cases[i].second, values.empty() ? 1.0 : values[i]);
  return text;
}

/// A targets file of what the card measures with the planted values.
std::string planted(const TempFolder& folder, const std::string& head,
                    const std::vector<std::pair<std::string, std::string>>& cases,
                    const std::vector<std::string>& values) {
  const TargetsFile open = read_targets(folder.file("open.yaml", with_targets(head, cases)));
  Journal journal(folder.path("planted.journal"), nullptr, false);
  Evaluator evaluator(open, {"tiny", {}}, journal);
  evaluator.allow(1);
  return folder.file("targets.yaml", with_targets(head, cases, evaluator.evaluate({values}).front()->values));
}

struct Files {
  std::string config, text, report, journal;
  explicit Files(const TempFolder& folder, const std::string& name)
      : config(folder.path(name + ".yaml")),
        text(folder.path(name + ".report.txt")),
        report(folder.path(name + ".report.json")),
        journal(folder.path(name + ".journal")) {}
  void check_same(const Files& other) const {
    BOOST_TEST(contents(config) == contents(other.config));
    BOOST_TEST(contents(text) == contents(other.text));
    BOOST_TEST(contents(report) == contents(other.report));
    BOOST_TEST(contents(journal) == contents(other.journal));
  }
};

Result calibrate(const std::string& targets, const Files& files, const std::string& more = {}) {
  return command(fmt::format("calibrate tiny --targets {} --out {} {}", targets, files.config, more));
}

double ns(const Config& config, const std::string& path) {
  return static_cast<double>(parse_time(config.effective.find(path)->text).value) / 1e6;
}

std::size_t lines_of(const std::string& file) {
  const std::string text = contents(file);
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Starts a calibration and kills it, and with it whatever it has started, once its journal has some lines.
void start_and_kill(const std::string& targets, const Files& files, std::size_t lines) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl(GPUTLM_BINARY, GPUTLM_BINARY, "calibrate", "tiny", "--targets", targets.c_str(), "--out",
            files.config.c_str(), "--jobs", "2", nullptr);
    ::_exit(127);
  }
  while (lines_of(files.journal) < lines) {
    BOOST_REQUIRE(::waitpid(child, nullptr, WNOHANG) == 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(planted_values_come_back_and_what_cannot_is_named) {
  const TempFolder folder;
  const std::string targets = planted(folder, kRoad, kRoadCases, {"21.3 ns", "7.7 ns", "44 ns", "31 ns", "16"});
  const Files files(folder, "fitted");
  const Result r = calibrate(targets, files, "--set mmu.entries=4");
  BOOST_TEST(r.code == 0, r.out);
  const Config fitted = Config::load(files.config);
  BOOST_TEST(std::abs(ns(fitted, "l1.hit_latency") - 21.3) < 1e-3, r.out);
  BOOST_TEST(std::abs(ns(fitted, "mmu.miss_latency") - 7.7) < 2e-2, r.out);
  BOOST_TEST(fitted.effective.find("mmu.entries")->text == "16");
  const double sum = ns(fitted, "crossbar.request_latency") + ns(fitted, "crossbar.response_latency");
  BOOST_TEST(std::abs(sum - 75) < 1e-2, r.out);

  const json report = json::parse(contents(files.report));
  BOOST_TEST(report["met"] == true);
  const json& free = report["sensitivities"]["free_combinations"];
  BOOST_REQUIRE(free.size() == 1U);
  BOOST_TEST(free[0][0]["path"] == "crossbar.request_latency");
  BOOST_TEST(free[0][0]["change"] == "+7 ns");
  BOOST_TEST(free[0][1]["path"] == "crossbar.response_latency");
  BOOST_TEST(free[0][1]["change"] == "-7 ns");
  BOOST_TEST(report["sensitivities"]["alike"].size() == 1U);
  BOOST_TEST(report["sensitivities"]["alternatives"].empty());

  const EffectiveValue& held = *fitted.effective.find("l1.hit_latency");
  BOOST_TEST(held.source == "fitted to road");
  BOOST_TEST(held.confidence == "inferred");
  BOOST_TEST(fitted.effective.find("crossbar.request_latency")->confidence == "assumed");
  BOOST_TEST(fitted.effective.find("l1.ways")->source == "READS");  // what was not fitted keeps its own
  BOOST_TEST(contents(files.config).find("#   latency: l1 = 21.3 ns (planted)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(values_behind_stairs_are_found_and_known_no_closer_than_one) {
  const TempFolder folder;
  const Files files(folder, "fitted");
  const std::string few_lines = "probes: {latency: {per_chunk: 64}}\n";  // the footprints are those of the card
  const std::string targets = folder.file("t.yaml", kStairs + few_lines);
  const Result r = command(fmt::format("calibrate teach --targets {} --out {}", targets, files.config));
  BOOST_TEST(r.code == 0, r.out);
  const json report = json::parse(contents(files.report));
  BOOST_TEST(report["met"] == true);
  const json& known = report["parameters"][3]["known_to"];
  BOOST_REQUIRE(known.is_string());
  BOOST_TEST(parse_time(known.get<std::string>()).value >= 999000, known);  // femtoseconds
}

BOOST_AUTO_TEST_CASE(the_same_bytes_come_out_however_many_run_at_a_time) {
  const TempFolder folder;
  const std::string targets = planted(folder, kShort, kShortCases, {"12.5 ns", "90 ns"});
  const Files one(folder, "one"), four(folder, "four");
  BOOST_TEST(calibrate(targets, one, "--jobs 1").code == 0);
  BOOST_TEST(calibrate(targets, four, "--jobs 4").code == 0);
  one.check_same(four);
}

BOOST_AUTO_TEST_CASE(a_calibration_that_was_killed_is_gone_on_with_to_the_same_end) {
  const TempFolder folder;
  const std::string targets = planted(folder, kShort, kShortCases, {"12.5 ns", "90 ns"});
  const Files whole(folder, "whole"), killed(folder, "killed");
  BOOST_TEST(calibrate(targets, whole).code == 0);
  start_and_kill(targets, killed, 4);
  BOOST_TEST(!fs::exists(killed.config));
  const std::size_t kept = lines_of(killed.journal) - 1;
  const Result r = calibrate(targets, killed, "--resume");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.find(fmt::format("goes on with the {} evaluations", kept)) != std::string::npos, r.out);
  whole.check_same(killed);
  const Result other = calibrate(targets, killed, "--resume --set l1.ways=2");
  BOOST_TEST(other.code == 2, other.out);
  BOOST_TEST(other.out.find(killed.journal + ":1:1: is of another calibration") != std::string::npos, other.out);
}

BOOST_AUTO_TEST_CASE(no_more_is_evaluated_than_the_budget_allows) {
  const TempFolder folder;
  const std::string targets = planted(folder, kShort, kShortCases, {"12.5 ns", "90 ns"});
  const Files files(folder, "fitted");
  const Result r = calibrate(targets, files, "--budget 3 --jobs 3");
  BOOST_TEST(r.code == 1, r.out);  // targets are missed
  const json report = json::parse(contents(files.report));
  BOOST_TEST(report["end"] == "budget spent");
  BOOST_TEST(report["evaluations"] == 3);
  BOOST_TEST(lines_of(files.journal) == 4U);
  BOOST_TEST(report["sensitivities"].is_null());
  BOOST_TEST(calibrate(targets, files, "--budget 100 --resume").code == 0);
}

BOOST_AUTO_TEST_CASE(bad_input_leaves_the_journal_of_an_earlier_calibration) {
  const TempFolder folder;
  const Files files(folder, "fitted");
  const std::string targets = planted(folder, kShort, kShortCases, {"12.5 ns", "90 ns"});
  BOOST_TEST(calibrate(targets, files, "--budget 3").code == 1);
  const std::string earlier = contents(files.journal);
  const std::string wrong = folder.file("wrong.yaml", std::string(kShort) +
                                                          "  - {probe: latency, case: l1, value: 1, tolerance: 1, "
                                                          "source: x, unit: us}\n");
  BOOST_TEST(calibrate(wrong, files).code == 2);
  BOOST_TEST(contents(files.journal) == earlier);
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused_with_its_place_and_nothing_is_written) {
  const TempFolder folder;
  const auto refused = [&](const std::string& arguments, const std::string& says) {
    const Result r = command("calibrate " + arguments + " --out " + folder.path("out.yaml"));
    BOOST_TEST(r.code == 2, r.out);
    BOOST_TEST(r.out.find(says) != std::string::npos, r.out);
    BOOST_TEST(!fs::exists(folder.path("out.yaml")));
    BOOST_TEST(!fs::exists(folder.path("out.journal")));
  };
  const std::string head(kShort);
  const std::string good = folder.file("good.yaml", with_targets(head, kShortCases));
  const std::string wrong = folder.file("wrong.yaml", head +
                                                          "  - {probe: latency, case: l4, value: 1, tolerance: 1, "
                                                          "source: x}\n  - {probe: latncy, case: l1}\n");
  refused("tiny --targets " + wrong, wrong + ":9:13: targets[1].probe");
  const std::string no_case = folder.file("case.yaml", head +
                                                           "  - {probe: latency, case: l4, value: 1, tolerance: 1, "
                                                           "source: x}\n");
  refused("tiny --targets " + no_case, no_case + ":8:5: case: the probe has no such case (found l4");
  const std::string no_unit = folder.file("unit.yaml", head +
                                                           "  - {probe: latency, case: l1, value: 1, tolerance: 1, "
                                                           "source: x, unit: us}\n");
  refused("tiny --targets " + no_unit, no_unit + ":8:5: unit: is not the unit of this case (found us, allowed ns)");
  const std::string too_large =
      folder.file("large.yaml", std::string(kStairs) + "probes: {latency: {footprints_kib: [1, 98304]}}\n");
  refused("teach --targets " + too_large, "memory.size: does not fit");
  refused("tiny --targets " + folder.path("absent.yaml"), "absent.yaml");
  refused("tiny --targets absent", "absent");
  refused("absent --targets " + good, "absent");
  refused("tiny --targets " + good + " --budget 1", "--budget");
  refused("tiny --targets " + good + " --jobs 0", "--jobs");
  refused("tiny", "--targets");
  const Result itself = command("calibrate tiny --targets " + good + " --out " + good);
  BOOST_TEST(itself.code == 2);
  BOOST_TEST(itself.out.find("the run reads it") != std::string::npos, itself.out);
}
