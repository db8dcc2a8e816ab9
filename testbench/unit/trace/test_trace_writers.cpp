// SPDX-License-Identifier: Apache-2.0
//
// The files of a recording: written by hand-made transactions, and by runs.
#include "gputlm/test_support/sc_test.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <nlohmann/json.hpp>

#include "gputlm/test_support/temp_folder.h"
#include "gputlm/trace/background_sink.h"
#include "gputlm/trace/csv_writer.h"
#include "gputlm/trace/perfetto_writer.h"
#include "gputlm/trace/sqlite_writer.h"
#include "gputlm/trace/trace_recorder.h"
#include "gputlm/trace/vcd_writer.h"
#include "run_text.h"

using namespace gputlm;
using nlohmann::json;

namespace {

const char* const kBoth = R"(
experiment: both
config: tiny
buffers:
  out: {size: 256 KiB}
  in: {size: 256 KiB}
image:
  in: pattern
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 16, block: 128}
  - {name: read, pattern: stream_load, buffer: in, grid: 16, block: 128}
)";

std::string contents(const std::string& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

const TraceDescription kDescription{
    {{TraceUnit::l1, 0, 0, "SM 0 L1"}, {TraceUnit::mmu, 0, 0, "SM 0 MMU"}, {TraceUnit::l2, 7, 0, "L2 slice 7"}},
    {{"DRAM read", "GB/s"}}};

/// A store through L1 and MMU to a slice, and something that happened there.
SharedBatch small_batch() {
  TraceTransaction t;
  t.id = 5;
  t.parent = 4;
  t.kind = TraceKind::line;
  t.operation = "store";
  t.virtual_address = 0x7f4000000000;
  t.physical_address = 0x80;
  t.bytes = 128;
  t.origin = {3, 2, 1, 0, 9};
  t.hops = {{0, 1'000'000, 2'500'000, 90'000'000, 90'000'000, 4, true, true},
            {1, 16'400'000, 17'900'000, 90'000'000, 90'000'000, 4, true, true},
            {2, 50'000'000, kNever, kNever, kNever, 4, true, true}};
  TraceEvent e;
  e.time = 50'000'000;
  e.track = 2;
  e.name = "way chosen";
  e.transaction = 5;
  e.line = 0x80;
  e.of_way = true;
  e.set = 11, e.way = 3, e.rrpv = 1, e.valid = ByteMask::full(), e.dirty = ByteMask::range(0, 64);
  return std::make_shared<const TraceBatch>(TraceBatch{{t}, {e}, {{100'000'000, {12.5}}}});
}

template <class Writer>
void write_small(Writer& writer) {
  writer.begin(kDescription);
  writer.take(small_batch());
  writer.finish({2, 1, 100});
}

json of_phase(const json& events, const std::string& ph) {
  json found = json::array();
  for (const json& e : events)
    if (e["ph"] == ph) found.push_back(e);
  return found;
}

/// A run of kBoth with this sink.
struct RecordedRun {
  RecordedRun() : run(kBoth), recorder(run.simulation, {}) {}
  void go() {
    BOOST_TEST(run.run().clean());
    recorder.finish();
  }
  TextRun run;
  TraceRecorder recorder;
  test::TempFolder folder;
};

}  // namespace

BOOST_AUTO_TEST_CASE(perfetto_shows_each_hop_as_request_stay_and_response) {
  const test::TempFolder folder;
  {
    PerfettoWriter writer(folder.path("t.json"));
    write_small(writer);
  }
  const json document = json::parse(contents(folder.path("t.json")));
  const json& events = document["traceEvents"];
  const json slices = of_phase(events, "X");
  // Two requests (the third hop is still under way) and the response at the top.
  BOOST_REQUIRE(slices.size() == 3U);
  BOOST_TEST(slices[0]["ts"].get<double>() == 0.001);
  BOOST_TEST(slices[0]["dur"].get<double>() == 0.001);  // 1.0 to 2.5 ns in whole ones
  BOOST_TEST(slices[0]["args"]["va"] == "0x7f4000000000");
  BOOST_TEST(slices[0]["args"]["sm"] == 3);
  BOOST_TEST(slices[2]["args"]["ns"].get<double>() == 16.4);
  BOOST_TEST(of_phase(events, "b").size() == 2U);
  BOOST_TEST(of_phase(events, "e").size() == 2U);
  BOOST_TEST(of_phase(events, "i")[0]["args"]["rrpv"] == 1);
  BOOST_TEST(of_phase(events, "C")[0]["args"]["value"].get<double>() == 12.5);
  BOOST_TEST(document["otherData"]["transactions_left_out"] == 2);
}

