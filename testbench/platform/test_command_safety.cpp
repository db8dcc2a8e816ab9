// SPDX-License-Identifier: Apache-2.0
//
// What the command must never do: lose results, write elsewhere, hang, or fail without saying so.
#include "gputlm/test_support/sc_test.h"

#include <sys/stat.h>

#include "command.h"

using namespace gputlm::test;

namespace {

/// A small experiment of that name.
std::string named(const std::string& name) {
  std::string text = kSmall;
  return text.replace(text.find("small"), 5, name);
}

// Nothing happens for long stretches, and 2^31 blocks never end within a test.
const char* const kEndless = R"(
experiment: endless
config: tiny
sample_interval: 1 s
buffers:
  out: {size: 1 MiB}
phases:
  - {name: write, pattern: stream_store, buffer: out, repeat: 1000000, grid: 16, block: 128}
)";

const std::string kFiles = "config.yaml experiment.yaml pictures.json stats.json summary.json timeseries.csv";

}  // namespace

BOOST_AUTO_TEST_CASE(a_refused_run_leaves_earlier_results_alone) {
  const TempFolder d;
  const fs::path out = d.path() / "r";
  const std::string small = d.file("small.yaml", kSmall), to = " --out " + out.string();
  BOOST_REQUIRE(command("run " + small + to).code == 0);
  const std::string before = contents(out / "summary.json");
  const std::string too_wide =
      d.file("wide.yaml",
             "experiment: w\nconfig: tiny\nbuffers: {b: {size: 1 GiB}}\nphases:\n"
             "  - {pattern: stream_store, buffer: b}\n");  // only the elaborated card shows that it is
  for (const std::string& bad : {std::string("absent"), small + " --set l2.ways=0", too_wide})
    BOOST_TEST(command("run " + bad + to).code == 2);
  BOOST_TEST(contents(out / "summary.json") == before);
  BOOST_TEST(listing(out) == kFiles);
}

BOOST_AUTO_TEST_CASE(files_that_are_not_the_runs_own_are_left_alone) {
  const TempFolder d;
  const fs::path out = d.path() / "r";
  fs::create_directory(out);
  for (const char* name : {".writable", "summary.json.partial", "notes.txt"}) std::ofstream(out / name) << "mine";
  const std::string run = "run " + d.file("small.yaml", kSmall) + " --out " + out.string();
  BOOST_TEST(command(run).code == 0);
  for (const char* name : {".writable", "summary.json.partial", "notes.txt"})
    BOOST_TEST(contents(out / name) == "mine");
  // A link in a result's place leads to somebody else's file.
  d.file("precious", "mine");
  fs::remove(out / "summary.json");
  fs::create_symlink(d.path() / "precious", out / "summary.json");
  BOOST_TEST(command(run).code == 2);
  BOOST_TEST(contents(d.path() / "precious") == "mine");
}

BOOST_AUTO_TEST_CASE(two_runs_do_not_share_a_directory) {
  const TempFolder d;
  const std::string to = " --out " + (d.path() / "r").string();
  const std::string endless = d.file("endless.yaml", kEndless), small = d.file("small.yaml", kSmall);
  const Result r = command("run " + endless + to + " >/dev/null & pid=$!; sleep 1; " + GPUTLM_BINARY + " run " + small +
                           to + "; echo second: $?; kill $pid; wait $pid; echo first: $?");
  BOOST_TEST(r.out.find("another run is writing its results to") != std::string::npos, r.out);
  BOOST_TEST(r.out.find("second: 2") != std::string::npos, r.out);
  BOOST_TEST(r.out.find("first: 143") != std::string::npos, r.out);
  BOOST_TEST(summary_in(d.path() / "r")["experiment"] == "endless");
}

BOOST_AUTO_TEST_CASE(a_full_disk_leaves_no_file_behind_and_earlier_results_in_place) {
  const TempFolder d;
  const fs::path out = d.path() / "r";
  const std::string run = "run " + d.file("small.yaml", kSmall) + " --out " + out.string();
  BOOST_REQUIRE(command(run).code == 0);
  const std::string before = contents(out / "summary.json");
  // A limit on the size of files stands in for the disk's end: the statistics are larger.
  const Result r = command("--version >/dev/null; ulimit -f 16; " + std::string(GPUTLM_BINARY) + " " + run);
  BOOST_TEST(r.code == 2, r.out);
  BOOST_TEST(r.out.find("cannot write") != std::string::npos, r.out);
  BOOST_TEST(contents(out / "summary.json") == before);
  BOOST_TEST(listing(out) == kFiles);
}

