// SPDX-License-Identifier: Apache-2.0
//
// Sweeps as a user makes them: the table, going on after a kill, points that fail, and what is refused.
#include "gputlm/test_support/sc_test.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "command.h"

using namespace gputlm::test;
using nlohmann::json;

namespace {

const std::string kFour = R"(sweep: four
experiment: small.yaml
parameters:
  l2.janitor.dirty_threshold: [4, 8]
  experiment.phases.write.grid: [4, 8]
)";

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Swept {
  TempFolder folder;
  const std::string out = folder.path("out");

  Swept() { folder.file("small.yaml", kSmall); }
  std::string file(const std::string& text) const { return folder.file("sweep.yaml", text); }
  Result sweep(const std::string& text, const std::string& options = "") const {
    return command("sweep " + file(text) + " --out " + out + " " + options);
  }
  std::vector<std::string> rows() const { return lines_of(contents(out + "/results.csv")); }
  json description() const { return json::parse(contents(out + "/sweep.json")); }
  std::string states() const {
    std::string all;
    const json d = description();
    for (const json& point : d["points"]) all += point["state"].get<std::string>() + " ";
    return all;
  }
};

void is_refused(const Result& r, const std::string& why) {
  BOOST_TEST(r.code == 2, r.out);
  BOOST_TEST(r.out.find(why) != std::string::npos, r.out);
}

/// Starts the command in a process group of its own; its end is the caller's to bring about.
pid_t start(const std::vector<std::string>& arguments) {
  std::vector<char*> pointers{const_cast<char*>(GPUTLM_BINARY)};
  for (const std::string& a : arguments) pointers.push_back(const_cast<char*>(a.c_str()));
  pointers.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  const int nothing = ::open("/dev/null", O_RDWR);
  for (const int stream : {0, 1, 2}) ::dup2(nothing, stream);
  ::execv(pointers[0], pointers.data());
  ::_exit(127);
}

std::size_t results_in(const std::string& out) {
  std::size_t count = 0;
  std::error_code ignored;
  for (fs::directory_iterator it(out + "/points", ignored), end; !ignored && it != end; it.increment(ignored))
    count += fs::exists(it->path() / "result.json") ? 1U : 0U;
  return count;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_2x2_sweep_gives_four_rows_and_each_point_is_what_a_run_of_it_gives) {
  const Swept s;
  const Result r = s.sweep(kFour, "--jobs 2");
  BOOST_TEST(r.code == 0, r.out);
  const std::vector<std::string> rows = s.rows();
  BOOST_REQUIRE(rows.size() == 5U);
  BOOST_TEST(
      rows[0].find("point,state,l2.janitor.dirty_threshold [lines],experiment.phases.write.grid,simulated [ns]") == 0U);
  BOOST_TEST(rows[3].find("3,done,8,4,") == 0U);
  BOOST_TEST(s.states() == "done done done done ");
  BOOST_TEST(listing(s.out) == "points results.csv results.db sweep.json sweep.yaml");
  BOOST_TEST(listing(s.out + "/points/0003") == "log.txt point.json result.json run");
  const std::string run = s.folder.path("run");
  BOOST_TEST(command("run " + s.folder.path("small.yaml") + " --set l2.janitor.dirty_threshold=8 --set " +
                     "experiment.phases.write.grid=4 --out " + run)
                 .code == 0);
  json by_hand = summary_in(run), swept = summary_in(s.out + "/points/0003/run");
  for (json* j : {&by_hand, &swept}) j->erase("wall_s"), j->erase("memory_peak_mib");
  BOOST_TEST((by_hand == swept));
  BOOST_TEST(s.description()["points"][2]["statistics"]["simulated"] == by_hand["simulated_ns"]);
  BOOST_TEST(s.description()["config"] == "tiny");  // the experiment's own
}

BOOST_AUTO_TEST_CASE(files_in_the_directory_that_are_not_a_sweeps_stay) {
  for (const char* name : {"results.csv", "sweep.yaml"}) {
    const Swept s;
    fs::create_directories(s.out);
    std::ofstream(s.out + "/" + name) << "mine\n";
    is_refused(s.sweep(kFour), std::string(name) + ": is there, and no results of a sweep");
    BOOST_TEST(contents(s.out + "/" + name) == "mine\n");
  }
}

BOOST_AUTO_TEST_CASE(a_points_damaged_result_makes_it_run_again) {
  const Swept s;
  BOOST_REQUIRE(s.sweep(kFour).code == 0);
  const std::string before = contents(s.out + "/results.csv");
  std::ofstream(s.out + "/points/0001/result.json") << "{\"state\": 5}";
  const Result r = s.sweep(kFour, "--resume");
  BOOST_TEST(r.out.find("4 points, 4 done (1 of them now)") != std::string::npos, r.out);
  BOOST_TEST(contents(s.out + "/results.csv") == before);
}

