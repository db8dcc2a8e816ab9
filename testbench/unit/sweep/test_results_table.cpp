// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <fstream>
#include <sstream>

#include "gputlm/sweep/results_table.h"
#include "gputlm/trace/database.h"
#include "sweep_text.h"

using namespace gputlm;
using test::SweepText;

namespace {

Statistic latency(double value) {
  return {"load_latency", "ns", "lower", "Mean", value};
}

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

/// Four points of two parameters: done, failed, done with a figure more, not ended.
struct Bench {
  SweepText text{
      "parameters:\n  l2.ways: [8, 16]\n  l2.replacement.policy: [rrip, lru]\nstatistics: [load_latency, simulated]\n"};
  SweepPlan plan = text.plan();
  std::vector<PointRecord> records{{PointEnd{true, ""}, {latency(2.5)}},
                                   {PointEnd{false, "exit code 1: \"x\", y"}, {}},
                                   {PointEnd{true, ""}, {latency(300), {"a,b", "", "", "", 1e-7}}},
                                   {}};
  ResultsTable table{plan, records};
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_csv_has_a_row_for_every_point_that_has_ended, Bench) {
  BOOST_TEST(table.csv() ==
             "point,state,l2.ways [ways],l2.replacement.policy,load_latency [ns],\"a,b\"\n"
             "1,done,8,rrip,2.5,\n"
             "2,failed,8,lru,,\n"
             "3,done,16,rrip,300,1e-07\n");
}

BOOST_FIXTURE_TEST_CASE(the_database_has_the_same_rows_and_says_what_the_columns_are, Bench) {
  const std::string file = text.path("results.db");
  table.write_database(file);
  Database database(file, Database::Access::read);
  Query rows(database, "SELECT point, state, \"l2.ways [ways]\", \"load_latency [ns]\" FROM results ORDER BY point");
  std::vector<std::string> all;
  while (rows.step())
    all.push_back(rows.text(0) + " " + rows.text(1) + " " + rows.text(2) + " " +
                  (rows.is_null(3) ? "null" : rows.text(3)));
  BOOST_TEST((all == std::vector<std::string>{"1 done 8 2.5", "2 failed 8 null", "3 done 16 300.0"}));
  Query columns(database,
                "SELECT role || ' ' || path || ' ' || unit FROM columns WHERE role NOT IN ('point', 'state')");
  all.clear();
  while (columns.step()) all.push_back(columns.text(0));
  BOOST_TEST((all == std::vector<std::string>{"parameter l2.ways ways", "parameter l2.replacement.policy ",
                                              "statistic load_latency ns", "statistic a,b "}));
}

BOOST_FIXTURE_TEST_CASE(the_database_of_the_same_results_is_the_same_file, Bench) {
  table.write_database(text.path("one.db"));
  table.write_database(text.path("two.db"));
  table.write_database(text.path("two.db"));  // in place of one that is there
  BOOST_TEST((bytes_of(text.path("one.db")) == bytes_of(text.path("two.db"))));
  BOOST_TEST(bytes_of(text.path("one.db")).size() > 1000U);
}

BOOST_FIXTURE_TEST_CASE(the_description_has_parameters_statistics_and_the_state_of_each_point, Bench) {
  const Json j = table.description();
  BOOST_TEST(j["sweep"] == "s");
  BOOST_TEST(j["kind"] == "experiment");
  BOOST_TEST(j["parameters"][0]["column"] == "l2.ways [ways]");
  BOOST_TEST((j["parameters"][0]["values"] == Json{8, 16}));
  BOOST_TEST(j["parameters"][0]["numeric"] == true);
  BOOST_TEST(j["parameters"][1]["numeric"] == false);
  BOOST_TEST(j["statistics"][0]["better"] == "lower");
  std::string states;
  for (const Json& point : j["points"]) states += point["state"].get<std::string>() + " ";
  BOOST_TEST(states == "done failed done waiting ");
  BOOST_TEST(j["points"][1]["problem"] == "exit code 1: \"x\", y");
  BOOST_TEST(j["points"][2]["folder"] == "points/0003");
  BOOST_TEST(j["points"][2]["parameters"]["l2.ways"] == 16);
  BOOST_TEST(j["points"][2]["statistics"]["load_latency"] == 300.0);
}

BOOST_FIXTURE_TEST_CASE(a_statistic_that_no_point_has_is_named, Bench) {
  BOOST_TEST((table.missing() == std::vector<std::string>{"simulated"}));
}

BOOST_AUTO_TEST_CASE(a_sampled_range_is_described_by_its_ends) {
  const SweepPlan plan =
      SweepText("method: latin-hypercube\npoints: 4\nparameters: {l2.ways: {from: 8, to: 16}}\n").plan();
  const Json j = ResultsTable(plan, std::vector<PointRecord>(4)).description();
  BOOST_TEST((j["parameters"][0]["values"] == Json{{"from", 8}, {"to", 16}}));
}