BOOST_AUTO_TEST_CASE(every_slice_of_a_perfetto_run_has_its_end_and_every_flow_its_slices) {
  RecordedRun r;
  const std::string file = r.folder.path("t.json");
  r.recorder.add(std::make_unique<PerfettoWriter>(file));
  BOOST_TEST(!std::filesystem::exists(file));
  r.go();
  const json events = json::parse(contents(file))["traceEvents"];
  std::map<std::pair<int, std::uint64_t>, std::set<double>> starts;  // of slices, by thread
  std::map<std::pair<int, std::uint64_t>, std::vector<std::pair<double, double>>> spans;
  std::set<std::pair<int, std::uint64_t>> named, threads;
  std::map<std::string, std::vector<double>> stays;
  std::map<std::uint64_t, std::string> flows;
  for (const json& e : events) {
    const std::string ph = e["ph"];
    const std::pair<int, std::uint64_t> thread{e["pid"], e.value("tid", std::uint64_t{0})};
    if (ph == "X") {
      threads.insert(thread);
      starts[thread].insert(e["ts"].get<double>());
      spans[thread].emplace_back(e["ts"].get<double>(), e["ts"].get<double>() + e["dur"].get<double>());
    }
    if (ph == "M" && e["name"] == "thread_name") BOOST_TEST(named.insert(thread).second);
    if (ph == "b" || ph == "e") stays[e["id"]].push_back((ph == "b" ? 1 : -1) * e["ts"].get<double>());
    if (ph == "s" || ph == "t" || ph == "f") {
      flows[e["id"].get<std::uint64_t>()] += ph;
      BOOST_TEST(starts[thread].count(e["ts"].get<double>()) == 1U);
    }
  }
  for (const auto& thread : threads) BOOST_TEST(named.count(thread) == 1U);
  constexpr double kHair = 1e-6;  // of the sums of decimal fractions
  for (auto& [thread, list] : spans) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i) BOOST_TEST(list[i - 1].second <= list[i].first + kHair);
  }
  BOOST_TEST(stays.size() > 1000U);
  for (const auto& [id, ends] : stays) {
    BOOST_TEST(ends.size() == 2U, id);
    BOOST_TEST(ends[0] >= 0);
    BOOST_TEST(-ends[1] >= ends[0]);
  }
  BOOST_TEST(flows.size() > 1000U);
  for (const auto& [id, steps] : flows) {
    BOOST_TEST(steps.front() == 's');
    BOOST_TEST(steps.back() == 'f');
    BOOST_TEST(steps.find_first_not_of('t', 1) == steps.size() - 1);
  }
  BOOST_TEST(of_phase(events, "C").size() > 0U);
}

BOOST_AUTO_TEST_CASE(csv_has_a_line_for_each_hop) {
  const test::TempFolder folder;
  CsvWriter writer(folder.path("t.csv"));
  write_small(writer);
  std::istringstream in(contents(folder.path("t.csv")));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  BOOST_REQUIRE(lines.size() == 4U);
  BOOST_TEST(
      lines[1] ==
      "5,4,line,store,0x7f4000000000,0x80,128,3,2,1,0,9,l1,0,\"SM 0 L1\",1.000000,2.500000,90.000000,90.000000,4");
  BOOST_TEST(lines[3] == "5,4,line,store,0x7f4000000000,0x80,128,3,2,1,0,9,l2,7,\"L2 slice 7\",50.000000,,,,4");
  for (const std::string& line : lines) BOOST_TEST(std::count(line.begin(), line.end(), ',') == 19);
}

BOOST_AUTO_TEST_CASE(the_database_holds_the_run_its_statistics_and_its_configuration) {
  RecordedRun r;
  const std::string file = r.folder.path("t.db");
  r.recorder.add(std::make_unique<SqliteWriter>(file, r.run.simulation.gpu));
  BOOST_TEST(!std::filesystem::exists(file));
  r.go();
  BOOST_TEST(!std::filesystem::exists(file + ".part"));
  Database database(file, Database::Access::read);
  const auto number = [&](const std::string& sql) {
    Query q(database, sql);
    BOOST_TEST(q.step());
    return q.integer(0);
  };
  BOOST_TEST(number("SELECT count(*) FROM transactions WHERE kind='line'") ==
             static_cast<std::int64_t>(r.run.simulation.line_requests()));
  BOOST_TEST(number("SELECT count(*) FROM phases WHERE done_fs IS NULL OR NOT "
                    "(request_fs<=accepted_fs AND accepted_fs<=response_fs AND response_fs<=done_fs)") == 0);
  BOOST_TEST(number("SELECT count(*) FROM phases LEFT JOIN transactions ON id=transaction_id WHERE id IS NULL") == 0);
  BOOST_TEST(number("SELECT count(*) FROM phases LEFT JOIN tracks ON id=track WHERE id IS NULL") == 0);
  BOOST_TEST(number("SELECT value FROM statistics WHERE place='gpu.sm0.lsu' AND name='store_lines'") > 0);
  BOOST_TEST(number("SELECT value FROM configuration WHERE path='l2.ways'") == 16);
  BOOST_TEST(number("SELECT count(*) FROM sqlite_master WHERE type='index' AND name LIKE 'phases%'") == 2);
  BOOST_TEST(number("SELECT value FROM run WHERE key='transactions_left_out'") == 0);
  BOOST_TEST(number("SELECT count(*) FROM samples") > 0);
}

