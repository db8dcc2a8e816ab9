// SPDX-License-Identifier: Apache-2.0
//
// gputlm replay and --record-traceg, as a user calls them.
#include "gputlm/test_support/sc_test.h"

#include "../unit/replay/trace_bench.h"
#include "command.h"

using namespace gputlm::test;
using nlohmann::json;

namespace {

const std::string kKernel =
    header("4", "-enable lineinfo = 0\n") +
    block({"0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f2000000000 4", "0010 ffffffff 0 STG.E 2 R6 R4 4 1 0x7f2000100000 4",
           "0020 0000000f 0 STG.E 2 R6 R4 4 2 0x7f2000200000 64 64 64", "0030 ffffffff 0 MEMBAR.SC.GPU 0 0",
           "0040 ffffffff 0 EXIT 0 0"});

struct Workplace {
  Workplace() { folder.file("kernel-1.traceg", kKernel); }

  std::string file(const std::string& name) const { return folder.path(name); }
  Result replay(const std::string& trace, const std::string& options = "--format json") const {
    return command("replay " + file(trace) + " --config tiny --out " + file("results") + " " + options);
  }

  TempFolder folder;
  const std::string list = folder.file("kernelslist.g", "MemcpyHtoD,0x7f2000000000,128\nkernel-1.traceg\n");
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// What a trace did, without when.
std::string accesses(const json& j) {
  std::string all;
  for (const char* key : {"global_loads", "global_stores", "global_atomics", "lines_loaded", "lines_stored",
                          "lines_atomic", "sectors_loaded", "sectors_stored", "sectors_atomic", "blocks", "warps"})
    all += std::string(key) + " " + j.at(key).dump() + "; ";
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_replay_counts_what_the_trace_does_and_leaves_a_runs_results) {
  const Workplace w;
  const Result r = w.replay("kernelslist.g", "--format json --check");
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.out);
  const json j = json::parse(r.out);
  const std::pair<const char*, int> counts[] = {
      {"kernels", 1},       {"blocks", 1},         {"warps", 1},          {"instructions", 5},  {"global_loads", 1},
      {"global_stores", 2}, {"lines_loaded", 1},   {"lines_stored", 3},   {"fences", 1},        {"skipped", 0},
      {"copies", 1},        {"sectors_loaded", 4}, {"sectors_stored", 8}, {"copied_bytes", 128}};
  for (const auto& [key, count] : counts) BOOST_TEST(j.at(key) == count, key);
  BOOST_TEST(j.at("simulated_ns") > 100);
  BOOST_TEST(j.at("scoreboard").at("mismatches") == 0);
  BOOST_TEST(listing(w.file("results")) ==
             "config.yaml experiment.yaml pictures.json stats.json summary.json timeseries.csv");
  BOOST_TEST(has(w.replay("kernel-1.traceg", "").out, "global stores"));
}

BOOST_AUTO_TEST_CASE(replays_are_alike_and_compressed_traces_too) {
  const Workplace w;
  const auto result = [&](const std::string& trace) {
    json j = json::parse(w.replay(trace).out);
    for (const char* key : {"wall_s", "memory_peak_mib", "trace"}) j.erase(key);
    return j.dump();
  };
  const std::string first = result("kernelslist.g");
  BOOST_TEST(first == result("kernelslist.g"));
  BOOST_REQUIRE(std::system(("xz " + w.file("kernel-1.traceg")).c_str()) == 0);
  BOOST_TEST(first == result("kernelslist.g"));  // the list still says .traceg
  BOOST_TEST(w.replay("kernel-1.traceg.xz").code == 0);
}

BOOST_AUTO_TEST_CASE(damaged_traces_are_refused_with_file_and_line_and_leave_nothing) {
  const Workplace w;
  const std::pair<std::string, std::string> wrong[] = {
      {kKernel.substr(0, kKernel.find("0x7f2000100000") + 4), "cut.traceg:22:1: the line ends too early"},
      {"", "names no kernel"},
      {"kernel-77.traceg\n", "kernel-77.traceg: cannot be read"},
      {std::string("\x7f\x45\x4c\x46\0\1\2", 7), "cut.traceg:1:1: neither a copy nor a kernel"},
      {"kernel-1.traceg\nKernel-2.traceg\n", "cut.traceg:2:1: neither a copy nor a kernel (found Kernel-2.traceg"},
      {header("9"), "cut.traceg:11:1: a version of the tracer that is not known"}};
  for (const auto& [text, message] : wrong) {
    w.folder.file("cut.traceg", text);
    const Result r = w.replay("cut.traceg", "--trace " + w.file("t.json"));
    BOOST_TEST(r.code == 2, r.out);
    BOOST_TEST(has(r.out, message), r.out);
  }
  BOOST_TEST(listing(w.folder.path()) == "cut.traceg kernel-1.traceg kernelslist.g");
  BOOST_TEST(w.replay("absent.g").code == 2);
  BOOST_TEST(has(command("replay " + w.folder.path().string()).out, "is a directory"));
  BOOST_TEST(w.replay("kernelslist.g", "--record-traceg " + w.file("kernel-1.traceg")).code == 2);  // read and written
}

BOOST_AUTO_TEST_CASE(a_lenient_replay_skips_what_is_damaged_and_counts_it) {
  const Workplace w;
  std::string damaged = kKernel;
  damaged.replace(damaged.find("4 1 0x7f2000100000"), 5, "4 9 0");
  w.folder.file("kernel-1.traceg", damaged);
  w.folder.file("kernelslist.g", "./kernel-1.traceg\nkernel-2.traceg\nKernel-3.traceg\n");
  BOOST_TEST(w.replay("kernelslist.g").code == 2);
  const Result r = w.replay("kernelslist.g", "--lenient --format json 2>/dev/null");
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.out);
  const json j = json::parse(r.out);
  BOOST_TEST(j.at("skipped") == 3);  // a line, a file and a line of the list
  BOOST_TEST(j.at("kernels") == 1);
  BOOST_TEST(j.at("global_stores") == 1);
  BOOST_TEST(has(w.replay("kernelslist.g", "--lenient").out, "not an address mode"));
}

