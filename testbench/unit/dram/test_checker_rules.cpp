// SPDX-License-Identifier: Apache-2.0
//
// The command checker, rule by rule: a stream that keeps every rule to the clock is passed, the same stream with its
// last command one clock earlier breaks that rule and no other, and is told. The clocks are the data sheet's, written
// out.
#include "command_judge.h"

using namespace gputlm;

namespace {

DramSpec without_refresh() {
  DramSpec s = rtx4090_dram();
  s.timing.refresh_interval = 0;
  return s;
}

/// The card with one figure changed, where two rules of the card's own figures would break at once.
DramSpec with(unsigned DramTimingSpec::*parameter, unsigned clocks) {
  DramSpec s = without_refresh();
  s.timing.*parameter = clocks;
  return s;
}

void judges(const std::string& rule, std::vector<GivenCommand> stream, const DramSpec& spec = without_refresh()) {
  Judge in_time(spec), early(spec);
  in_time.commands(stream);
  BOOST_TEST(in_time.content(), rule << " in time");
  --stream.back().clock;
  early.commands(stream);
  BOOST_TEST(early.complains_only_of(rule), rule << " one clock early");
}

}  // namespace

BOOST_AUTO_TEST_CASE(checker_tRCDRD) {
  judges("tRCDRD of 22", {{0, kAct, 0}, {22, kRead, 0}});
}

BOOST_AUTO_TEST_CASE(checker_tRCDWR) {
  judges("tRCDWR of 15", {{0, kAct, 0}, {15, kWrite, 0}});
}

BOOST_AUTO_TEST_CASE(checker_tRAS) {
  judges("tRAS of 45", {{0, kAct, 0}, {45, kPre, 0}});
}

BOOST_AUTO_TEST_CASE(checker_tRC) {
  judges("tRC of 70", {{0, kAct, 0}, {45, kPre, 0}, {70, kAct, 0}}, with(&DramTimingSpec::tRC, 70));
}

BOOST_AUTO_TEST_CASE(checker_tRP) {
  judges("tRP of 22", {{0, kAct, 0}, {60, kPre, 0}, {82, kAct, 0}});
}

BOOST_AUTO_TEST_CASE(checker_tRTP) {
  judges("tRTP of 3", {{0, kAct, 0}, {60, kRead, 0}, {63, kPre, 0}});
}

BOOST_AUTO_TEST_CASE(checker_tWR_from_the_end_of_the_data) {
  judges("tWR of 28", {{0, kAct, 0}, {60, kWrite, 0}, {60 + 5 + 1 + 22, kPre, 0}});
}

BOOST_AUTO_TEST_CASE(checker_tRRDL_within_a_group) {
  judges("tRRDL of 9", {{0, kAct, 0}, {9, kAct, 1}}, with(&DramTimingSpec::tRRDL, 9));
}

BOOST_AUTO_TEST_CASE(checker_tRRDS_between_groups) {
  judges("tRRDS of 7", {{0, kAct, 0}, {7, kAct, 4}});
}

BOOST_AUTO_TEST_CASE(checker_tFAW_of_the_fifth_activate) {
  judges("tFAW of 30", {{0, kAct, 0}, {7, kAct, 4}, {14, kAct, 8}, {21, kAct, 12}, {30, kAct, 1}},
         with(&DramTimingSpec::tFAW, 30));
}

BOOST_AUTO_TEST_CASE(checker_tCCDL_of_reads_and_of_writes) {
  judges("tCCDL of 4", {{0, kAct, 0}, {60, kRead, 0}, {64, kRead, 0}});
  judges("tCCDL of 4", {{0, kAct, 0}, {7, kAct, 1}, {60, kWrite, 0}, {64, kWrite, 1}});
}

BOOST_AUTO_TEST_CASE(checker_tCCDS_of_reads_and_of_writes) {
  for (const CommandKind kind : {kRead, kWrite})
    judges("tCCDS of 2", {{0, kAct, 0}, {7, kAct, 4}, {60, kind, 0}, {62, kind, 4}}, with(&DramTimingSpec::tCCDS, 2));
}

BOOST_AUTO_TEST_CASE(checker_tRTW) {
  judges("tRTW of 17", {{0, kAct, 0}, {7, kAct, 4}, {60, kRead, 0}, {77, kWrite, 4}});
}

BOOST_AUTO_TEST_CASE(checker_tWTRS_between_groups) {
  judges("tWTRS of 13", {{0, kAct, 0}, {7, kAct, 4}, {60, kWrite, 0}, {60 + 5 + 1 + 7, kRead, 4}});
}

BOOST_AUTO_TEST_CASE(checker_tWTRL_within_a_group) {
  judges("tWTRL of 15", {{0, kAct, 0}, {7, kAct, 1}, {60, kWrite, 0}, {60 + 5 + 1 + 9, kRead, 1}});
}

BOOST_AUTO_TEST_CASE(checker_refresh_waits_until_the_pairs_rows_may_close) {
  for (const unsigned bank : {0U, 8U}) {
    judges("tRAS of 45", {{0, kAct, bank}, {45, kRefresh, 0}});
    judges("tRTP of 3", {{0, kAct, bank}, {60, kRead, bank}, {63, kRefresh, 0}});
    judges("tWR of 28", {{0, kAct, bank}, {60, kWrite, bank}, {88, kRefresh, 0}});
  }
}

BOOST_AUTO_TEST_CASE(checker_refreshed_pair_opens_no_row_for_176_ns) {
  for (const unsigned bank : {0U, 8U}) judges("tRFCp2b of 231", {{100, kRefresh, 0}, {331, kAct, bank}});
  Judge another_pair(without_refresh());
  another_pair.commands({{100, kRefresh, 0}, {101, kAct, 1}});
  BOOST_TEST(another_pair.content());
}

