// SPDX-License-Identifier: Apache-2.0
//
// The command as a user meets it: exit codes, messages, files.
#include "gputlm/test_support/sc_test.h"

#include <fmt/format.h>

#include "command.h"

using namespace gputlm::test;

BOOST_AUTO_TEST_CASE(a_run_writes_its_results_and_exits_0) {
  TempFolder d;
  const Result r = command("run " + d.file("small.yaml", kSmall) + " --out " + (d.path() / "r").string());
  BOOST_TEST(r.code == 0, r.out);
  const auto summary = summary_in(d.path() / "r");
  BOOST_TEST(summary["complete"].get<bool>());
  BOOST_TEST(summary["scoreboard"]["mismatches"] == 0);
  BOOST_TEST(summary["phases"][0]["bytes_stored"] == 1 << 20);
  BOOST_TEST(summary["phases"][1]["bytes_loaded"] == 1 << 20);
  BOOST_TEST(summary["dram"]["bytes_written"].get<long>() + summary["l2"]["dirty_bytes_end"].get<long>() == 1 << 20);
  BOOST_TEST(nlohmann::json::parse(contents(d.path() / "r/stats.json"))["gpu"]["sm0"]["lsu"]["stores"]["value"] > 0);
  BOOST_TEST(contents(d.path() / "r/timeseries.csv").rfind("time_ns,bytes_stored", 0) == 0U);
  BOOST_TEST(command("config check " + (d.path() / "r/config.yaml").string()).code == 0);
}

BOOST_AUTO_TEST_CASE(same_seed_same_bytes) {
  TempFolder d;
  const std::string file = d.file("small.yaml", kSmall);
  for (const char* n : {"a", "b"})
    BOOST_TEST(command("run " + file + " --seed 7 --out " + (d.path() / n).string()).code == 0);
  for (const char* f : {"stats.json", "timeseries.csv", "config.yaml"})
    BOOST_TEST(contents(d.path() / "a" / f) == contents(d.path() / "b" / f));
  auto a = nlohmann::json::parse(contents(d.path() / "a/summary.json")),
       b = nlohmann::json::parse(contents(d.path() / "b/summary.json"));
  for (auto* j : {&a, &b}) j->erase("wall_s"), j->erase("memory_peak_mib");
  BOOST_TEST(a == b);
}

BOOST_AUTO_TEST_CASE(a_live_run_shows_its_series_up_to_the_last_sample_and_changes_nothing) {
  const TempFolder d;
  const std::string run = "run " + d.file("small.yaml", kSmall) + " --out ";
  BOOST_TEST(command(run + d.path("plain")).code == 0);
  const Result r = command(run + d.path("live") + " --live");
  BOOST_TEST(r.code == 0, r.out);
  const std::string series = contents(d.path() / "live/timeseries.csv");
  BOOST_TEST(series == contents(d.path() / "plain/timeseries.csv"));
  for (const char* text : {"stored GB/s", "loaded GB/s", "DRAM write GB/s", "\n    capacity  ", " %)"})
    BOOST_TEST(r.out.find(text) != std::string::npos, r.out);
  const std::string last = series.substr(series.rfind('\n', series.size() - 2) + 1);
  const std::string time = fmt::format("{:.3f}  ", std::stod(last) / 1e3);
  BOOST_TEST(r.out.find(time) != std::string::npos, time + " is not in " + r.out);
  BOOST_TEST(command("run launch-vadd --live --out " + d.path("no")).code == 2);
}

BOOST_AUTO_TEST_CASE(json_on_the_standard_output_is_the_summary) {
  TempFolder d;
  const Result r =
      command("run " + d.file("small.yaml", kSmall) + " --check --format json --out " + (d.path() / "r").string());
  const auto summary = nlohmann::json::parse(r.out);
  BOOST_TEST(summary == summary_in(d.path() / "r"));
  BOOST_TEST(summary["checker"]["violations"] == 0);
  BOOST_TEST(summary["checker"]["arrows"] == 2 * 7 + 3 + 1 + 2);
  BOOST_TEST(summary["checker"]["dram_commands"] > 0);
}

