// SPDX-License-Identifier: Apache-2.0
//
// Faults and coverage as a user of the command meets them.
#include "gputlm/test_support/sc_test.h"

#include "command.h"
#include "gputlm/coverage/coverage_bins.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_fault_is_found_and_the_run_exits_1) {
  const TempFolder d;
  const std::string small = d.file("small.yaml", kSmall), out = " --out " + (d.path() / "r").string();
  const Result r = command("run " + small + out + " --fault drop:acknowledgement@crossbar.slice0:n=17");
  BOOST_TEST(r.code == 1, r.out);
  BOOST_TEST(contains(r.out, "the acknowledgement of its store"), r.out);
  const auto summary = nlohmann::json::parse(contents(d.path() / "r/summary.json"));
  BOOST_TEST(summary["end"] == "stalled");
  const Result never = command("run " + small + out + " --fault leak:request@crossbar.slice0:n=1000000000");
  BOOST_TEST(never.code == 1, never.out);
  BOOST_TEST(contains(never.out, "never happened"), never.out);
}

BOOST_AUTO_TEST_CASE(a_bad_fault_exits_2_and_writes_nothing) {
  const TempFolder d;
  const std::string small = d.file("small.yaml", kSmall), out = " --out " + (d.path() / "r").string();
  const Result r = command("run " + small + out + " --fault drop:request@l2_7.reads");
  BOOST_TEST(r.code == 2, r.out);
  BOOST_TEST(contains(r.out, "did you mean l2_0.reads?"), r.out);
  BOOST_TEST(!fs::exists(d.path() / "r"));
  const Result list = command("list faults");
  BOOST_TEST(list.code == 0);
  for (const char* word : {"drop:request", "repeat:write_back", "l2_<N>.writes"})
    BOOST_TEST(contains(list.out, word), word);
}

BOOST_AUTO_TEST_CASE(coverage_is_written_and_merged) {
  const TempFolder d;
  const std::string small = d.file("small.yaml", kSmall), out = " --out " + (d.path() / "r").string();
  const std::string a = (d.path() / "a.json").string(), sum = (d.path() / "sum.json").string();
  const Result r = command("run " + small + out + " --coverage " + a);
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(contains(r.out, "l2.store.miss.clean.ordinary.backlog_open"), r.out);
  const auto hits = nlohmann::json::parse(contents(a))["bins"];
  BOOST_TEST(hits.size() == coverage_bins().size());
  BOOST_TEST(hits["l2.store.miss.clean.ordinary.backlog_open"] == 8192);
  BOOST_TEST(command("coverage merge " + a + " " + a + " --out " + sum).code == 0);
  BOOST_TEST(nlohmann::json::parse(contents(sum))["bins"]["l2.store.miss.clean.ordinary.backlog_open"] == 16384);
  BOOST_TEST(command("coverage merge " + a + " --require mmu.hit").code == 0);
  const Result missed = command("coverage merge " + a + " --require all");
  BOOST_TEST(missed.code == 1, missed.out);
  BOOST_TEST(contains(missed.out, "never hit: l2.atomic.hit.dirty.in_fifo.backlog_full"), missed.out);
}

BOOST_AUTO_TEST_CASE(a_coverage_file_that_cannot_be_written_is_refused_before_the_run) {
  const TempFolder d;
  const std::string small = d.file("small.yaml", kSmall), run = "run " + small + " --out " + (d.path() / "r").string();
  const std::string test = d.file("mp.tsv", contents(LITMUS_SUBSET));
  for (const std::string& file : {std::string("/no/such/a.json"), d.path().string()})
    for (const std::string& what :
         {run, "litmus " + test + " --config tiny --runs 1", std::string("stress --minutes 1")}) {
      const Result r = command(what + " --coverage " + file);
      BOOST_TEST(r.code == 2, r.out);
      BOOST_TEST(contains(r.out, file + ": cannot be written"), r.out);
      BOOST_TEST(!fs::exists(d.path() / "r"), what);
    }
  const std::string earlier = d.file("a.json", "earlier");
  BOOST_TEST(command(run + " --set l2.ways=0 --coverage " + earlier).code == 2);
  BOOST_TEST(contents(earlier) == "earlier");
  BOOST_TEST(command("stress --exhaustive 1 --coverage " + earlier).code == 2);
}

BOOST_AUTO_TEST_CASE(a_random_program_that_fails_is_written_small_and_replays) {
  const TempFolder d;
  const std::string file = (d.path() / "small.txt").string();
  const Result r =
      command("stress --seed 7 --minutes 0.1 --jobs 1 --fault lose:request@crossbar.slice0:n=5 --out " + file);
  BOOST_TEST(r.code == 1, r.out);
  for (const char* part : {"making it smaller", "instructions are enough; again: gputlm stress --config tiny --replay"})
    BOOST_TEST(contains(r.out, part), r.out);
  BOOST_TEST(contains(contents(file), "fault lose:request@crossbar.slice0:n=5"));
  const Result again = command("stress --replay " + file);
  BOOST_TEST(again.code == 1, again.out);
  BOOST_TEST(contains(again.out, "scoreboard: "), again.out);
  const Result bad = command("stress --minutes 0.1 --fault lose:request@nowhere");
  BOOST_TEST(bad.code == 2, bad.out);
}

BOOST_AUTO_TEST_CASE(coverage_refuses_what_it_cannot_read) {
  const TempFolder d;
  const auto refused = [](const std::string& arguments, const std::string& names) {
    const Result r = command("coverage merge " + arguments);
    BOOST_TEST(r.code == 2, arguments + ": " + r.out);
    BOOST_TEST(contains(r.out, names), arguments + ": " + r.out);
  };
  refused("/no/such.json", "/no/such.json");
  refused(d.file("text.json", "no json"), "is no JSON");
  refused(d.file("other.json", "{}"), "no coverage");
  refused(d.file("bin.json", R"({"bins": {"l2.nothing": 1}})"), "l2.nothing");
  refused(d.file("count.json", R"({"bins": {"mmu.hit": -1}})"), "mmu.hit");
  refused(d.file("none.json", R"({"bins": {}})") + " --require mmu.hot", "did you mean mmu.hit?");
}

BOOST_AUTO_TEST_CASE(an_excluded_cross_that_was_hit_fails_the_merge) {
  const TempFolder d;
  const std::string name = "l2.load.miss.dirty.ordinary.backlog_open";
  const std::string a = d.file("a.json", R"({"bins": {"mmu.hit": 1}, "impossible": {")" + name + R"(": 2}})");
  const Result r = command("coverage merge " + a);
  BOOST_TEST(r.code == 1, r.out);
  BOOST_TEST(contains(r.out, "hit although it is excluded as impossible: " + name), r.out);
}

BOOST_AUTO_TEST_CASE(litmus_and_stress_count_what_their_children_meet) {
  const TempFolder d;
  const std::string test = d.file("mp.tsv", contents(LITMUS_SUBSET)), a = (d.path() / "a.json").string();
  BOOST_TEST(command("litmus " + test + " --config tiny --runs 5 --check --coverage " + a).code == 0);
  BOOST_TEST(nlohmann::json::parse(contents(a))["bins"]["mmu.hit"] > 0);
  BOOST_TEST(command("stress --minutes 0.02 --jobs 1 --coverage " + a).code == 0);
  BOOST_TEST(nlohmann::json::parse(contents(a))["bins"]["dram.row_hit"] > 0);
}
