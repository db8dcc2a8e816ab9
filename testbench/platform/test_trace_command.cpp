// SPDX-License-Identifier: Apache-2.0
//
// Recording options, follow and trace query, as a user calls them.
#include "gputlm/test_support/sc_test.h"

#include "command.h"

using namespace gputlm::test;
using nlohmann::json;

namespace {

const char* const kSmallLaunch = R"(
experiment: small-launch
config: tiny
launch:
  listing: kernels.sm_89
  kernel: vadd
  grid: 4
  block: 128
  arguments: ["a=float[512]:1.0", "b=float[512]:random", "c=float[512]", "n=512"]
)";

struct Workplace {
  TempFolder folder;
  const std::string small = folder.file("small.yaml", kSmall);

  std::string file(const std::string& name) const { return folder.path(name); }
  Result run(const std::string& options) const {
    return command("run " + small + " --out " + folder.path("results") + " " + options);
  }
  Result query(const std::string& question) const {
    return command("trace query " + file("t.db") + " " + question + " --format json");
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_run_leaves_the_recordings_that_were_asked_for) {
  const Workplace w;
  const Result r = w.run("--trace " + w.file("t.json") + " --trace-db " + w.file("t.db") + " --trace-csv " +
                         w.file("t.csv") + " --vcd " + w.file("t.vcd") + " --trace-window 0us:3us --format json");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(json::parse(r.out)["complete"] == true);  // nothing else is printed
  BOOST_TEST(listing(w.folder.path()) == "results small.yaml t.csv t.db t.json t.vcd");
  BOOST_TEST(json::parse(contents(w.file("t.json")))["traceEvents"].size() > 1000U);
  BOOST_TEST(contents(w.file("t.vcd")).find("$enddefinitions") != std::string::npos);
  const json legs = json::parse(w.query("latency").out);
  bool totals = false;
  for (const json& leg : legs) totals = totals || (leg["op"] == "store" && leg["leg"] == "total" && leg["count"] > 0);
  BOOST_TEST(totals);
  BOOST_TEST(json::parse(w.query("stalls --top 3").out).size() == 3U);
  const json bandwidth = json::parse(w.query("bandwidth").out);
  BOOST_TEST(bandwidth.size() > 10U);
  BOOST_TEST(bandwidth.back()["time_ns"] < 3000);
  BOOST_TEST(json::parse(w.query("line --address 0").out).size() > 3U);
}

BOOST_AUTO_TEST_CASE(a_recording_that_is_full_says_what_it_leaves_out_and_a_filter_narrows_it) {
  const Workplace w;
  BOOST_TEST(w.run("--trace-csv " + w.file("all.csv")).code == 0);
  BOOST_TEST(w.run("--trace-csv " + w.file("few.csv") + " --trace-filter 'sm==1 && op==store && unit==l2'").code == 0);
  const std::string few = contents(w.file("few.csv"));
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  BOOST_TEST(lines(few) == 1 + (1 << 20) / 128 / 2);  // half of the lines are SM 1's
  BOOST_TEST(lines(contents(w.file("all.csv"))) > 8 * lines(few));
}

BOOST_AUTO_TEST_CASE(mistakes_are_told_together_and_nothing_runs) {
  const Workplace w;
  const Result r = w.run("--trace " + w.file("missing/t.json") + " --trace-window 3:4 --trace-filter 'smm==1'");
  BOOST_TEST(r.code == 2);
  for (const char* text :
       {"--trace-window:1:1: needs a unit (found 3, ", "--trace-filter:1:1: no field; did you mean sm? (found smm, ",
        "missing/t.json: cannot be written"})
    BOOST_TEST(r.out.find(text) != std::string::npos, r.out);
  BOOST_TEST(w.run("--trace-window 0us:1us").code == 2);
  BOOST_TEST(w.run("--trace-filter sm==1 --vcd " + w.file("t.vcd")).code == 2);
  BOOST_TEST(w.run("--trace " + w.file("t") + " --trace-db " + w.file("t")).code == 2);
  BOOST_TEST(w.run("--trace ''").code == 2);
  BOOST_TEST(w.run("--trace " + w.folder.path().string()).code == 2);
  BOOST_TEST(listing(w.folder.path()) == "small.yaml");
}

BOOST_AUTO_TEST_CASE(no_recording_takes_the_place_of_a_file_that_the_run_reads) {
  const Workplace w;
  const std::string base = w.folder.file("base.yaml", "base: tiny\nname: mine\n"),
                    card = w.folder.file("card.yaml", "base: base.yaml\n"),
                    bytes = w.folder.file("in.bin", std::string(1 << 20, 'x'));
  std::string text = kSmall;
  text.replace(text.find("in: pattern"), 11, "in: {file: in.bin}");
  const std::string experiment = w.folder.file("reads.yaml", text);
  fs::create_symlink("card.yaml", w.file("soft"));
  fs::create_hard_link(base, w.file("hard"));
  fs::create_directory(w.file("sub"));
  w.folder.file("staged.part", "base: tiny\n");
  const auto files = [&](const std::string& config) {
    return "run " + experiment + " --out " + w.file("results") + " --config " + config;
  };
  for (const std::string& target :
       {card, base, bytes, experiment, w.file("soft"), w.file("hard"), w.file("sub/../card.yaml")})
    for (const char* option : {"--trace ", "--trace-db ", "--trace-csv ", "--vcd ", "--coverage "}) {
      const Result r = command(files(card) + " " + option + target);
      BOOST_TEST(r.code == 2, option << target << ": " << r.out);
      BOOST_TEST(r.out.find("the run reads it") != std::string::npos, r.out);
    }
  BOOST_TEST(command(files(w.file("staged.part")) + " --trace " + w.file("staged")).code == 2);
  BOOST_TEST(command(files(card) + " --trace " + w.file("x") + " --trace-csv " + w.file("sub/../x")).code == 2);
  BOOST_TEST(contents(card) == "base: base.yaml\n");
  BOOST_TEST(contents(base) == "base: tiny\nname: mine\n");
  BOOST_TEST(contents(bytes).size() == 1U << 20);
  BOOST_TEST(!fs::exists(w.file("results")));
}

BOOST_AUTO_TEST_CASE(a_window_in_which_nothing_happens_is_told) {
  const Workplace w;
  for (const char* option : {"--trace-db ", "--vcd "}) {
    const Result r = w.run(option + w.file("t") + " --trace-window 1s:2s");
    BOOST_TEST(r.code == 0, r.out);
    BOOST_TEST(r.out.find("nothing happens in --trace-window 1s:2s: the run ends at ") != std::string::npos, r.out);
  }
  const Result filtered = w.run("--trace-db " + w.file("t") + " --trace-filter op==fence");
  BOOST_TEST(filtered.out.find("what --trace-filter keeps") != std::string::npos, filtered.out);
  const Result some = w.run("--trace-db " + w.file("t") + " --trace-window 1us:2us");
  BOOST_TEST(some.out.find("nothing") == std::string::npos, some.out);
}

BOOST_AUTO_TEST_CASE(signals_of_a_dump_are_chosen_by_patterns) {
  const Workplace w;
  BOOST_TEST(w.run("--vcd " + w.file("t.vcd") + " --vcd-signals 'controller*.turns'").code == 0);
  BOOST_TEST(contents(w.file("t.vcd")).find("turns") != std::string::npos);
  BOOST_TEST(contents(w.file("t.vcd")).find("lsu_queued") == std::string::npos);
  const Result wrong = w.run("--vcd " + w.file("u.vcd") + " --vcd-signals 'sm9.*'");
  BOOST_TEST(wrong.code == 2, wrong.out);
  BOOST_TEST(wrong.out.find("--vcd-signals: no signal has such a name (found sm9.*") != std::string::npos, wrong.out);
  BOOST_TEST(w.run("--vcd-signals 'sm0.*'").code == 2);
  BOOST_TEST(w.run("--vcd " + w.file("u.vcd") + " --vcd-signals ''").code == 2);
  BOOST_TEST(!fs::exists(w.file("u.vcd")));
}

BOOST_AUTO_TEST_CASE(an_earlier_recording_stays_until_a_new_one_is_whole) {
  const Workplace w;
  const std::string before = w.folder.file("t.json", "before");
  BOOST_TEST(w.run("--trace " + before + " --set no.such=1").code == 2);
  BOOST_TEST(contents(before) == "before");
  BOOST_TEST(w.run("--trace " + before + " --trace-filter line==0").code == 0);
  BOOST_TEST(json::parse(contents(before))["traceEvents"].size() > 0U);
}

BOOST_AUTO_TEST_CASE(a_launch_is_recorded_with_its_host) {
  const Workplace w;
  const Result r = command(
      "launch kernels.sm_89 --kernel vadd --grid 4 --block 128 --arg a=float[512]:1.0 --arg "
      "b=float[512]:1.0 --arg c=float[512] --arg n=512 --trace-csv " +
      w.file("t.csv"));
  BOOST_TEST(r.code == 0, r.out);
  const std::string csv = contents(w.file("t.csv"));
  BOOST_TEST(csv.find(",engine,") != std::string::npos);
  BOOST_TEST(csv.find(",system_barrier,") != std::string::npos);
  BOOST_TEST(csv.find(",host,") != std::string::npos);
  BOOST_TEST(csv.find(",store,") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(follow_tells_the_stations_of_a_store) {
  const Result r = command("follow --format json");
  BOOST_TEST(r.code == 0, r.out);
  const json j = json::parse(r.out);
  BOOST_TEST(j["op"] == "store");
  BOOST_TEST(j["stations"].size() >= 20U);
  double before = 0;
  for (const json& s : j["stations"]) {
    BOOST_TEST(s["time_ns"].get<double>() >= before);
    before = s["time_ns"];
    for (const char* key : {"unit", "event", "wait_ns", "detail"}) BOOST_TEST(s.count(key) == 1U);
  }
  BOOST_TEST(j["stations"].back()["event"] == "in DRAM");
  const Result table = command("follow");
  BOOST_TEST(table.out.find("set ") != std::string::npos, table.out);
}

BOOST_AUTO_TEST_CASE(follow_finds_the_access_that_is_named) {
  const Workplace w;
  const Result nth = command("follow " + w.small + " --sm 1 --warp 2 --nth 2 --format json");
  BOOST_TEST(nth.code == 0, nth.out);
  BOOST_TEST(json::parse(nth.out)["sm"] == 1);
  BOOST_TEST(json::parse(nth.out)["warp"] == 2);
  const Result slowest = command("follow " + w.small + " --slowest load --format json");
  BOOST_TEST(slowest.code == 0, slowest.out);
  BOOST_TEST(json::parse(slowest.out)["op"] == "load");
  const std::string address = json::parse(nth.out)["address"];
  const Result by_address = command("follow " + w.small + " --address " + address + " --format json");
  BOOST_TEST(json::parse(by_address.out)["address"] == address);
}

BOOST_AUTO_TEST_CASE(follow_takes_values_of_the_experiment_as_run_does) {
  const Workplace w;
  const std::string set = " --set experiment.phases.write.grid=1 --set 'l1.hit_latency=20 ns'";
  const Result r = command("follow " + w.small + set + " --format json");
  BOOST_TEST(r.code == 0, r.out);
  BOOST_TEST(json::parse(r.out)["set"] == json::array({"experiment.phases.write.grid=1", "l1.hit_latency=20 ns"}));
  // The one block that is left to store is SM 0's.
  BOOST_TEST(json::parse(command("follow " + w.small + " --sm 1 --format json").out)["op"] == "store");
  BOOST_TEST(json::parse(command("follow " + w.small + set + " --sm 1 --format json").out)["op"] == "load");
  const Result wrong = command("follow " + w.small + " --set experiment.phases.write.gird=1");
  BOOST_TEST(wrong.code == 2);
  BOOST_TEST(wrong.out.find("gird") != std::string::npos, wrong.out);
  const std::string launch = w.folder.file("launch.yaml", kSmallLaunch);
  BOOST_TEST(command("follow " + launch + " --set experiment.launch.grid=1 --sm 1").code == 2);
}

BOOST_AUTO_TEST_CASE(follow_refuses_what_there_is_not) {
  const Workplace w;
  for (const char* options : {"--sm 2", "--warp 48", "--nth 0", "--address x", "--slowest fence", "--nth 99999999",
                              "--slowest nothing", "--address 1", "--config nowhere"}) {
    const Result r = command("follow " + w.small + " " + options);
    BOOST_TEST(r.code == 2, options << ": " << r.out);
    BOOST_TEST(!r.out.empty());
  }
}

BOOST_AUTO_TEST_CASE(a_launchs_accesses_are_followed_as_any_others) {
  const Workplace w;
  const std::string launch = w.folder.file("launch.yaml", kSmallLaunch);
  const Result first = command("follow " + launch + " --format json");
  BOOST_TEST(first.code == 0, first.out);
  const json j = json::parse(first.out);
  BOOST_TEST(j["op"] == "load");
  BOOST_TEST(j["experiment"] == "small-launch");
  BOOST_TEST(j["stations"].size() >= 10U);
  BOOST_TEST(std::string(j["stations"][0]["unit"]).find("SM 0 LSU") == 0U);
  const Result store = command("follow " + launch + " --slowest store --seed 3 --keep " + w.folder.path().string());
  BOOST_TEST(store.code == 0, store.out);
  BOOST_TEST(store.out.find("store visible") != std::string::npos, store.out);
  BOOST_TEST(listing(w.folder.path()).find("journey-store-sm") != std::string::npos);
  const Result nth = command("follow " + launch + " --sm 1 --warp 0 --nth 2 --format json");
  BOOST_TEST(json::parse(nth.out)["sm"] == 1);
  BOOST_TEST(command("follow " + launch + " --address " + std::string(json::parse(nth.out)["address"])).code == 0);
  BOOST_TEST(command("follow " + launch + " --sm 2").code == 2);
  BOOST_TEST(command("follow " + launch + " --slowest atomic").code == 2);
  w.folder.file("launch.yaml", std::string(kSmallLaunch) + "  grid: 0\n");
  BOOST_TEST(command("follow " + launch).code == 2);
}

BOOST_AUTO_TEST_CASE(query_refuses_what_is_no_recording_or_no_question) {
  const Workplace w;
  BOOST_TEST(command("trace query " + w.file("none.db") + " latency").code == 2);
  BOOST_TEST(command("trace query " + w.small + " latency").code == 2);
  BOOST_TEST(w.run("--trace-db " + w.file("t.db") + " --trace-window :100ns").code == 0);
  BOOST_TEST(w.query("nonsense").code == 2);
  BOOST_TEST(w.query("line").code == 2);
  BOOST_TEST(w.query("line --address x").code == 2);
  BOOST_TEST(command("trace").code == 2);
}

BOOST_AUTO_TEST_CASE(options_of_another_question_are_refused_and_a_line_that_is_not_there_is_told) {
  const Workplace w;
  BOOST_TEST(w.run("--trace-db " + w.file("t.db")).code == 0);
  for (const char* wrong : {"latency --address 0", "stalls --address 0", "bandwidth --address 0", "latency --top 3",
                            "bandwidth --top 3", "line --address 0 --top 3", "stalls --top 0", "stalls --top -1"})
    BOOST_TEST(w.query(wrong).code == 2, wrong);
  const Result absent = w.query("line --address 0xffffffffff80");
  BOOST_TEST(absent.code == 0, absent.out);
  BOOST_TEST(absent.out.find("nothing of this line is recorded") != std::string::npos, absent.out);
  const Result nth = command("follow " + w.small + " --nth -1");
  BOOST_TEST(nth.code == 2, nth.out);
  BOOST_TEST(nth.out.find("-1") != std::string::npos, nth.out);
}