BOOST_AUTO_TEST_CASE(a_recording_that_the_disk_has_no_room_for_is_told_and_not_left_cut) {
  const TempFolder d;
  for (const std::string option : {"--vcd", "--trace", "--trace-db", "--trace-csv"}) {
    const std::string file = (d.path() / "recording").string();
    // Room for the results, but not for any of the recordings.
    const Result r = command("--version >/dev/null; ulimit -f 400; " + std::string(GPUTLM_BINARY) +
                             " run vadd --config tiny --out " + (d.path() / "r").string() + " " + option + " " + file);
    BOOST_TEST(r.code == 2, option << ": " << r.out);
    BOOST_TEST(r.out.find("recording") != std::string::npos, r.out);
    BOOST_TEST(r.out.find("broke one of its own rules") == std::string::npos, r.out);
    BOOST_TEST(listing(d.path()) == "r", option);
  }
}

BOOST_AUTO_TEST_CASE(a_stopped_run_ends_soon_with_the_signals_code_and_marks_its_results) {
  const TempFolder d;
  const std::string endless = d.file("endless.yaml", kEndless);
  for (const auto& [signal, code] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
    const fs::path out = d.path() / signal;
    const Result r = command("run " + endless + " --out " + out.string() + " & pid=$!; sleep 1; kill -" + signal +
                             " $pid; wait $pid");
    BOOST_TEST(r.code == code, r.out);
    BOOST_TEST(r.out.find("marked incomplete") != std::string::npos, r.out);
    BOOST_TEST(!summary_in(out)["complete"].get<bool>());
    BOOST_TEST(summary_in(out)["end"] == "interrupted");
  }
}

BOOST_AUTO_TEST_CASE(what_is_no_regular_file_is_refused_at_once) {
  const TempFolder d;
  const std::string fifo = (d.path() / "f.yaml").string();
  BOOST_REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  const std::string head = "experiment: t\nbuffers: {b: {size: 1 GiB}}\n",
                    run = "phases: [{pattern: stream_store, buffer: b}]\n";
  const auto refused = [&](const std::string& arguments) {
    const Result r = command(arguments);
    BOOST_TEST(r.code == 2, arguments + r.out);
    BOOST_TEST(r.out.find("is no regular file") != std::string::npos, arguments + r.out);
  };
  refused("config check " + fifo);
  refused("run " + fifo);
  refused("run vadd --config " + fifo);
  refused("config check " + d.file("base.yaml", "base: ./f.yaml\n"));
  refused("run " + d.file("config.yaml", head + "config: ./f.yaml\n" + run));
  refused("run " + d.file("image.yaml", head + "image: {b: {file: f.yaml}}\n" + run));
  refused("run " + d.file("zero.yaml", head + "image: {b: {file: /dev/zero}}\n" + run));
}

BOOST_AUTO_TEST_CASE(output_that_does_not_arrive_is_an_error) {
  const TempFolder d;
  const std::string out = " --out " + (d.path() / "r").string();
  for (const std::string& arguments : {std::string("list"), std::string("config show"), std::string("--version"),
                                       "run " + d.file("small.yaml", kSmall) + " --format json" + out}) {
    const std::string errors = (d.path() / "errors").string(), show = " 2>" + errors + "; code=$?; cat " + errors;
    const Result full = command(arguments + " >/dev/full" + show + "; exit $code"),
                 closed = command(arguments + " >&-" + show + "; exit $code");
    BOOST_TEST(full.code == 2, arguments);
    BOOST_TEST(closed.code == 2, arguments);
    BOOST_TEST(full.out.find("cannot write to the standard output") != std::string::npos, full.out);
    BOOST_TEST(closed.out.find("cannot write to the standard output") != std::string::npos, closed.out);
  }
  BOOST_TEST(summary_in(d.path() / "r")["complete"].get<bool>());
}