BOOST_AUTO_TEST_CASE(nothing_stays_of_a_recording_that_does_not_come_to_its_end) {
  const test::TempFolder folder;
  {
    PerfettoWriter perfetto(folder.path("t.json"));
    CsvWriter csv(folder.path("t.csv"));
    for (TraceSink* sink : {static_cast<TraceSink*>(&perfetto), static_cast<TraceSink*>(&csv)}) {
      sink->begin(kDescription);
      sink->take(small_batch());
    }
  }
  BOOST_TEST(std::filesystem::is_empty(folder.path()));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_told) {
  BOOST_CHECK_THROW(PerfettoWriter("/nowhere/t.json"), std::runtime_error);
  BOOST_CHECK_THROW(CsvWriter("/nowhere/t.csv"), std::runtime_error);
}

BOOST_AUTO_TEST_CASE(the_dump_of_changes_follows_the_queues) {
  TextRun run(kBoth);
  const test::TempFolder folder;
  VcdWriter writer("vcd", folder.path("queues"), run.simulation.gpu, {});
  BOOST_TEST(run.run().clean());
  writer.finish();
  const std::string text = contents(folder.path("queues"));
  BOOST_TEST(text.find("$enddefinitions") != std::string::npos);
  BOOST_TEST(text.find("write_backlog") != std::string::npos);
  BOOST_TEST(text.find("unacknowledged") != std::string::npos);
  // Code of sm0.unacknowledged, whose stores go out and come back: it rises above 1 and ends at 0.
  std::istringstream in(text);
  std::string code, line, last;
  std::size_t changes = 0;
  while (std::getline(in, line)) {
    if (code.empty() && line.find("unacknowledged") != std::string::npos) {
      std::istringstream words(line);
      std::string var, wire, width;
      words >> var >> wire >> width >> code;
    }
    if (!code.empty() && line.front() == 'b' && line.substr(line.rfind(' ') + 1) == code) {
      last = line;
      ++changes;
    }
  }
  BOOST_TEST(changes > 10U);
  BOOST_TEST(last.find('1') == std::string::npos);
  BOOST_TEST(!std::filesystem::exists(folder.path("queues.part.vcd")));
}

BOOST_AUTO_TEST_CASE(of_the_signals_those_are_dumped_that_somebody_wants) {
  TextRun run(kBoth);
  const test::TempFolder folder;
  const VcdSelection wanted = VcdSelection::parse("sm1.*,slice[0-3].dirty_bytes", run.config, "--vcd-signals");
  VcdWriter writer("vcd", folder.path("some"), run.simulation.gpu, {}, wanted);
  BOOST_TEST(run.run().clean());
  writer.finish();
  BOOST_TEST(writer.happened());
  const std::string text = contents(folder.path("some"));
  for (const char* name : {"warps", "throttled", "lsu_queued", "dirty_bytes"})
    BOOST_TEST(text.find(name) != std::string::npos, name);
  for (const char* name : {"write_backlog", "sm0", "crossbar_queue"})
    BOOST_TEST(text.find(name) == std::string::npos, name);
}

BOOST_AUTO_TEST_CASE(a_signal_that_there_is_not_is_refused_with_those_there_are) {
  const Config config = Config::load("tiny");
  for (const char* wrong : {"", "sm2.warps", "sm0.warp", "sm0.warps,,sm1.warps", "warps"})
    BOOST_CHECK_EXCEPTION(VcdSelection::parse(wrong, config, "--vcd-signals"), ConfigError, [](const ConfigError& e) {
      const std::string text = e.what();
      return text.find("no signal has such a name") != std::string::npos &&
             text.find("smN.lsu_queued") != std::string::npos;
    });
}

BOOST_AUTO_TEST_CASE(a_thread_of_its_own_writes_the_same_files) {
  RecordedRun r;
  const auto add = [&r](auto make, const std::string& name) {
    r.recorder.add(make(r.folder.path(name)));
    r.recorder.add(std::make_unique<BackgroundSink>(make(r.folder.path("background." + name))));
  };
  add([](const std::string& file) { return std::make_unique<CsvWriter>(file); }, "t.csv");
  add([](const std::string& file) { return std::make_unique<PerfettoWriter>(file); }, "t.json");
  add([&r](const std::string& file) { return std::make_unique<SqliteWriter>(file, r.run.simulation.gpu); }, "t.db");
  r.go();
  for (const std::string name : {"t.csv", "t.json", "t.db"}) {
    const std::string expected = contents(r.folder.path(name));
    BOOST_TEST(!expected.empty());
    BOOST_TEST((contents(r.folder.path("background." + name)) == expected), name << " differs");
  }
}
