// SPDX-License-Identifier: Apache-2.0
//
// Where an access under load spends its time: the legs that the statistics tell add up to its latency.
#include "gputlm/test_support/sc_test.h"

#include "gputlm/system/unit_totals.h"
#include "run_text.h"

using namespace gputlm;

namespace {

/// One line an access, every line once.
struct Legs {
  explicit Legs(const std::string& pattern)
      : run(R"(
experiment: legs
config: tiny
buffers:
  data: {size: 1 MiB}
phases:
  - {name: load, buffer: data, grid: 64, block: 128, pattern: )" +
            pattern + "}\n") {
    const Verdict v = run.run();
    BOOST_TEST(v.clean(), complaints(v));
    for (const Unit* u : run.simulation.gpu.units()) totals.add(*u);
  }
  /// Mean of a leg that each of the 8192 accesses has once.
  double mean(const char* kind, const char* name) const {
    const Histogram* h = totals.distribution(kind, name);
    BOOST_REQUIRE(h != nullptr);
    BOOST_TEST(h->count() == 8192U, kind << '.' << name);
    return h->mean_ns();
  }
  double fixed() const {
    const Config& c = run.config;
    return to_ns(c.l1.miss_latency + c.crossbar.request_latency + c.crossbar.response_latency);
  }

  TextRun run;
  UnitTotals totals;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_legs_of_loads_under_load_add_up_to_their_latency) {
  const Legs l("stream_load");
  const double waits = l.mean("crossbar", "load_request_wait") + l.mean("crossbar", "load_response_wait");
  const double fill = l.fixed() + l.mean("mmu", "wait") + waits + l.mean("l2", "load_latency");
  const boost::test_tools::fpc::percent_tolerance_t<double> close(1e-6);
  BOOST_TEST(l.mean("l1", "fill_latency") == fill, boost::test_tools::tolerance(close));
  BOOST_TEST(l.mean("lsu", "load_latency") == l.mean("lsu", "load_line_wait") + l.mean("l1", "load_wait") + fill,
             boost::test_tools::tolerance(close));
  BOOST_TEST(l.mean("lsu", "load_line_wait") > 0.0);
  BOOST_TEST(waits > 0.0);
}

BOOST_AUTO_TEST_CASE(the_legs_of_stores_under_load_add_up_to_their_latency) {
  const Legs l("stream_store");
  const double waits = l.mean("crossbar", "store_request_wait") + l.mean("crossbar", "store_response_wait");
  const boost::test_tools::fpc::percent_tolerance_t<double> close(1e-6);
  BOOST_TEST(l.mean("lsu", "store_latency") == l.mean("lsu", "store_line_wait") + l.fixed() + l.mean("mmu", "wait") +
                                                   waits + l.mean("l2", "store_latency"),
             boost::test_tools::tolerance(close));
  BOOST_TEST(l.mean("lsu", "store_line_wait") > 0.0);
  BOOST_TEST(l.mean("crossbar", "store_request_wait") > 0.0);
}