BOOST_AUTO_TEST_CASE(names_and_texts_that_could_do_harm_are_refused_before_the_run) {
  const TempFolder d;
  const auto refused = [&](const std::string& yaml, const std::string& why) {
    const Result r = command("run " + d.file("bad.yaml", yaml));
    BOOST_TEST(r.code == 2, yaml + r.out);
    BOOST_TEST(r.out.find(why) != std::string::npos, yaml + r.out);
    BOOST_TEST(r.out.find('\x1b') == std::string::npos);
  };
  for (const char* name : {"../esc", "a/b", ".", "..", ".hidden", "-x", "\" \"", "\"\"", "\"a\\nb\""})
    refused(named(name), "bad.yaml:2:13: experiment: is no name of an experiment");
  refused(named("caf\xe9"), "bad.yaml:2:16: not a text file: it is not UTF-8");
  refused(named("\"\\u202e\""), "bad.yaml:2:13: not a text: it holds a control character");
  refused(named("\"\\e[2J\""), "bad.yaml:2:13: not a text: it holds a control character");
  refused(named("\"a\\0b\""), "bad.yaml:2:13: not a text: it holds a control character");
  refused(named("\x1b[2J"), "bad.yaml:2:13: not a text file: it holds a control character");
  const std::string small = d.file("small.yaml", kSmall);
  BOOST_TEST(command("run " + small + " --set \"$(printf 'name=caf\\351')\"").code == 2);
  BOOST_TEST(command("run " + small + " --out ''").code == 2);
  BOOST_TEST(command("run " + small + " --config ''").code == 2);
}

BOOST_AUTO_TEST_CASE(work_that_could_not_be_prepared_in_bounded_time_and_memory_is_refused) {
  const TempFolder d;
  for (const char* kernel :
       {"pattern: gather, buffer: b, stride: 4 B, lane_bytes: 4", "pattern: chase, buffer: b, stride: 8 B",
        "pattern: random, buffer: b, accesses: 4294967295",
        "pattern: script, buffer: b, steps: [{store: 0, count: 1000000000, every: 4}]"}) {
    const Result r = command("run " + d.file("big.yaml",
                                             "experiment: big\nconfig: rtx4090\nbuffers: {b: {size: 20 GiB}}\n"
                                             "phases:\n  - {" +
                                                 std::string(kernel) + "}\n"));
    BOOST_TEST(r.code == 2, kernel + r.out);
    BOOST_TEST(r.out.find("more than can be worked out before the run") != std::string::npos, kernel + r.out);
  }
}

BOOST_AUTO_TEST_CASE(the_check_of_memory_at_the_end_can_be_stopped) {
  const TempFolder d;
  const std::string file = d.file("wide.yaml",
                                  "experiment: wide\nconfig: rtx4090\nbuffers: {b: {size: 20 GiB}}\n"
                                  "phases:\n  - {pattern: single_store, buffer: b}\n");
  const std::string out = (d.path() / "r").string();
  const Result r = command("run " + file + " --out " + out + " & pid=$!; sleep 2; kill -INT $pid; wait $pid");
  BOOST_TEST(r.code == 130, r.out);
  BOOST_TEST(summary_in(out)["end"] == "interrupted");
  BOOST_TEST(summary_in(out)["scoreboard"]["on_the_road"].get<long>() > 0);
}

BOOST_AUTO_TEST_CASE(what_killed_runs_leave_goes_with_the_next_run) {
  const TempFolder d;
  const fs::path out = d.path() / "r";
  fs::create_directories(out / ".gputlm-abcdef");
  std::ofstream(out / ".gputlm-abcdef" / "stats.json") << "half";
  BOOST_TEST(command("run " + d.file("small.yaml", kSmall) + " --out " + out.string()).code == 0);
  BOOST_TEST(listing(out) == kFiles);
}

BOOST_AUTO_TEST_CASE(a_time_series_stays_small_however_short_its_interval) {
  const TempFolder d;
  const std::string yaml =
      "experiment: idle\nconfig: tiny\nsample_interval: 1 ns\nbuffers: {b: {size: 4 KiB}}\nphases:\n"
      "  - {pattern: script, buffer: b, steps: [{store: 0}, {delay: 1000000}, {store: 128}]}\n";
  BOOST_REQUIRE(command("run " + d.file("idle.yaml", yaml) + " --out " + (d.path() / "r").string()).code == 0);
  const std::string csv = contents(d.path() / "r/timeseries.csv");
  const auto rows = std::count(csv.begin(), csv.end(), '\n');
  BOOST_TEST(rows > 1 << 14);
  BOOST_TEST(rows <= 1 << 16);
}