BOOST_AUTO_TEST_CASE(bad_input_exits_2_says_where_and_writes_nothing) {
  TempFolder d;
  const std::string out = " --out " + (d.path() / "r").string();
  const std::string small = d.file("small.yaml", kSmall);
  const auto refused = [&](const std::string& arguments, const std::string& names) {
    const Result r = command("run " + arguments + out);
    BOOST_TEST(r.code == 2, arguments + ": " + r.out);
    BOOST_TEST(r.out.find(names) != std::string::npos, arguments + ": " + r.out);
    BOOST_TEST(!fs::exists(d.path() / "r/summary.json"));
  };
  refused("no-such-experiment", "no-such-experiment");
  refused(d.file("bad.yaml", "a: [1, 2\nb: }"), "bad.yaml:2");
  refused(d.file("list.yaml", "- 1\n"), "list.yaml:1");
  refused(d.file("empty.yaml", ""), "empty.yaml");
  refused(d.file("typo.yaml", std::string(kSmall) + "phasess: []\n"), "typo.yaml:12");
  refused(small + " --set no.such.key=1", "no.such.key");
  refused(small + " --set l2.ways=0", "l2.ways");
  refused(small + " --set l2.ways=nan", "l2.ways");
  refused(small + " --set l2.ways", "l2.ways");
  refused(small + " --set dram.capacity=1PiB", "dram.capacity");
  refused(small + " --config absent.yaml", "absent.yaml");
  refused(small + " --seed -1", "seed");
  refused(small + " --seed 99999999999999999999999", "seed");
  refused(small + " --seed 1x", "seed");
  refused(small + " --format xml", "format");
}

BOOST_AUTO_TEST_CASE(mistakes_of_experiment_configuration_and_faults_are_told_at_once) {
  const TempFolder d;
  const std::string bad = d.file("bad.yaml",
                                 "experiment: bad\nconfig: tiny\nset: {l2.wais: 3}\nbuffers: {b: {size: 1 MiB}}\n"
                                 "phases:\n  - {name: p, pattern: stream_store, buffer: c}\n"
                                 "  - {name: p, pattern: stream_load, buffer: b}\n");
  const Result r = command("run " + bad + " --set l1.ways=0");
  BOOST_TEST(r.code == 2);
  for (const char* part : {":3:", "l2.wais: unknown parameter; did you mean l2.ways?", ":6:", "is no buffer",
                           ":7:", "is another phase's name", "--set l1.ways=0"})
    BOOST_TEST(r.out.find(part) != std::string::npos, r.out);
  const Result faults = command("run one-set --fault drop:nothing@x --fault bend:request@l2_0.reads");
  BOOST_TEST(faults.code == 2);
  for (const char* part : {"drop:nothing@x", "bend:request@l2_0.reads"})
    BOOST_TEST(faults.out.find(part) != std::string::npos, faults.out);
}

BOOST_AUTO_TEST_CASE(an_unknown_subcommand_is_named_with_those_there_are) {
  const Result r = command("prob");
  BOOST_TEST(r.code == 2);
  BOOST_TEST(r.out.find("gputlm: prob is no subcommand; did you mean probe? (allowed run, probe, ") == 0u, r.out);
}

BOOST_AUTO_TEST_CASE(a_terminal_is_shown_how_the_run_gets_on) {
  const TempFolder d;
  const std::string run = std::string(GPUTLM_BINARY) + " run vadd --config tiny --out " + (d.path() / "r").string();
  FILE* pipe = ::popen(("script -qec '" + run + "' /dev/null </dev/null 2>&1").c_str(), "r");
  std::string text;
  for (int c = 0; (c = std::fgetc(pipe)) != EOF;) text += static_cast<char>(c);
  BOOST_TEST(::pclose(pipe) == 0);
  for (const char* part : {" us simulated, ", " lines sent, ", " lines/s, ", " % of the blocks done, ", " s left"})
    BOOST_TEST(text.find(part) != std::string::npos, text);
  BOOST_TEST(text.find(" 0 % of the blocks done, 0 s left") == std::string::npos);  // nobody knows yet
}

