// SPDX-License-Identifier: Apache-2.0
//
// Tight gates: for every timing rule a scenario in which nothing else holds the second command back. It must come
// exactly `gap` clocks after the first, for the card's number and for a changed one.
#include "banks_bench.h"

#include <functional>

using namespace gputlm;

namespace {

/// Runs the scenario for the card's value of a parameter and for changed ones.
void gate(unsigned DramTimingSpec::*parameter, const std::function<Ck(Banks&)>& gap, int offset = 0) {
  for (const unsigned add : {0U, 1U, 5U}) {
    DramSpec s = open_page();
    s.timing.*parameter += add;
    Banks b(s);
    BOOST_TEST(gap(b) == static_cast<Ck>(s.timing.*parameter) + offset);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(gate_tRCDRD) {
  gate(&DramTimingSpec::tRCDRD, [](Banks& b) { return b.access(0, 0, 1, 1), b.clock(kRead, 0) - b.clock(kAct, 0); });
}

BOOST_AUTO_TEST_CASE(gate_tRCDWR) {
  gate(&DramTimingSpec::tRCDWR,
       [](Banks& b) { return b.access(0, 0, 1, 0, 1), b.clock(kWrite, 0) - b.clock(kAct, 0); });
}

BOOST_AUTO_TEST_CASE(gate_tCL_and_tWL) {
  gate(
      &DramTimingSpec::tCL,
      [](Banks& b) {
        const Ck end = b.access(0, 0, 1, 1);
        return end - b.clock(kRead, 0);
      },
      1);
  gate(
      &DramTimingSpec::tWL,
      [](Banks& b) {
        const Ck end = b.access(0, 0, 1, 0, 1);
        return end - b.clock(kWrite, 0);
      },
      1);
}

BOOST_AUTO_TEST_CASE(gate_tRAS) {
  gate(&DramTimingSpec::tRAS, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(0, 0, 2, 1);
    return b.clock(kPre, 0) - b.clock(kAct, 0);
  });
}

BOOST_AUTO_TEST_CASE(gate_tRP) {
  gate(&DramTimingSpec::tRP, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(500, 0, 2, 1);
    return b.clock(kAct, 1) - b.clock(kPre, 0);
  });
}

BOOST_AUTO_TEST_CASE(gate_tRC) {
  for (const unsigned rc : {67U, 68U, 75U}) {
    DramSpec s = open_page();
    s.timing.tRC = rc;
    Banks b(s);
    b.access(0, 0, 1, 1);
    b.access(0, 0, 2, 1);
    BOOST_TEST(b.clock(kAct, 1) - b.clock(kAct, 0) == rc);
  }
}

BOOST_AUTO_TEST_CASE(gate_tRTP) {
  gate(&DramTimingSpec::tRTP, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(200, 0, 1, 1);
    b.access(200, 0, 2, 1);
    return b.clock(kPre, 0) - b.clock(kRead, 1);
  });
}

BOOST_AUTO_TEST_CASE(gate_tWR_counts_from_the_end_of_the_data) {
  gate(&DramTimingSpec::tWR, [](Banks& b) {
    b.access(0, 0, 1, 0, 1);
    b.access(200, 0, 1, 0, 1);
    b.access(200, 0, 2, 1);
    return b.clock(kPre, 0) - b.clock(kWrite, 1) - 6;  // tWL 5, burst 1
  });
}

BOOST_AUTO_TEST_CASE(gate_tCCDL_within_a_line_and_within_a_group) {
  gate(&DramTimingSpec::tCCDL, [](Banks& b) { return b.access(0, 0, 1, 3), b.clock(kRead, 1) - b.clock(kRead, 0); });
  gate(&DramTimingSpec::tCCDL, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(0, 1, 1, 1);
    b.access(200, 0, 1, 0, 1);
    b.access(200, 1, 1, 0, 1);
    return b.clock(kWrite, 1) - b.clock(kWrite, 0);
  });
}

BOOST_AUTO_TEST_CASE(gate_tCCDS_between_groups) {
  gate(&DramTimingSpec::tCCDS, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(0, 4, 1, 1);
    b.access(200, 0, 1, 1);
    b.access(200, 4, 1, 1);
    return b.clock(kRead, 3) - b.clock(kRead, 2);
  });
}

BOOST_AUTO_TEST_CASE(gate_burst_keeps_columns_apart) {
  for (const CommandKind kind : {kRead, kWrite})
    gate(&DramTimingSpec::burst, [kind](Banks& b) {
      b.access(0, 0, 1, 1);
      b.access(0, 4, 1, 1);
      for (const unsigned bank : {0U, 4U}) b.access(200, bank, 1, kind == kRead ? 1 : 0, kind == kWrite ? 1 : 0);
      return kind == kRead ? b.clock(kRead, 3) - b.clock(kRead, 2) : b.clock(kWrite, 1) - b.clock(kWrite, 0);
    });
}

BOOST_AUTO_TEST_CASE(gate_tRRDS_between_groups_and_tRRDL_within) {
  for (const unsigned add : {0U, 3U}) {
    DramSpec s = open_page();
    s.timing.tRRDL += add;
    Banks same(s), other(s);
    same.access(0, 0, 1, 1);
    same.access(0, 1, 1, 1);
    BOOST_TEST(same.clock(kAct, 1) - same.clock(kAct, 0) == 7 + add);
    other.access(0, 0, 1, 1);
    other.access(0, 4, 1, 1);
    BOOST_TEST(other.clock(kAct, 1) - other.clock(kAct, 0) == 7);
  }
}

BOOST_AUTO_TEST_CASE(gate_tFAW_holds_the_fifth_activate) {
  for (const unsigned faw : {28U, 30U, 40U}) {
    DramSpec s = open_page();
    s.timing.tFAW = faw;
    Banks b(s);
    for (const unsigned bank : {0U, 4U, 8U, 12U, 1U}) b.access(0, bank, 1, 1);
    BOOST_TEST(b.clock(kAct, 3) - b.clock(kAct, 0) == 21);
    BOOST_TEST(b.clock(kAct, 4) - b.clock(kAct, 0) == faw);
  }
}

BOOST_AUTO_TEST_CASE(gate_tRTW) {
  gate(&DramTimingSpec::tRTW, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(0, 4, 1, 1);
    b.access(200, 0, 1, 1);
    b.access(200, 4, 1, 0, 1);
    return b.clock(kWrite, 0) - b.clock(kRead, 2);
  });
}

BOOST_AUTO_TEST_CASE(gate_tWTRS_between_groups_and_tWTRL_within) {
  gate(&DramTimingSpec::tWTRS, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(0, 4, 1, 1);
    b.access(200, 0, 1, 0, 1);
    b.access(200, 4, 1, 1);
    return b.clock(kRead, 2) - b.clock(kWrite, 0) - 6;
  });
  gate(&DramTimingSpec::tWTRL, [](Banks& b) {
    b.access(0, 0, 1, 1);
    b.access(200, 0, 1, 0, 1);
    b.access(200, 0, 1, 1);
    return b.clock(kRead, 1) - b.clock(kWrite, 0) - 6;
  });
}
