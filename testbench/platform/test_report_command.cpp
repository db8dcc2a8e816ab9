// SPDX-License-Identifier: Apache-2.0
//
// Reports as a user makes them: what a run leaves for them, and what they refuse.
#include "gputlm/test_support/sc_test.h"

#include "command.h"

using namespace gputlm::test;
using nlohmann::json;

namespace {

/// A small run and what may be wrong with it afterwards.
struct Reported {
  TempFolder folder;
  const std::string small = folder.file("small.yaml", kSmall);
  const std::string run = folder.path("run"), page = folder.path("page.html");

  Reported() {
    const Result r = command("run " + small + " --out " + run);
    BOOST_REQUIRE_MESSAGE(r.code == 0, r.out);
  }
  Result report(const std::string& arguments) const { return command("report " + arguments + " -o " + page); }
  bool written() const { return fs::exists(page); }
  void spoil(const std::string& name, const std::string& text) const { folder.file("run/" + name, text); }
  void refused(const std::string& why) const {
    const Result r = report(run);
    BOOST_TEST(r.code == 2, r.out);
    BOOST_TEST(r.out.find(why) != std::string::npos, r.out);
    BOOST_TEST(std::count(r.out.begin(), r.out.end(), '\n') == 1, r.out);
    BOOST_TEST(!written());
  }
};

/// The document that a page holds.
json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t from = page.find(begin) + begin.size();
  return json::parse(page.substr(from, page.find("</script>", from) - from));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_report_is_one_file_with_the_runs_figures) {
  const Reported r;
  const Result made = r.report(r.run);
  BOOST_TEST(made.code == 0, made.out);
  const std::string page = contents(r.page);
  BOOST_TEST(page.find("<!DOCTYPE html>") == 0U);
  BOOST_TEST(page.find("src=\"http") == std::string::npos);
  BOOST_TEST(page.size() < 2'000'000U);
  const json data = data_of(page);
  BOOST_TEST(data["runs"].size() == 1U);
  BOOST_TEST((data["runs"][0]["summary"] == summary_in(r.run)));
  BOOST_TEST(data["runs"][0]["seed"] == "1");
  BOOST_TEST(data["runs"][0]["pictures"]["frames"]["list"].size() > 60U);
  BOOST_TEST(data["runs"][0]["series"]["time_ns"].size() > 10U);
  BOOST_TEST(data["runs"][0]["statistics"]["lsu"]["stores"]["values"].size() == 2U);
  BOOST_TEST(page.find(r.folder.path().string() + "/small.yaml") ==
             std::string::npos);  // of the configuration's origins
  const Result again = r.report(r.run);
  BOOST_TEST(contents(r.page) == page);
}

BOOST_AUTO_TEST_CASE(a_seed_beyond_a_pages_numbers_is_exact) {
  const Reported r;
  BOOST_TEST(command("run " + r.small + " --seed 18446744073709551615 --out " + r.run).code == 0);
  BOOST_TEST(r.report(r.run).code == 0);
  BOOST_TEST(data_of(contents(r.page))["runs"][0]["seed"] == "18446744073709551615");
}

BOOST_AUTO_TEST_CASE(several_runs_are_compared) {
  const Reported r;
  const std::string other = r.folder.path("other");
  BOOST_TEST(command("run " + r.small + " --set l2.janitor.dirty_threshold=2 --out " + other).code == 0);
  BOOST_TEST(r.report(r.run + " " + other).code == 0);
  BOOST_TEST(data_of(contents(r.page))["runs"].size() == 2U);
  std::string seven;
  for (int i = 0; i < 7; ++i) seven += r.run + " ";
  BOOST_TEST(r.report(seven).code == 2);
}