BOOST_AUTO_TEST_CASE(a_kernel_of_stores_ends_with_its_last_acknowledgement) {
  TempFolder d;
  const std::string two =
      "experiment: two\nconfig: tiny\nbuffers:\n  a: {size: 64 KiB}\n  b: {size: 64 KiB}\nphases:\n  - name: both\n    "
      "kernels:\n"
      "      - {name: a, pattern: stream_store, buffer: a, grid: 16, block: 128, sms: 0}\n"
      "      - {name: b, pattern: stream_store, buffer: b, grid: 16, block: 128, sms: 1}\n";
  BOOST_TEST(command("run " + d.file("two.yaml", two) + " --out " + (d.path() / "r").string()).code == 0);
  const auto phase = summary_in(d.path() / "r")["phases"][0];
  const double a = phase["kernels"][0]["end_ns"], b = phase["kernels"][1]["end_ns"];
  BOOST_TEST(std::max(a, b) == phase["end_ns"].get<double>());
  BOOST_TEST(std::min(a, b) > 146);  // a store's way there and back
}

BOOST_AUTO_TEST_CASE(every_subcommand_refuses_bad_input_with_2) {
  const TempFolder d;
  const std::string text = d.file("text", "no report, no case, no test");
  for (const std::string& arguments :
       {std::string("stress --seed -1"), std::string("litmus x --seed 1e3"), "bench --compare " + text + " " + text,
        "stress --replay " + text, std::string("stress --replay /dev/zero"), "litmus " + text,
        std::string("probe latency --set l2.wais=3"), std::string("probe no-such-probe"), std::string("list nothing"),
        std::string("config show --only l3"), std::string("config check " + text)}) {
    const Result r = command(arguments);
    BOOST_TEST(r.code == 2, arguments + ": " + r.out);
    BOOST_TEST(!r.out.empty());
  }
  const Result r = command("bench --compare " + text + " " + text);
  BOOST_TEST(r.out.find("text: is no benchmark result") != std::string::npos, r.out);
}

BOOST_AUTO_TEST_CASE(a_replayed_case_that_does_not_fit_the_card_is_bad_input) {
  const TempFolder d;
  const std::string load = "  load weak cta add 4 0x1 0x0 0 0 0 1\n";
  std::string crowd = "memory 128\n";
  for (unsigned i = 0; i < 200; ++i) crowd += "warp 0 0\n" + load;
  for (const std::string& text : {"memory 128\nwarp 60000 0\n" + load, crowd}) {
    const Result r = command("stress --replay " + d.file("case.txt", text));
    BOOST_TEST(r.code == 2, r.out);
    BOOST_TEST(r.out.find("case.txt: is refused: ") != std::string::npos, r.out);
  }
  BOOST_TEST(command("stress --minutes nan").code == 2);
}

BOOST_AUTO_TEST_CASE(one_litmus_test_shows_its_outcomes) {
  const TempFolder d;
  const std::string text = "placement: 1 thread\nP0: st.weak x 1\ncondition: x=2\nverdict: allowed\nname: ";
  const Result r = command("litmus --check --config tiny --runs 5 " + d.file("one.txt", text + "t\n"));
  BOOST_TEST(r.code == 0, r.out);
  for (const char* part :
       {"allowed, and this machine never shows it", "5  x=1", "1 test: ", "1 allowed outcome this machine never shows"})
    BOOST_TEST(r.out.find(part) != std::string::npos, r.out);
  const Result json = command("litmus --config tiny --runs 5 --format json " + d.file("one.txt", text + "t\n"));
  BOOST_TEST(json.out.find(R"("class": "unreachable")") != std::string::npos, json.out);
  const std::string name(100000, 'a');
  BOOST_TEST(command("litmus --config tiny --filter '(a|b)*c' " + d.file("long.txt", text + name + "\n")).code == 2);
}

BOOST_AUTO_TEST_CASE(an_output_directory_that_cannot_be_written_exits_2) {
  TempFolder d;
  const std::string small = d.file("small.yaml", kSmall);
  BOOST_TEST(command("run " + small + " --out /proc/nowhere/x").code == 2);
  BOOST_TEST(command("run " + small + " --out " + small).code == 2);  // a file is in the way
}

BOOST_AUTO_TEST_CASE(results_of_an_earlier_run_do_not_survive_a_failed_one) {
  TempFolder d;
  const std::string small = d.file("small.yaml", kSmall), out = " --out " + (d.path() / "r").string();
  BOOST_TEST(command("run " + small + out).code == 0);
  const std::string ghost = d.file("ghost.yaml",
                                   "experiment: ghost\nconfig: tiny\nbuffers:\n  g: {size: 4 KiB, mapped: false}\n"
                                   "phases:\n  - {name: s, pattern: single_store, buffer: g}\n");
  const Result r = command("run " + ghost + out);
  BOOST_TEST(r.code == 1, r.out);
  BOOST_TEST(r.out.find("SM 0 warp 0 instruction 0") != std::string::npos, r.out);
  const auto summary = summary_in(d.path() / "r");
  BOOST_TEST(!summary["complete"].get<bool>());
  BOOST_TEST(summary["end"] == "fault");
}

