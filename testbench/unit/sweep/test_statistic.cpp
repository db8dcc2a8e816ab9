// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <algorithm>

#include "gputlm/sweep/statistic.h"

using namespace gputlm;

namespace {

/// What a run of two phases leaves, the second of two kernels.
const Json kSummary = Json::parse(R"({
  "simulated_ns": 500.0,
  "phases": [
    {"name": "w", "start_ns": 0.0, "end_ns": 100.0, "bytes_stored": 3200, "bytes_loaded": 0,
     "dram_bytes_read": 0, "dram_bytes_written": 800,
     "kernels": [{"name": "w", "start_ns": 0.0, "end_ns": 100.0, "bytes_stored": 3200, "bytes_loaded": 0}]},
    {"name": "both", "start_ns": 100.0, "end_ns": 400.0, "bytes_stored": 800, "bytes_loaded": 6000,
     "dram_bytes_read": 2000, "dram_bytes_written": 400,
     "kernels": [{"name": "a", "start_ns": 100.0, "end_ns": 200.0, "bytes_stored": 800, "bytes_loaded": 0},
                 {"name": "b", "start_ns": 100.0, "end_ns": 400.0, "bytes_stored": 0, "bytes_loaded": 6000}]}],
  "latency_ns": {"load_latency": {"count": 4, "mean": 250.5, "p50": 200.0, "p99": 600.0, "max": 610.0}},
  "l1": {"loads": 0, "load_hits": 0}, "tlb": {"lookups": 50, "misses": 1},
  "l2": {"stores": 30, "loads": 3, "load_hits": 2, "store_hits": 15, "write_backs": 7, "janitor_cleans": 5,
         "dirty_bytes_end": 96},
  "memory_peak_mib": 20.5
})");

double value(const std::string& name) {
  for (const Statistic& s : named_statistics(kSummary))
    if (s.name == name) return s.value;
  BOOST_FAIL("no statistic " + name);
  return 0;
}

bool is_there(const std::vector<Statistic>& list, const std::string& column) {
  return std::any_of(list.begin(), list.end(), [&](const Statistic& s) { return s.column() == column; });
}

}  // namespace

BOOST_AUTO_TEST_CASE(bandwidths_are_bytes_over_the_time_from_the_first_phase_to_the_last) {
  BOOST_TEST(value("program_time") == 400);
  BOOST_TEST(value("store_bandwidth") == 10);  // (3200 + 800) B / 400 ns
  BOOST_TEST(value("load_bandwidth") == 15);
  BOOST_TEST(value("dram_write_bandwidth") == 3);
  BOOST_TEST(value("dram_read_bandwidth") == 5);
}

BOOST_AUTO_TEST_CASE(phases_and_kernels_have_their_own_times) {
  BOOST_TEST(value("phases.w.store_bandwidth") == 32);
  BOOST_TEST(value("phases.both.load_bandwidth") == 20);
  BOOST_TEST(value("phases.both.a.store_bandwidth") == 8);
  BOOST_TEST(value("phases.both.b.time") == 300);
}

BOOST_AUTO_TEST_CASE(shares_latencies_and_counts_are_taken_as_they_are) {
  BOOST_TEST(value("load_latency") == 250.5);
  BOOST_TEST(value("load_latency_p99") == 600);
  BOOST_TEST(value("l2_store_hits") == 50);
  BOOST_TEST(value("l2_load_hits") == 66.6667);  // six digits
  BOOST_TEST(value("tlb_misses") == 2);
  BOOST_TEST(value("l2_write_backs") == 7);
  BOOST_TEST(value("l2_dirty_end") == 96);
}

BOOST_AUTO_TEST_CASE(what_did_not_occur_has_no_figure) {
  const std::vector<Statistic> headline = headline_statistics(kSummary);
  BOOST_TEST(is_there(headline, "load_latency [ns]"));
  BOOST_TEST(!is_there(headline, "store_latency [ns]"));
  BOOST_TEST(!is_there(headline, "l1_load_hits [%]"));    // no load
  BOOST_TEST(!is_there(headline, "phases.w.time [ns]"));  // only by name
  BOOST_TEST(headline_statistics(Json::object()).empty());
}

BOOST_AUTO_TEST_CASE(every_headline_figure_can_be_asked_for_by_its_name) {
  const std::vector<std::string> names = statistic_names();
  for (const Statistic& s : headline_statistics(kSummary))
    BOOST_TEST((std::find(names.begin(), names.end(), s.name) != names.end()), s.name);
}

BOOST_AUTO_TEST_CASE(a_launch_has_the_figures_of_its_kernel) {
  const std::vector<Statistic> all =
      headline_statistics(Json{{"kernel_ns", 100.0}, {"dram_bytes_read", 6400}, {"l2_load_hit_rate", 0.25}});
  BOOST_TEST((is_there(all, "kernel_time [ns]") && is_there(all, "dram_read_bandwidth [GB/s]")));
  for (const Statistic& s : all)
    if (s.name == "l2_load_hits") BOOST_TEST(s.value == 25);
}

BOOST_AUTO_TEST_CASE(any_number_of_the_summary_can_be_named) {
  BOOST_TEST(summary_statistic(kSummary, "latency_ns.load_latency.p50")->value == 200);
  BOOST_TEST(summary_statistic(kSummary, "latency_ns.load_latency.p50")->unit == "ns");
  BOOST_TEST(summary_statistic(kSummary, "phases.1.kernels.0.bytes_stored")->value == 800);
  BOOST_TEST(summary_statistic(kSummary, "phases.1.kernels.0.bytes_stored")->unit == "B");
  BOOST_TEST(!summary_statistic(kSummary, "phases.9.bytes_stored"));
  BOOST_TEST(!summary_statistic(kSummary, "phases.0.name"));
}

BOOST_AUTO_TEST_CASE(any_statistic_of_the_tree_can_be_named_with_its_unit) {
  const Json tree = Json::parse(R"({"total": {"mc": {
      "reads": {"value": 12, "unit": "line", "description": "taken in"},
      "latency": {"value": {"mean": 3.5, "p99": 9.0}, "unit": "ns", "description": "to data"}}}})");
  BOOST_TEST(tree_statistic(tree, "total.mc.reads")->value == 12);
  BOOST_TEST(tree_statistic(tree, "total.mc.reads")->column() == "stats.total.mc.reads [line]");
  BOOST_TEST(tree_statistic(tree, "total.mc.latency")->value == 3.5);
  BOOST_TEST(tree_statistic(tree, "total.mc.latency.p99")->value == 9);
  for (const char* wrong : {"total.mc", "total.mc.reads.p99", "total.mc.latency.p98", "total.mc.writes", ""})
    BOOST_TEST(!tree_statistic(tree, wrong), wrong);
}

BOOST_AUTO_TEST_CASE(the_rows_of_a_probe_are_statistics_where_they_have_a_value) {
  const std::vector<Statistic> rows = probe_statistics(
      Json::parse(R"([{"case": "a", "value": 1.5, "unit": "ns"}, {"case": "b", "value": null, "unit": "ns"}])"));
  BOOST_REQUIRE(rows.size() == 1U);
  BOOST_TEST(rows[0].column() == "a [ns]");
}
