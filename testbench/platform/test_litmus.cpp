// SPDX-License-Identifier: Apache-2.0
//
// A fixed part of the published litmus tests on a small card: nothing forbidden is ever seen, a stale L1 line is.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "gputlm/litmus/litmus_runner.h"
#include "gputlm/process/child_process.h"

using namespace gputlm;

namespace {

std::vector<LitmusOutcome> run(const std::vector<LitmusTest>& tests, std::uint64_t runs, std::uint64_t seed,
                               const std::vector<std::string>& overrides = {}, const char* card = "tiny") {
  std::vector<LitmusOutcome> outcomes(tests.size());
  LitmusOptions options;
  options.runs = runs;
  options.seed = seed;
  options.jobs = 2;
  options.check_protocol = true;
  run_litmus_tests(
      tests, Config::load(card, overrides), options,
      [&](std::size_t i, LitmusOutcome o) { outcomes[i] = std::move(o); }, [] { return true; });
  return outcomes;
}

LitmusTest message_passing(const std::string& fence, const std::string& verdict) {
  const std::string text = "name: mp\nplacement: same GPU, diff CTA: P0 / P1\nP0: st.weak x 1; fence.sc." + fence +
                           "; st.relaxed.gpu y 1\nP1: ld.relaxed.gpu y r1; fence.sc." + fence +
                           "; ld.weak x r2\ncondition: P1:r1=1 & P1:r2=0\nverdict: " + verdict + "\n";
  return parse_litmus_tests(text, "mp").at(0);
}

LitmusTest store_buffering() {
  return parse_litmus_tests(
             "name: sb\nplacement: same GPU, diff CTA: P0 / P1\nP0: st.relaxed.gpu x 1; ld.relaxed.gpu y r0\n"
             "P1: st.relaxed.gpu y 1; ld.relaxed.gpu x r0\ncondition: P0:r0=0 & P1:r0=0\nverdict: allowed\n",
             "sb")
      .at(0);
}

using Histogram = std::map<std::string, std::uint64_t>;

// In a child: a process elaborates once.
Histogram histogram(const std::vector<LitmusTest>& tests, std::size_t of, std::uint64_t seed) {
  return ChildProcess([&]() -> nlohmann::json { return run(tests, 60, seed).at(of).histogram; })
      .result()
      .get<Histogram>();
}

}  // namespace

BOOST_AUTO_TEST_CASE(no_forbidden_outcome_and_no_finding_of_the_judges) {
  const std::vector<LitmusTest> tests = read_litmus_tests(LITMUS_SUBSET);
  const std::vector<LitmusOutcome> outcomes = run(tests, 40, 7);
  unsigned reached = 0;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    if (!tests[i].skip_reason.empty()) continue;
    BOOST_TEST(outcomes[i].runs == 40U);
    BOOST_TEST(outcomes[i].ok(tests[i]), tests[i].name << "\n" << outcomes[i].witness);
    reached += tests[i].verdict == LitmusVerdict::allowed && outcomes[i].hits > 0 ? 1U : 0U;
  }
  BOOST_TEST(reached >= 10U);
}

// Accesses of one warp then reach two slices in another order than they left in, and nobody can tell: nothing forbidden
// shows, and nothing that the reference machine does not reach.
BOOST_AUTO_TEST_CASE(slices_at_different_distances_show_nothing_else) {
  std::vector<LitmusTest> tests = read_litmus_tests(LITMUS_SUBSET);
  tests.push_back(store_buffering());
  const auto outcomes = run(tests, 8, 5, {"crossbar.slice_position=[0, 200, 100, 400, 50, 300]"}, QUARTER);
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (tests[i].skip_reason.empty())
      BOOST_TEST(outcomes[i].ok(tests[i]), tests[i].name << "\n" << outcomes[i].witness);
  BOOST_TEST(!outcomes.back().reachable.value_or(true));
}

BOOST_AUTO_TEST_CASE(what_this_machine_never_shows_is_told_from_what_was_not_seen) {
  const LitmusOutcome never = run({store_buffering()}, 20, 1).at(0);
  BOOST_TEST(never.reach() == std::string("unreachable"));
  LitmusOutcome unlucky = never;
  unlucky.reachable = true;
  BOOST_TEST(unlucky.reach() == std::string("not seen"));
  unlucky.hits = 1;
  BOOST_TEST(unlucky.reach() == std::string("seen"));
}

BOOST_AUTO_TEST_CASE(a_stale_line_shows_through_a_cta_fence_and_not_through_a_gpu_fence) {
  const auto outcomes = run({message_passing("cta", "allowed"), message_passing("gpu", "forbidden")}, 300, 1);
  BOOST_TEST(outcomes[0].hits > 0U);
  BOOST_TEST(outcomes[0].histogram.size() == 4U);  // all four outcomes
  BOOST_TEST(outcomes[1].hits == 0U);
  BOOST_TEST(outcomes[1].histogram.count("P1:r1=1 P1:r2=1") == 1U);
}

BOOST_AUTO_TEST_CASE(a_forbidden_outcome_fails_with_a_witness_that_tells_places_timings_and_order) {
  const LitmusTest wrong = message_passing("cta", "forbidden");
  const LitmusOutcome o = run({wrong}, 300, 1).at(0);
  BOOST_TEST(!o.ok(wrong));
  for (const char* part : {"with seed 1", "P0 on SM", "L1 warmed with", "ld.weak x r2 has 0", "L2 slice",
                           "x: P0's store is served", "idle chip", "y: P1's load takes its place"})
    BOOST_TEST(o.witness.find(part) != std::string::npos, part << " missing in:\n" << o.witness);
  // What the run does not need is left out, and so is what happens before the threads start.
  BOOST_TEST(o.witness.find("loaded chip") == std::string::npos, o.witness);
  BOOST_TEST(o.witness.find("y: P0's load") == std::string::npos, o.witness);
}

BOOST_AUTO_TEST_CASE(a_histogram_depends_on_the_test_and_the_seed_alone) {
  const LitmusTest cta = message_passing("cta", "allowed"), gpu = message_passing("gpu", "forbidden");
  const Histogram alone = histogram({cta}, 0, 5);
  BOOST_TEST((alone == histogram({gpu, cta, gpu}, 1, 5)));
  BOOST_TEST((alone != histogram({cta}, 0, 6)));
}

BOOST_AUTO_TEST_CASE(a_loop_that_does_not_end_is_reported) {
  const auto tests = parse_litmus_tests(
      "name: spin\nplacement: 1 thread\nP0: L: ; ld.weak x r0; beq r0 0 L\ncondition: P0:r0=1\nverdict: allowed\n",
      "spin");
  const LitmusOutcome o = run(tests, 1, 1).at(0);
  BOOST_REQUIRE(o.problems.size() == 1U);
  BOOST_TEST(o.problems[0] == "run 0: a thread's loop does not end");
}

BOOST_AUTO_TEST_CASE(a_spin_loop_ends_when_its_flag_is_set) {
  const auto tests = parse_litmus_tests(
      "name: spin\nplacement: same GPU, diff CTA: P0 / P1\nP0: st.weak x 1; st.release.gpu y "
      "1\nP1: L:; ld.acquire.gpu y r0; beq r0 0 L; ld.weak x r1\ncondition: "
      "P1:r0=1 & P1:r1=1\nverdict: allowed\n",
      "spin");
  const LitmusOutcome o = run(tests, 40, 3).at(0);
  BOOST_TEST(o.hits == 40U);
}
