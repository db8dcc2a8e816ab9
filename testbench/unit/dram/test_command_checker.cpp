// SPDX-License-Identifier: Apache-2.0
//
// The checker itself: every rule of the table fires one clock too early and not at the right clock.
#include "dram_facts.h"
#include "gputlm/dram_checker/command_checker.h"
#include "gputlm/test_support/sc_test.h"

using namespace gputlm;

namespace {

constexpr CommandKind kAct = CommandKind::activate, kPre = CommandKind::precharge, kRead = CommandKind::read,
                      kWrite = CommandKind::write, kRefresh = CommandKind::refresh;

struct Judge {  // one channel, commands given by hand
  explicit Judge(const DramSpec& s = rtx4090_dram()) : spec(s), timing(spec, 0), checker(spec) {}
  void command(Ck clock, CommandKind kind, unsigned bank, std::uint64_t row = 1, unsigned slots = 1,
               WriteMask mask = WriteMask::none) {
    checker.on_command(0, 0, {kind, bank, row, 0, mask, slots, clock, timing.time_of(clock)}, 0);
  }
  bool complains_of(const std::string& what) {
    checker.finish();
    bool found = false;
    for (const std::string& v : checker.violations()) found = found || v.find(what) != std::string::npos;
    return found;
  }
  bool content() {
    checker.finish();
    for (const std::string& v : checker.violations()) BOOST_TEST_MESSAGE(v);
    return checker.violation_count() == 0;
  }
  DramSpec spec;
  DramTiming timing;
  CommandChecker checker;
};

}  // namespace

BOOST_AUTO_TEST_CASE(every_rule_of_the_table_fires_one_clock_early_and_not_in_time) {
  const DramTiming timing(rtx4090_dram(), 0);
  BOOST_REQUIRE_GE(timing.rules().size(), 20U);
  for (const TimingRule& rule : timing.rules()) {
    for (const Ck early : {1, 0}) {
      Judge j;
      const unsigned other = rule.scope == RuleScope::bank ? 0 : rule.scope == RuleScope::group ? 1 : 4;
      Ck at = 1000;
      for (unsigned i = 0; i < rule.history; ++i) j.command(at, rule.before, 4 * i % 16);
      j.command(at + rule.gap - early, rule.after, rule.history > 1 ? 1 : other);
      BOOST_TEST(j.complains_of(std::string(rule.name) + " of") == (early == 1), rule.name << " early " << early);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_legal_sequence_passes) {
  Judge j;
  j.command(0, kAct, 0);
  j.command(7, kAct, 4);
  j.command(22, kRead, 0);
  j.command(29, kRead, 4);
  j.command(46, kWrite, 4);
  j.command(47, kPre, 0);
  j.command(69, kAct, 0, 2);
  BOOST_TEST(j.content());
  BOOST_TEST(j.checker.count(kRead) == 2U);
}

BOOST_AUTO_TEST_CASE(columns_need_their_row_open) {
  Judge closed, other;
  closed.command(100, kRead, 0);
  BOOST_TEST(closed.complains_of("its row is not open"));
  other.command(0, kAct, 0, 1);
  other.command(100, kWrite, 0, 2);
  BOOST_TEST(other.complains_of("its row is not open"));
}

BOOST_AUTO_TEST_CASE(rows_are_opened_and_closed_in_turn) {
  Judge twice, none;
  twice.command(0, kAct, 0);
  twice.command(100, kAct, 0);
  BOOST_TEST(twice.complains_of("a row is open already"));
  none.command(100, kPre, 0);
  BOOST_TEST(none.complains_of("no row is open"));
}

BOOST_AUTO_TEST_CASE(a_refreshed_pair_is_out_of_use) {
  Judge j;
  j.command(0, kAct, 8);
  j.command(100, kRefresh, 0);
  j.command(120, kRead, 8);
  BOOST_TEST(j.complains_of("its row is not open"));
}

BOOST_AUTO_TEST_CASE(the_refresh_calendar_is_kept) {
  Judge early, skipped;
  const Ck interval = early.timing.cycles(early.spec.timing.refresh_interval);
  early.command(100, kRefresh, 0);
  early.command(100 + interval - 3, kRefresh, 1);
  BOOST_TEST(early.complains_of("off the refresh interval"));
  skipped.command(100, kRefresh, 0);
  skipped.command(100 + interval, kRefresh, 2);
  BOOST_TEST(skipped.complains_of("pairs do not rotate"));
}

BOOST_AUTO_TEST_CASE(one_command_per_clock_and_masks_hold_the_bus) {
  Judge same, masked, wrong;
  same.command(0, kAct, 0);
  same.command(100, kRead, 0);
  same.command(100, kAct, 4);
  BOOST_TEST(same.complains_of("the command bus is taken"));
  masked.command(0, kAct, 0);
  masked.command(100, kWrite, 0, 1, 3, WriteMask::single_byte);
  masked.command(102, kAct, 4);
  BOOST_TEST(masked.complains_of("the command bus is taken"));
  wrong.command(0, kAct, 0);
  wrong.command(100, kWrite, 0, 1, 1, WriteMask::double_byte);
  BOOST_TEST(wrong.complains_of("wrong number of command slots"));
}

BOOST_AUTO_TEST_CASE(two_columns_never_share_the_data_bus) {
  DramSpec s = rtx4090_dram();
  s.timing.burst = 4;
  s.timing.tRTW = 0;
  Judge j(s);
  j.command(0, kAct, 0);
  j.command(7, kAct, 4);
  j.command(100, kRead, 0);                // data 119 to 123
  j.command(100 + 19 + 2 - 5, kWrite, 4);  // data 121 to 125
  BOOST_TEST(j.complains_of("two columns on the data bus"));
}

BOOST_AUTO_TEST_CASE(commands_are_judged_in_order_of_time_whatever_the_order_of_booking) {
  Judge j;
  j.command(22, kRead, 0);
  j.command(0, kAct, 0);
  BOOST_TEST(j.content());
}

BOOST_AUTO_TEST_CASE(booking_before_the_watermark_is_an_error) {
  Judge j;
  j.checker.on_command(0, 0, {kAct, 0, 1, 0, WriteMask::none, 1, 200, j.timing.time_of(200)}, 150);
  j.command(149, kAct, 4);
  BOOST_TEST(j.complains_of("booked in the past"));
}

BOOST_AUTO_TEST_CASE(impossible_places_and_times_are_errors) {
  Judge bank, time;
  bank.command(0, kAct, 16);
  BOOST_TEST(bank.complains_of("no such bank, row or column"));
  time.checker.on_command(0, 0, {kAct, 0, 1, 0, WriteMask::none, 1, 200, 5}, 0);
  BOOST_TEST(time.complains_of("time and clock disagree"));
}