BOOST_AUTO_TEST_CASE(an_interrupted_run_writes_what_it_has_and_says_so) {
  TempFolder d;
  const std::string out = (d.path() / "r").string();
  const Result r = command("run die --out " + out + " & pid=$!; sleep 1; kill -INT $pid; wait $pid");
  BOOST_TEST(r.code == 130, r.out);
  const auto summary = summary_in(d.path() / "r");
  BOOST_TEST(!summary["complete"].get<bool>());
  BOOST_TEST(summary["end"] == "interrupted");
}

BOOST_AUTO_TEST_CASE(probe_gives_rows_and_says_by_its_exit_code_whether_references_are_met) {
  const Result met = command("probe tlb --check --format json");
  BOOST_TEST(met.code == 0, met.out);
  const auto rows = nlohmann::json::parse(met.out);
  for (const auto& row : rows)
    for (const char* key : {"probe", "case", "value", "unit", "reference", "tolerance", "source", "kind", "ok"})
      BOOST_TEST(row.contains(key), key);
  const Result missed = command("probe tlb --check --format csv --set mmu.miss_latency=8.8ns");
  BOOST_TEST(missed.code == 1);
  BOOST_TEST(missed.out.rfind("probe,case,value,unit,reference,tolerance,source,kind,ok\ntlb,pages=1,", 0) == 0U,
             missed.out);
  BOOST_TEST(missed.out.find("tlb,step,8.8") != std::string::npos, missed.out);
  BOOST_TEST(missed.out.find("input,false") != std::string::npos, missed.out);
  BOOST_TEST(command("probe tlb --check").out.find("step") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(a_probe_that_does_not_fit_the_card_exits_2_and_leaves_the_others_rows) {
  const Result r = command("probe coalesce slice-balance --check --config tiny --format csv");
  BOOST_TEST(r.code == 2, r.out);
  BOOST_TEST(r.out.find("gputlm: probe slice-balance does not apply to tiny:") != std::string::npos, r.out);
  BOOST_TEST(r.out.find("does not end within device memory") != std::string::npos, r.out);
  BOOST_TEST(r.out.find("coalesce,\"mask=ends,sectors\",2,") != std::string::npos, r.out);
}

BOOST_AUTO_TEST_CASE(probe_refuses_bad_input_with_exit_code_2) {
  const auto refused = [](const std::string& arguments, const std::string& names) {
    const Result r = command("probe " + arguments);
    BOOST_TEST(r.code == 2, arguments + ": " + r.out);
    BOOST_TEST(r.out.find(names) != std::string::npos, arguments + ": " + r.out);
  };
  refused("no-such-probe", "no-such-probe");
  refused("tlbb", "did you mean tlb");
  refused("", "--list");
  refused("tlb --set mmu.no_such=1", "mmu.no_such");
  refused("tlb --config absent.yaml", "absent.yaml");
  refused("tlb --format xml", "format");
  BOOST_TEST(command("probe --list").out.find("store-issue") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(list_and_version_answer) {
  const Result list = command("list");
  BOOST_TEST(list.code == 0);
  for (const char* name : {"die", "vadd", "one-set", "store-journey", "rtx4090", "l40s", "rtx4080", "a100", "teach",
                           "l2.replacement.policy", "stream_store", "janitor-threshold", "tiny-latency",
                           "kernels.sm_89", "saxpy_shared", "kernels: 1, copies from the host: 2"})
    BOOST_TEST(list.out.find(name) != std::string::npos, name);
  for (const char* kind : {"targets", "traces", "listings"}) {
    BOOST_TEST(command(std::string("list ") + kind).code == 0, kind);
    BOOST_TEST(command("list --help").out.find(kind) != std::string::npos, kind);
  }
  BOOST_TEST(command("list nothing").code == 2);
  BOOST_TEST(command("--version").out.rfind("gputlm ", 0) == 0U);
  BOOST_TEST(command("").code == 2);
}