BOOST_AUTO_TEST_CASE(tables_do_not_depend_on_how_many_points_run_at_a_time) {
  const Swept one, three;
  BOOST_TEST(one.sweep(kFour, "--jobs 1").code == 0);
  BOOST_TEST(three.sweep(kFour, "--jobs 3").code == 0);
  for (const char* name : {"results.csv", "results.db"})
    BOOST_TEST((contents(fs::path(one.out) / name) == contents(fs::path(three.out) / name)), name);
}

BOOST_AUTO_TEST_CASE(a_killed_sweep_goes_on_without_losing_or_repeating_a_finished_point) {
  const Swept s;
  const std::string text = "sweep: many\nexperiment: small.yaml\nparameters: {experiment.seed: {from: 1, to: 24}}\n";
  const std::string file = s.file(text);
  const pid_t sweep = start({"sweep", file, "--out", s.out, "--jobs", "2"});
  while (results_in(s.out) < 3) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::kill(sweep, SIGKILL);
  ::waitpid(sweep, nullptr, 0);
  const std::size_t finished = results_in(s.out);
  BOOST_REQUIRE(finished < 24U);
  const fs::file_time_type first = fs::last_write_time(s.out + "/points/0001/result.json");
  is_refused(s.sweep(text), "--resume goes on with it");
  const Result r = s.sweep(text, "--resume");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.find("24 points, 24 done (" + std::to_string(24 - finished) + " of them now)") != std::string::npos,
             r.out);
  BOOST_TEST((fs::last_write_time(s.out + "/points/0001/result.json") == first));
  BOOST_TEST(s.rows().size() == 25U);
  const Swept whole;
  BOOST_TEST(whole.sweep(text).code == 0);
  BOOST_TEST(contents(s.out + "/results.csv") == contents(whole.out + "/results.csv"));
}

BOOST_AUTO_TEST_CASE(a_stopped_sweep_says_so_and_goes_on) {
  const Swept s;
  const std::string text = "sweep: many\nexperiment: small.yaml\nparameters: {experiment.seed: {from: 1, to: 24}}\n";
  const pid_t sweep = start({"sweep", s.file(text), "--out", s.out, "--jobs", "1"});
  while (results_in(s.out) < 2) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ::kill(sweep, SIGINT);
  int status = 0;
  ::waitpid(sweep, &status, 0);
  BOOST_TEST((WIFEXITED(status) && WEXITSTATUS(status) == 130));
  BOOST_TEST(s.rows().size() >= 3U);
  BOOST_TEST(s.states().find("failed") == std::string::npos);
  BOOST_TEST(s.states().find("waiting") != std::string::npos);
  BOOST_TEST(s.sweep(text, "--resume").code == 0);
  BOOST_TEST(s.rows().size() == 25U);
}

BOOST_AUTO_TEST_CASE(a_failing_point_is_reported_and_run_again_on_request) {
  const Swept s;
  s.folder.file("small.yaml", std::string(kSmall) + "end: drain\n");
  std::string text = contents(s.folder.path("small.yaml"));
  text.replace(text.find("in: pattern"), 11, "in: {file: data.bin}");
  s.folder.file("small.yaml", text);
  const std::string sweep =
      "sweep: fails\nexperiment: small.yaml\nparameters: {experiment.image.in.file: [none.bin, sweep.yaml]}\n";
  const Result r = s.sweep(sweep);
  BOOST_TEST(r.code == 1, r.out);
  BOOST_TEST(r.out.find("point 1 (experiment.image.in.file=none.bin) failed: exit code 2: ") != std::string::npos,
             r.out);
  BOOST_TEST(r.out.find("points/0001/log.txt") != std::string::npos, r.out);
  BOOST_TEST(s.states() == "failed done ");
  BOOST_TEST(s.rows().at(1).find("1,failed,none.bin,,") == 0U);
  s.folder.file("none.bin", "now it is there");
  BOOST_TEST(s.sweep(sweep, "--resume").code == 1);  // failed points stay
  const Result again = s.sweep(sweep, "--retry-failed");
  BOOST_TEST(again.code == 0, again.out);
  BOOST_TEST(again.out.find("2 points, 2 done (1 of them now), 0 failed") != std::string::npos, again.out);
  BOOST_TEST(s.states() == "done done ");
}