BOOST_AUTO_TEST_CASE(checker_one_command_a_clock) {
  judges("the command bus is taken", {{0, kAct, 0}, {100, kRead, 0}, {101, kAct, 4}});
}

BOOST_AUTO_TEST_CASE(checker_masked_writes_hold_the_command_bus) {
  judges("the command bus is taken", {{0, kAct, 0}, {100, kWrite, 0, 2, WriteMask::double_byte}, {102, kAct, 4}});
  judges("the command bus is taken", {{0, kAct, 0}, {100, kWrite, 0, 3, WriteMask::single_byte}, {103, kAct, 4}});
}

BOOST_AUTO_TEST_CASE(checker_data_of_two_columns_do_not_overlap) {
  // A burst of four, so that the data of a write after a read meet before the turnaround's own rule does.
  DramSpec s = with(&DramTimingSpec::burst, 4);
  s.timing.tRTW = 0;
  Judge j(s);
  j.commands({{0, kAct, 0}, {7, kAct, 4}, {100, kRead, 0}, {100 + 19 + 2 - 5, kWrite, 4}});
  BOOST_TEST(j.verdict().size() == 2U);  // the turnaround, which is floored to what the bus needs, and the bus
  BOOST_TEST(j.verdict().back().find("two columns on the data bus") != std::string::npos);
}

// 1407 ns are 1846.7 clocks: starts are rounded up, so one clock either way is no offence.
BOOST_AUTO_TEST_CASE(checker_refresh_interval) {
  for (const Ck after : {1846, 1847}) {
    Judge j;
    j.commands({{100, kRefresh, 0}, {100 + after, kRefresh, 1}});
    BOOST_TEST(j.content());
  }
  for (const Ck after : {1845, 1849}) {
    Judge j;
    j.commands({{100, kRefresh, 0}, {100 + after, kRefresh, 1}});
    BOOST_TEST(j.complains_only_of("off the refresh interval"), after);
  }
}

BOOST_AUTO_TEST_CASE(checker_refreshes_rotate_over_the_pairs) {
  Judge next, skipped;
  next.commands({{100, kRefresh, 7}, {100 + 1847, kRefresh, 0}});
  BOOST_TEST(next.content());
  skipped.commands({{100, kRefresh, 0}, {100 + 1847, kRefresh, 2}});
  BOOST_TEST(skipped.complains_only_of("pairs do not rotate"));
}

BOOST_AUTO_TEST_CASE(checker_refresh_left_out) {
  Judge in_time, late, never;
  in_time.commands({{100, kRefresh, 0}, {100 + 1847, kAct, 4}});
  BOOST_TEST(in_time.content());
  late.commands({{100, kRefresh, 0}, {100 + 1849, kAct, 4}});
  BOOST_TEST(late.complains_only_of("a refresh is overdue"));
  never.commands({{0, kAct, 0}, {1849, kPre, 0}});
  BOOST_TEST(never.complains_only_of("a refresh is overdue"));
}

// The table that channel and checker share, against the data sheet's figures (GDDR6 at 14 Gb/s held in ns, in clocks of
// 0.762 ns), so that a wrong formula is not simply believed by both.
BOOST_AUTO_TEST_CASE(the_table_of_rules_is_the_data_sheets) {
  struct Line {
    const char* name;
    CommandKind before, after;
    RuleScope scope;
    Ck gap;
    unsigned history = 1;
  };
  constexpr RuleScope bank = RuleScope::bank, group = RuleScope::group, channel = RuleScope::channel;
  const std::vector<Line> sheet{
      {"tRCDRD", kAct, kRead, bank, 22},      {"tRCDWR", kAct, kWrite, bank, 15},
      {"tRAS", kAct, kPre, bank, 45},         {"tRC", kAct, kAct, bank, 67},
      {"tRP", kPre, kAct, bank, 22},          {"tRTP", kRead, kPre, bank, 3},
      {"tWR", kWrite, kPre, bank, 28},        {"tRRDL", kAct, kAct, group, 7},
      {"tRRDS", kAct, kAct, channel, 7},      {"tFAW", kAct, kAct, channel, 28, 4},
      {"tCCDL", kRead, kRead, group, 4},      {"tCCDL", kWrite, kWrite, group, 4},
      {"tCCDS", kRead, kRead, channel, 1},    {"tCCDS", kWrite, kWrite, channel, 1},
      {"tRTW", kRead, kWrite, channel, 17},   {"tWTRS", kWrite, kRead, channel, 13},
      {"tWTRL", kWrite, kRead, group, 15},    {"tRAS", kAct, kRefresh, bank, 45},
      {"tRTP", kRead, kRefresh, bank, 3},     {"tWR", kWrite, kRefresh, bank, 28},
      {"tRFCp2b", kRefresh, kAct, bank, 231},
  };
  const DramTiming timing(rtx4090_dram(), 0);
  BOOST_REQUIRE(timing.rules().size() == sheet.size());
  for (std::size_t i = 0; i < sheet.size(); ++i) {
    const TimingRule& rule = timing.rules()[i];
    BOOST_TEST_CONTEXT(sheet[i].name << " " << i) {
      BOOST_TEST(std::string(rule.name) == sheet[i].name);
      BOOST_TEST((rule.before == sheet[i].before && rule.after == sheet[i].after && rule.scope == sheet[i].scope));
      BOOST_TEST(rule.gap == sheet[i].gap);
      BOOST_TEST(rule.history == sheet[i].history);
    }
  }
}
