// SPDX-License-Identifier: Apache-2.0
//
// The suite's functional coverage: random programs on random sizes and policies, and directed ones for what chance
// rarely meets, hit every bin of the list.
#include "gputlm/test_support/sc_test.h"

#include <set>

#include "gputlm/coverage/coverage.h"
#include "gputlm/process/child_process.h"
#include "gputlm/stress/stress_runner.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(every_bin_has_a_name_of_its_own_and_a_description) {
  std::set<std::string> names;
  for (const CoverageBin& bin : coverage_bins()) {
    BOOST_TEST(names.insert(bin.name).second, bin.name);
    BOOST_TEST(!bin.description.empty(), bin.name);
  }
  for (const ExcludedBin& bin : excluded_bins()) {
    BOOST_TEST(names.insert(bin.name).second, bin.name);
    BOOST_TEST(!bin.reason.empty(), bin.name);
  }
}

BOOST_AUTO_TEST_CASE(sums_survive_the_way_through_json) {
  Coverage a, b;
  a.hit(bin_of(CoverageEvent::l2_alias), 3);
  b.hit(bin_of(CoverageEvent::l2_alias));
  b.hit(bin_of(L2Access::load, Presence::miss, true, false, false));  // excluded: counts nowhere
  a.add(Coverage::from_json(b.to_json(), "test"));
  BOOST_TEST(a.hits(static_cast<std::size_t>(bin_of(CoverageEvent::l2_alias))) == 4U);
  BOOST_TEST(a.unhit().size() == coverage_bins().size() - 1);
}

namespace {

using Overrides = std::vector<std::string>;

// Two sets, and every dirty victim waits long in their write-back FIFOs: behind a write backlog that is always full ...
const Overrides kFullFifos{"l2.sets=2",
                           "l2.ways=4",
                           "l2.janitor.policy=none",
                           "l2.fifo_drain_interval=100",
                           "l2.write_back_entries=8",
                           "dram.write_queue_entries=1",
                           "dram.write_high_mark=1",
                           "dram.write_low_mark=0"};
// ... or leaves them soon for a deep one, where it is read again.
const Overrides kDeepBacklog{"l2.sets=2",
                             "l2.ways=4",
                             "l2.janitor.policy=none",
                             "l2.fifo_drain_interval=1",
                             "l2.write_back_entries=8",
                             "dram.write_queue_entries=128",
                             "dram.write_high_mark=112",
                             "dram.write_low_mark=32"};

// A suite's programs: the same random ones on cards of three kinds.
StressCase case_of(std::size_t n) {
  StressCase c = draw_stress_case(n / 3 + 1, "tiny");
  const Overrides more = n % 3 == 0 ? Overrides{} : n % 3 == 1 ? kFullFifos : kDeepBacklog;
  c.overrides.insert(c.overrides.end(), more.begin(), more.end());
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_suite_hits_every_bin) {
  constexpr std::size_t kCases = 120;
  Coverage sum;
  run_in_children(
      kCases, 2,
      [](std::size_t n) {
        const StressCase c = case_of(n);
        return to_json(run_stress_cases({c}, c.overrides, "tiny", true));
      },
      [&](std::size_t n, const nlohmann::json& json) {
        const StressResult result = stress_result_from(json);
        BOOST_TEST(result.problem.empty(), "case " << n << ": " << result.problem);
        if (result.coverage) sum.add(*result.coverage);
      },
      [] { return true; });
  for (const std::string& bin : sum.unhit()) BOOST_TEST(false, "never hit: " << bin);
  for (const std::string& cross : sum.impossible()) BOOST_TEST(false, "hit although excluded: " << cross);
}
