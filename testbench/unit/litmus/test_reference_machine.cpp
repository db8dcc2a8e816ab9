// SPDX-License-Identifier: Apache-2.0
//
// What the card can reach and what it cannot, on paper: the shapes whose answers follow from docs/memory-model.md.
#include "gputlm/test_support/sc_test.h"

#include <algorithm>

#include "gputlm/litmus/reference_machine.h"

using namespace gputlm;

namespace {

LitmusTest test_of(const std::string& placement, const std::string& program, const std::string& condition) {
  return parse_litmus_tests("name: t\nplacement: " + placement + "\nprogram: " + program + "\ncondition: " + condition +
                                "\nverdict: allowed\n",
                            "t")
      .at(0);
}

bool is_reached(const std::string& placement, const std::string& program, const std::string& condition,
                unsigned sms = 8) {
  const LitmusTest test = test_of(placement, program, condition);
  const auto states = reachable_states(test, sms);
  BOOST_REQUIRE(states.has_value());
  return std::any_of(states->begin(), states->end(), [&](const FinalState& s) { return test.condition.holds(s); });
}

constexpr const char* kApart = "same GPU, diff CTA: P0 / P1";
constexpr const char* kTogether = "same CTA: P0,P1";

/// Message passing ends in flag seen, data old.
bool passes_late(const std::string& placement, const std::string& writer, const std::string& reader,
                 const std::string& flag = "ld.relaxed.gpu y r0") {
  return is_reached(placement,
                    "P0: st.weak x 1; " + writer + "st.relaxed.gpu y 1 || P1: " + flag + "; " + reader + "ld.weak x r1",
                    "P1:r0=1 & P1:r1=0");
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_old_line_shows_across_sms_until_the_reader_drops_it) {
  BOOST_TEST(passes_late(kApart, "", ""));
  BOOST_TEST(passes_late(kApart, "fence.sc.gpu; ", "fence.sc.cta; "));
  BOOST_TEST(!passes_late(kApart, "", "fence.acq_rel.gpu; "));
  BOOST_TEST(!passes_late(kApart, "", "fence.proxy.alias; "));
  BOOST_TEST(!passes_late(kApart, "", "", "ld.acquire.gpu y r0"));
  BOOST_TEST(passes_late(kApart, "", "", "ld.acquire.cta y r0"));
  BOOST_TEST(!passes_late(kTogether, "", ""));
}

BOOST_AUTO_TEST_CASE(warps_of_one_sm_see_its_stores_before_the_others_do) {
  const std::string program =
      "P0: st.weak x 1 || P1: ld.weak x r0; ld.relaxed.gpu y r1 || P2: st.relaxed.gpu y 1; fence.sc.gpu; "
      "ld.relaxed.gpu x r2";
  const std::string early = "P1:r0=1 & P1:r1=0 & P2:r2=0";
  BOOST_TEST(!is_reached("same GPU, mixed CTA: P0,P1 / P2", program, early));  // y is read behind x on the SM's road
  const std::string both =
      "P0: st.weak x 1 || P1: ld.weak x r0; ld.weak y r1 || P2: st.weak y 1 || P3: ld.weak y r2; ld.weak x r3";
  BOOST_TEST(is_reached("same GPU, mixed CTA: P0,P1 / P2,P3", both, "P1:r0=1 & P1:r1=0 & P3:r2=1 & P3:r3=0"));
}

BOOST_AUTO_TEST_CASE(accesses_of_one_warp_reach_l2_in_order) {
  BOOST_TEST(!is_reached(kApart,
                         "P0: st.relaxed.gpu x 1; ld.relaxed.gpu y r0 || P1: st.relaxed.gpu y 1; ld.relaxed.gpu x r0",
                         "P0:r0=0 & P1:r0=0"));
  BOOST_TEST(
      !is_reached(kApart, "P0: ld.weak x r0; st.weak y 1 || P1: ld.weak y r0; st.weak x 1", "P0:r0=1 & P1:r0=1"));
  BOOST_TEST(!is_reached(kApart, "P0: st.weak x 1; st.weak y 2 || P1: st.weak y 1; st.weak x 2", "x=1 & y=1"));
  // With weak loads both may be old lines.
  BOOST_TEST(is_reached(kApart, "P0: st.weak x 1; ld.weak y r0 || P1: st.weak y 1; ld.weak x r0", "P0:r0=0 & P1:r0=0"));
  BOOST_TEST(!is_reached(kApart,
                         "P0: st.weak x 1; fence.sc.gpu; ld.weak y r0 || P1: st.weak y 1; fence.sc.gpu; ld.weak x r0",
                         "P0:r0=0 & P1:r0=0"));
}

BOOST_AUTO_TEST_CASE(a_strong_access_takes_the_line_away_and_atomics_are_one_step) {
  BOOST_TEST(is_reached(kApart, "P0: st.weak x 1 || P1: ld.weak x r0; ld.weak x r1", "P1:r0=0 & P1:r1=0 & x=1"));
  BOOST_TEST(!is_reached(kApart, "P0: st.weak x 1 || P1: ld.relaxed.gpu x r0; ld.weak x r1", "P1:r0=1 & P1:r1=0"));
  BOOST_TEST(!is_reached(kApart, "P0: atom.add.relaxed.gpu x 1 -> r0 || P1: atom.add.relaxed.gpu x 1 -> r0",
                         "P0:r0=0 & P1:r0=0"));
  BOOST_TEST(is_reached(kApart, "P0: red.add.relaxed.gpu x 2 || P1: atom.cas.relaxed.gpu x 2 7 -> r0", "x=7"));
  BOOST_TEST(!is_reached(kApart, "P0: red.add.relaxed.gpu x 2 || P1: atom.cas.relaxed.gpu x 2 7 -> r0", "x!=7 & x!=2"));
}

BOOST_AUTO_TEST_CASE(an_alias_is_another_line_of_l1_and_the_same_memory) {
  const std::string alias = "1 thread, y virtual alias of x";
  BOOST_TEST(is_reached(alias, "P0: st.weak x 1; ld.weak y r0", "P0:r0=0"));
  BOOST_TEST(!is_reached(alias, "P0: st.weak x 1; fence.proxy.alias; ld.weak y r0", "P0:r0=0"));
}

BOOST_AUTO_TEST_CASE(ctas_share_an_sm_where_there_is_no_other) {
  BOOST_TEST(is_reached(kApart, "P0: st.weak x 1 || P1: ld.weak x r0; ld.relaxed.gpu x r1", "P1:r0=0 & P1:r1=1", 1));
  BOOST_TEST(!passes_late("same GPU, diff CTA: P0 / P1", "", "fence.acq_rel.gpu; "));
  BOOST_TEST(!is_reached(kApart, "P0: st.weak x 1; st.relaxed.gpu y 1 || P1: ld.relaxed.gpu y r0; ld.weak x r1",
                         "P1:r0=1 & P1:r1=0", 1));
}

BOOST_AUTO_TEST_CASE(spinning_threads_have_finitely_many_states) {
  BOOST_TEST(
      is_reached(kApart, "P0: st.release.gpu y 1 || P1: L:; ld.acquire.gpu y r0; beq r0 0 L; ld.weak y r1", "P1:r1=1"));
}

BOOST_AUTO_TEST_CASE(nothing_forbidden_is_reached_by_the_published_tests) {
  unsigned forbidden = 0, reachable = 0, unreachable = 0;
  for (const LitmusTest& test : read_litmus_tests(LITMUS_SUBSET)) {
    if (!test.skip_reason.empty()) continue;
    const auto states = reachable_states(test, 128);
    BOOST_REQUIRE(states.has_value());
    const bool reached =
        std::any_of(states->begin(), states->end(), [&](const FinalState& s) { return test.condition.holds(s); });
    if (test.verdict == LitmusVerdict::forbidden) {
      ++forbidden;
      BOOST_TEST(!reached, test.name);
    } else {
      ++(reached ? reachable : unreachable);
    }
  }
  BOOST_TEST(std::min({forbidden, reachable, unreachable}) >= 5U);
}