BOOST_AUTO_TEST_CASE(what_is_no_runs_directory_is_refused) {
  const Reported r;
  for (const std::string& absent : {r.folder.path("nothing"), r.folder.path().string(), r.small}) {
    const Result refused = r.report(absent);
    BOOST_TEST(refused.code == 2, refused.out);
    BOOST_TEST(refused.out.find(absent) != std::string::npos, refused.out);
    BOOST_TEST(!r.written());
  }
  BOOST_TEST(command("report").code == 2);
  BOOST_TEST(command("report " + r.run + " -o ''").code == 2);
}

BOOST_AUTO_TEST_CASE(files_that_are_not_whole_are_refused) {
  const Reported r;
  const std::string whole = contents(fs::path(r.run) / "pictures.json"),
                    summary = contents(fs::path(r.run) / "summary.json");
  r.spoil("summary.json", summary.substr(0, summary.size() / 2));
  r.refused("summary.json: is no whole JSON document");
  r.spoil("summary.json", "[]");
  r.refused("summary.json: is no whole JSON document");
  r.spoil("summary.json", "{\"version\": \"1\", \"experiment\": 5}");
  r.refused("is no run's summary: no experiment");
  r.spoil("summary.json", summary);
  r.spoil("pictures.json", whole.substr(0, whole.size() - 9));
  r.refused("pictures.json: is no whole JSON document");
  r.spoil("pictures.json", "{\"format\": 99}");
  r.refused("of another form");
  r.spoil("pictures.json", "{\"format\": 1, \"frames\": {\"list\": [5]}}");
  r.refused("pictures.json: is not whole");
  r.spoil("pictures.json", whole);
  r.spoil("timeseries.csv", "time_ns,bytes_stored\n1.000,5\n2.000");
  r.refused("timeseries.csv: is no whole time series");
}

BOOST_AUTO_TEST_CASE(an_output_that_cannot_be_written_leaves_nothing) {
  const Reported r;
  BOOST_TEST(command("report " + r.run + " -o " + r.folder.path("missing/page.html")).code == 2);
  BOOST_TEST(command("report " + r.run + " -o " + r.run).code == 2);
  const std::string summary = contents(fs::path(r.run) / "summary.json");
  BOOST_TEST(command("report " + r.run + " -o " + r.run + "/summary.json").code == 2);  // which it reads
  BOOST_TEST(contents(fs::path(r.run) / "summary.json") == summary);
  for (int i = 0; i < 2; ++i) BOOST_TEST(command("report " + r.run + " -o " + r.run + "/report.html").code == 0);
  r.folder.file("page.html", "before");
  BOOST_TEST(r.report(r.folder.path("nothing")).code == 2);
  BOOST_TEST(contents(r.page) == "before");
  BOOST_TEST(listing(r.folder.path()) == "page.html run small.yaml");
}

BOOST_AUTO_TEST_CASE(a_directory_of_an_earlier_version_has_a_report_without_frames) {
  const Reported r;
  fs::remove(fs::path(r.run) / "pictures.json");
  BOOST_TEST(r.report(r.run).code == 0);
  BOOST_TEST(data_of(contents(r.page))["runs"][0]["pictures"].is_null());
}

BOOST_AUTO_TEST_CASE(a_followed_access_comes_into_the_report) {
  const Reported r;
  const Result followed = command("follow " + r.small + " --slowest store --keep " + r.run);
  BOOST_TEST(followed.code == 0, followed.out);
  BOOST_TEST(r.report(r.run).code == 0);
  const json journeys = data_of(contents(r.page))["runs"][0]["journeys"];
  BOOST_TEST(journeys.size() == 1U);
  BOOST_TEST(journeys[0]["op"] == "store");
  BOOST_TEST(journeys[0]["experiment"] == "small");
  BOOST_TEST(command("follow " + r.small + " --keep " + r.folder.path("nothing")).code == 2);
  r.spoil("journey-broken.json", "{}");
  BOOST_TEST(r.report(r.run).code == 2);
}