BOOST_AUTO_TEST_CASE(another_sweep_is_not_mixed_with_results_that_are_there) {
  const Swept s;
  BOOST_TEST(s.sweep(kFour).code == 0);
  const std::string before = contents(s.out + "/results.csv");
  std::string other = kFour;
  other.replace(other.find("[4, 8]"), 6, "[4, 6]");
  is_refused(s.sweep(other, "--resume"),
             "is not the sweep whose results are in " + s.out + ": parameters.l2.janitor.dirty_threshold was ");
  is_refused(s.sweep("config: rtx4090\n" + kFour, "--resume"), "config was , is rtx4090");
  BOOST_TEST(contents(s.out + "/results.csv") == before);
  s.folder.file("small.yaml", std::string(kSmall) + "seed: 2\n");
  is_refused(s.sweep(kFour, "--resume"), "what the experiment's or a configuration's file holds has changed");
  BOOST_TEST(s.sweep(kFour, "--restart").code == 0);
}

BOOST_AUTO_TEST_CASE(other_statistics_are_taken_from_points_that_have_run) {
  const Swept s;
  BOOST_TEST(s.sweep(kFour).code == 0);
  const Result r = s.sweep(
      kFour + "statistics: [phases.write.store_bandwidth, stats.total.l2.stores, summary.seed, phases.x.time]\n",
      "--resume");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.find("(0 of them now)") != std::string::npos, r.out);
  BOOST_TEST(r.out.find("no point has the statistic phases.x.time") != std::string::npos, r.out);
  BOOST_TEST(
      s.rows().at(0).find("grid,phases.write.store_bandwidth [GB/s],stats.total.l2.stores [request],summary.seed") !=
      std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_probe_is_swept_over_the_card_and_its_own_parameters) {
  const Swept s;
  const Result r = s.sweep("sweep: p\nprobe: fence-cost\nparameters: {l2.load_latency: [40 ns, 60 ns]}\n");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(s.rows().size() == 3U);
  BOOST_TEST(s.description()["statistics"].size() > 1U);
  BOOST_TEST(s.description()["kind"] == "probe");
}

BOOST_AUTO_TEST_CASE(bad_input_is_refused_before_anything_runs) {
  const Swept s;
  const std::string rest = "experiment: small.yaml\nparameters: {l2.ways: [8, 0]}\n";
  is_refused(s.sweep("sweep: x\n" + rest), "sweep.yaml:3:27: l2.ways: out of range (found 0, allowed 1 to 64)");
  is_refused(s.sweep(""), "sweep.yaml");
  is_refused(s.sweep(std::string("\x7f\x45\x4c\x46\x02\x00\x00", 7)), "sweep.yaml");
  is_refused(s.sweep("- 1\n"), "sweep.yaml");
  BOOST_TEST(!fs::exists(s.out));
  is_refused(command("sweep " + s.folder.path("absent.yaml")), "absent.yaml");
  is_refused(command("sweep " + s.folder.path().string()), "");
  is_refused(command("sweep"), "name a sweep");
  is_refused(command("sweep janitor-thresh"), "janitor-threshold");
  is_refused(s.sweep(kFour, "--jobs 0"), "--jobs");
  is_refused(s.sweep(kFour, "--engine pbs"), "--engine");
  is_refused(s.sweep(kFour, "--resume --restart"), "--restart");
  is_refused(command("sweep " + s.file(kFour) + " --out /proc/none"), "/proc/none");
}

BOOST_AUTO_TEST_CASE(without_slurm_on_the_path_its_engine_is_refused) {
  const Swept s;
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", s.folder.path().c_str(), 1);
  const Result r = s.sweep(kFour, "--engine slurm");
  ::setenv("PATH", path.c_str(), 1);
  is_refused(r, "--engine slurm: the command is not on the PATH (found sbatch");
}

BOOST_AUTO_TEST_CASE(a_dry_run_shows_the_points_and_leaves_nothing) {
  const Swept s;
  const Result r = s.sweep(kFour, "--dry-run");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(r.out.find("   4  l2.janitor.dirty_threshold=8, experiment.phases.write.grid=8\n") != std::string::npos);
  BOOST_TEST(!fs::exists(s.out));
}

BOOST_AUTO_TEST_CASE(every_shipped_sweep_can_be_run) {
  const Result r = command("sweep --all --dry-run");
  BOOST_TEST(r.code == 0, r.out);
  for (const char* name : {"janitor-threshold: 32 points", "write-queue-marks: 26 points", "slice-hash: 16 points"})
    BOOST_TEST(r.out.find(name) != std::string::npos, r.out);
}
