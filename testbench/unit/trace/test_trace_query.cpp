// SPDX-License-Identifier: Apache-2.0
//
// Answers to the questions, against recordings that were worked out by hand.
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "gputlm/config/diagnostics.h"
#include "gputlm/test_support/temp_folder.h"
#include "gputlm/trace/sqlite_writer.h"
#include "gputlm/trace/trace_query.h"
#include "run_text.h"

using namespace gputlm;

namespace {

constexpr Fs kNs = kFsPerNs;

/// Stores of SM 0 that reach their slice 20, 30, ... ns after L1, are answered there 10 ns later and at L1 another 5 ns
/// later; the first is accepted at L1 at once, the next 1 ns later, and so on, at the slice always after 4 ns.
TraceTransaction store(unsigned n) {
  TraceTransaction t;
  t.id = n + 1;
  t.kind = TraceKind::line;
  t.operation = "store";
  t.virtual_address = 0x10000 + std::uint64_t{128} * (n % 2);
  t.physical_address = std::uint64_t{128} * (n % 2);
  t.bytes = 128;
  t.origin = {0, 1, n, 0, 0};
  const Fs begin = 100 * kNs * n, at_l2 = begin + (20 + 10 * n) * kNs, answered = at_l2 + 10 * kNs;
  t.hops = {{0, begin, begin + n * kNs, answered + 5 * kNs, answered + 5 * kNs},
            {1, at_l2, at_l2 + 4 * kNs, answered, answered}};
  return t;
}

/// Four such stores, two samples, and what became of line 0x80.
struct Database4 {
  Database4()
      : run("experiment: none\nconfig: tiny\nbuffers:\n  b: {size: 4 KiB}\nphases:\n"
            "  - {name: s, pattern: single_store, buffer: b}\n"),
        file(folder.path("t.db")) {
    const TraceDescription description{
        {{TraceUnit::l1, 0, 0, "SM 0 L1"}, {TraceUnit::l2, 7, 0, "L2 slice 7"}},
        {{"LSU queues", "instructions"}, {"DRAM read", "GB/s"}, {"DRAM written", "GB/s"}}};
    SqliteWriter writer(file, run.simulation.gpu);
    writer.begin(description);
    TraceBatch batch;
    for (unsigned n = 0; n < 4; ++n) batch.transactions.push_back(store(n));
    TraceEvent e;
    e.time = 500 * kNs;
    e.track = 1;
    e.name = "evicted";
    e.line = 0x80;
    batch.events.push_back(e);
    batch.samples = {{100 * kNs, {3, 12.5, 0}}, {200 * kNs, {4, 0, 7}}};
    writer.take(std::make_shared<const TraceBatch>(batch));
    writer.finish({});
  }
  TextRun run;
  test::TempFolder folder;
  const std::string file;
};

std::string text(const QueryTable& table) {
  std::string all;
  for (const auto& row : table.rows) {
    for (const Json& value : row) all += value.is_string() ? value.get<std::string>() + " " : value.dump() + " ";
    all += "\n";
  }
  return all;
}

}  // namespace

BOOST_AUTO_TEST_CASE(latency_gives_nearest_rank_percentiles_of_each_leg) {
  const Database4 d;
  // L1 to L2: 20, 30, 40, 50; at L2: 10 each; back: 5 each; total: 35, 45, 55, 65.
  BOOST_TEST(text(TraceQuery(d.file).latency()) ==
             "store line l1 4 30.0 50.0 50.0 50.0 \n"
             "store line l2 4 10.0 10.0 10.0 10.0 \n"
             "store line back 4 5.0 5.0 5.0 5.0 \n"
             "store line total 4 45.0 65.0 65.0 65.0 \n");
}

BOOST_AUTO_TEST_CASE(stalls_ranks_the_arrows_by_the_time_that_requests_waited_there) {
  const Database4 d;
  BOOST_TEST(text(TraceQuery(d.file).stalls(10)) ==
             "l2 L2 slice 7 4 16.0 4.0 4.0 \n"
             "l1 SM 0 L1 4 6.0 1.5 3.0 \n");
  BOOST_TEST(text(TraceQuery(d.file).stalls(1)) == "l2 L2 slice 7 4 16.0 4.0 4.0 \n");
}

BOOST_AUTO_TEST_CASE(bandwidth_gives_the_series_in_gigabytes_per_second) {
  const Database4 d;
  const QueryTable table = TraceQuery(d.file).bandwidth();
  BOOST_TEST(table.columns.at(1) == "DRAM read GB/s");
  BOOST_TEST(text(table) == "100.0 12.5 0.0 \n200.0 0.0 7.0 \n");
}

BOOST_AUTO_TEST_CASE(line_gives_the_history_of_one_line_by_either_address) {
  const Database4 d;
  // Stores 1 and 3 went to line 0x80.
  const std::string expected =
      "100.0 SM 0 L1 request store 2 0 1 1 \n"
      "130.0 L2 slice 7 request store 2 0 1 1 \n"
      "140.0 L2 slice 7 response store 2 0 1 1 \n"
      "145.0 SM 0 L1 response store 2 0 1 1 \n"
      "300.0 SM 0 L1 request store 4 0 1 3 \n"
      "350.0 L2 slice 7 request store 4 0 1 3 \n"
      "360.0 L2 slice 7 response store 4 0 1 3 \n"
      "365.0 SM 0 L1 response store 4 0 1 3 \n"
      "500.0 L2 slice 7 evicted null null null null null \n";
  BOOST_TEST(text(TraceQuery(d.file).line(0x10085)) == expected);
  BOOST_TEST(text(TraceQuery(d.file).line(0x80)) == expected);
  BOOST_TEST(TraceQuery(d.file).line(0x4000).rows.empty());
}

BOOST_AUTO_TEST_CASE(answers_are_printed_in_columns_and_as_objects) {
  const Database4 d;
  const QueryTable table = TraceQuery(d.file).stalls(1);
  BOOST_TEST(table.document().dump() ==
             R"([{"unit":"l2","place":"L2 slice 7","requests":4,"waited_ns":16.0,"mean_ns":4.0,"max_ns":4.0}])");
  std::ostringstream out;
  table.print(out);
  BOOST_TEST(out.str() ==
             "  unit  place       requests  waited_ns  mean_ns  max_ns\n"
             "  l2    L2 slice 7         4     16.000    4.000   4.000\n");
}

BOOST_AUTO_TEST_CASE(what_is_no_recording_is_told) {
  const test::TempFolder folder;
  BOOST_CHECK_THROW(TraceQuery(folder.path("none.db")), ConfigError);
  BOOST_CHECK_THROW(TraceQuery(folder.path().string()), ConfigError);
  BOOST_CHECK_THROW(TraceQuery(folder.file("text.db", "no database at all")), ConfigError);
  BOOST_CHECK_THROW(TraceQuery(folder.file("empty.db", "")), ConfigError);
  {
    Database other(folder.path("other.db"), Database::Access::create);
    other.execute("CREATE TABLE t(a)");
  }
  BOOST_CHECK_THROW(TraceQuery(folder.path("other.db")), ConfigError);
}