BOOST_AUTO_TEST_CASE(journeys_of_an_earlier_run_go_with_its_results_and_a_kept_one_tells_its_configuration) {
  const Reported r;
  const std::string advised = "follow " + r.run + "/experiment.yaml --slowest store --config " + r.run +
                              "/config.yaml --seed 1 --keep " + r.run;
  BOOST_TEST(command(advised).code == 0);
  BOOST_TEST(r.report(r.run).code == 0);
  const json run = data_of(contents(r.page))["runs"][0], journey = run["journeys"][0];
  BOOST_TEST(journey["config"] == r.run + "/config.yaml");
  BOOST_TEST(journey["set"].is_array());
  for (const json& p : run["configuration"]) BOOST_TEST((journey["parameters"][std::string(p["path"])] == p["value"]));
  BOOST_TEST(command("run " + r.small + " --set l2.janitor.dirty_threshold=2 --out " + r.run).code == 0);
  BOOST_TEST(listing(r.run).find("journey") == std::string::npos);
  const std::string elsewhere = r.folder.path("elsewhere");
  fs::create_directory(elsewhere);
  r.folder.file("elsewhere/journey-mine.json", "mine");
  BOOST_TEST(command("run " + r.small + " --out " + elsewhere).code == 0);
  BOOST_TEST(contents(fs::path(elsewhere) / "journey-mine.json") == "mine");
}

BOOST_AUTO_TEST_CASE(a_sweep_has_a_page_of_its_own_and_is_not_mixed_with_runs) {
  const Reported r;
  const std::string sweep = r.folder.path("sweep");
  fs::create_directory(sweep);
  const std::string whole = R"({"format": 1, "sweep": "by <hand>", "description": "", "version": "1", "kind": "probe",
    "target": "t", "config": "c", "method": "grid", "seed": 1, "parameters": [], "statistics": [], "points": []})";
  r.folder.file("sweep/sweep.json", whole);
  const Result made = r.report(sweep);
  BOOST_TEST(made.code == 0, made.out);
  const std::string page = contents(r.page);
  BOOST_TEST(page.find("<title>by &lt;hand> - gputlm report</title>") != std::string::npos);
  BOOST_TEST(data_of(page)["sweeps"][0]["sweep"] == "by <hand>");
  BOOST_TEST(page.find("Dygraph") == std::string::npos);
  fs::remove(r.page);
  const Result mixed = r.report(sweep + " " + r.run);
  BOOST_TEST(mixed.code == 2, mixed.out);
  BOOST_TEST(mixed.out.find(r.run + ": is no sweep's directory") != std::string::npos, mixed.out);
  BOOST_TEST(command("report " + sweep + " -o " + sweep + "/sweep.json").code == 2);
  BOOST_TEST(contents(fs::path(sweep) / "sweep.json") == whole);
  r.folder.file("sweep/sweep.json", whole.substr(0, 99));
  BOOST_TEST(r.report(sweep).code == 2);
  BOOST_TEST(!r.written());
}

BOOST_AUTO_TEST_CASE(a_report_takes_the_place_of_nothing_that_it_reads) {
  const Reported r;
  const std::string config = contents(fs::path(r.run) / "config.yaml");
  const std::string base = r.folder.file("base.yaml", config);
  r.spoil("config.yaml", "base: ../base.yaml\n");
  fs::create_symlink("run/config.yaml", r.folder.path("soft.html"));
  fs::create_hard_link(base, r.folder.path("hard.html"));
  fs::create_hard_link(fs::path(r.run) / "stats.json", fs::path(r.run) / "stats.html");
  for (const std::string& target :
       {r.run + "/config.yaml", base, r.folder.path("soft.html"), r.folder.path("hard.html"), r.run + "/stats.html"}) {
    const Result refused = command("report " + r.run + " -o " + target);
    BOOST_TEST(refused.code == 2, target << ": " << refused.out);
    BOOST_TEST(refused.out.find("the run reads it") != std::string::npos, refused.out);
  }
  BOOST_TEST(contents(base) == config);
}