BOOST_AUTO_TEST_CASE(a_replay_can_be_recorded_and_traced_as_a_run_can) {
  const Workplace w;
  const Result r = w.replay("kernelslist.g", "--trace-db " + w.file("t.db") + " --vcd " + w.file("t.vcd"));
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(json::parse(command("trace query " + w.file("t.db") + " latency --format json").out).size() > 3U);
  BOOST_TEST(command("report " + w.file("results") + " --out " + w.file("report.html")).code == 0);
}

BOOST_AUTO_TEST_CASE(what_a_run_records_replays_to_the_same_accesses) {
  const Workplace w;
  for (const char* experiment : {"small", "atomics"}) {
    const std::string name = experiment == std::string("small") ? w.folder.file("small.yaml", kSmall) : experiment;
    const Result run = command("run " + name + " --config tiny --record-traceg " + w.file("recorded") +
                               " --format json --out " + w.file("run"));
    BOOST_REQUIRE_MESSAGE(run.code == 0, run.out);
    const Result first = w.replay("recorded/kernelslist.g", "--format json --record-traceg " + w.file("again"));
    BOOST_REQUIRE_MESSAGE(first.code == 0, first.out);
    const json replayed = json::parse(first.out), ran = json::parse(run.out);
    std::uint64_t stored = 0, loaded = 0;
    for (const json& p : ran.at("phases")) stored += p.at("bytes_stored").get<std::uint64_t>();
    for (const json& p : ran.at("phases")) loaded += p.at("bytes_loaded").get<std::uint64_t>();
    BOOST_TEST(replayed.at("line_transactions") == ran.at("line_transactions"));
    if (name != experiment)
      BOOST_TEST(replayed.at("simulated_ns") == ran.at("simulated_ns"));  // there is no arithmetic
    std::uint64_t stored_again = 0, loaded_again = 0;
    for (const json& p : replayed.at("phases")) stored_again += p.at("bytes_stored").get<std::uint64_t>();
    for (const json& p : replayed.at("phases")) loaded_again += p.at("bytes_loaded").get<std::uint64_t>();
    BOOST_TEST(stored_again == stored);
    BOOST_TEST(loaded_again == loaded);
    // What a replay records is what it read.
    for (const auto& entry : fs::directory_iterator(w.file("recorded")))
      BOOST_TEST((contents(entry.path()) == contents(fs::path(w.file("again")) / entry.path().filename())),
                 entry.path().filename());
    BOOST_TEST(accesses(json::parse(w.replay("again/kernelslist.g").out)) == accesses(replayed));
    fs::remove_all(w.file("recorded"));
    fs::remove_all(w.file("again"));
  }
}

BOOST_AUTO_TEST_CASE(a_single_kernel_is_recorded_into_a_file_and_several_are_not) {
  const Workplace w;
  const std::string small = w.folder.file("small.yaml", kSmall);
  const Result refused =
      command("run " + small + " --record-traceg " + w.file("two.traceg") + " --out " + w.file("run"));
  BOOST_TEST(refused.code == 2);
  BOOST_TEST(has(refused.out, "a .traceg holds one kernel (found 2 kernels"), refused.out);
  const Result launch = command(
      "launch kernels.sm_89 --kernel fill --config tiny --grid 4 --block 64 --arg out=uint32[256] --arg value=uint32:7 "
      "--arg n=int32:256 --record-traceg " +
      w.file("one.traceg"));
  BOOST_REQUIRE_MESSAGE(launch.code == 0, launch.out);
  const json j = json::parse(w.replay("one.traceg").out);
  BOOST_TEST(j.at("blocks") == 4);
  BOOST_TEST(j.at("lines_stored") == 8);  // 1 KiB
}

BOOST_AUTO_TEST_CASE(a_trace_that_outgrows_its_disk_is_told_and_leaves_nothing) {
  const Workplace w;
  const std::string small = w.folder.file("small.yaml", kSmall);
  // Files of 300 blocks at most: what the run itself leaves is smaller, its trace is not.
  const std::string shell = "trap '' XFSZ; ulimit -f 600; " + std::string(GPUTLM_BINARY) + " run " + small + " --out " +
                            w.file("run") + " --record-traceg " + w.file("new/trace") + " >/dev/null 2>" +
                            w.file("said");
  BOOST_TEST(WEXITSTATUS(std::system(shell.c_str())) == 2);
  const std::string said = contents(w.file("said"));
  BOOST_TEST(said == "gputlm: cannot write " + w.file("new/trace/kernel-1.traceg") + ": File too large\n");
  BOOST_TEST(!fs::exists(w.file("new")));
  BOOST_TEST(summary_in(w.file("run")).at("end") == "complete");
}

BOOST_AUTO_TEST_CASE(the_shipped_example_replays) {
  const Result r = command("replay vadd --format json --out " + TempFolder().path("results"));
  BOOST_REQUIRE_MESSAGE(r.code == 0, r.out);
  BOOST_TEST(json::parse(r.out).at("scoreboard").at("mismatches") == 0);
}
