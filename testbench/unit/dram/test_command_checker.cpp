// SPDX-License-Identifier: Apache-2.0
//
// The command checker beyond the rules of the table (test_checker_rules.cpp): rows, order, places, words.
#include <sstream>

#include "command_judge.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(a_legal_sequence_passes) {
  Judge j;
  j.commands({{0, kAct, 0}, {7, kAct, 4}, {22, kRead, 0}, {29, kRead, 4}, {46, kWrite, 4}, {47, kPre, 0}});
  j.command({69, kAct, 0, 1, WriteMask::none, 2});
  BOOST_TEST(j.content());
  BOOST_TEST(j.checker.count(kRead) == 2U);
  BOOST_TEST(j.checker.commands() == 7U);
}

BOOST_AUTO_TEST_CASE(columns_need_their_row_open) {
  Judge closed, other;
  closed.command({100, kRead, 0});
  BOOST_TEST(closed.complains_only_of("its row is not open"));
  other.commands({{0, kAct, 0}, {100, kWrite, 0, 1, WriteMask::none, 2}});
  BOOST_TEST(other.complains_only_of("its row is not open"));
}

BOOST_AUTO_TEST_CASE(rows_are_opened_and_closed_in_turn) {
  Judge twice, none;
  twice.commands({{0, kAct, 0}, {100, kAct, 0}});
  BOOST_TEST(twice.complains_only_of("a row is open already"));
  none.command({100, kPre, 0});
  BOOST_TEST(none.complains_only_of("no row is open"));
}

BOOST_AUTO_TEST_CASE(a_refreshed_pair_is_out_of_use) {
  Judge j;
  j.commands({{0, kAct, 8}, {100, kRefresh, 0}, {120, kRead, 8}});
  BOOST_TEST(j.complains_only_of("its row is not open"));
}

BOOST_AUTO_TEST_CASE(a_masked_write_shows_its_command_slots) {
  Judge j;
  j.commands({{0, kAct, 0}, {100, kWrite, 0, 1, WriteMask::double_byte}});
  BOOST_TEST(j.complains_only_of("wrong number of command slots"));
}

BOOST_AUTO_TEST_CASE(an_auto_precharge_takes_no_slot_and_closes_the_row) {
  Judge j;
  j.commands({{0, kAct, 0}, {60, kRead, 0}, {63, kPre, 0, 0}, {63, kAct, 4}, {100, kRead, 0}});
  BOOST_TEST(j.complains_only_of("its row is not open"));
}

BOOST_AUTO_TEST_CASE(commands_are_judged_in_order_of_time_whatever_the_order_of_booking) {
  Judge j;
  j.commands({{22, kRead, 0}, {0, kAct, 0}});
  BOOST_TEST(j.content());
}

BOOST_AUTO_TEST_CASE(booking_before_the_watermark_is_an_error) {
  Judge j;
  j.checker.on_command(0, 0, {kAct, 0, 1, 0, WriteMask::none, 1, 200, j.timing.time_of(200)}, 150);
  j.command({149, kAct, 4});
  BOOST_TEST(j.complains_only_of("booked in the past"));
}

BOOST_AUTO_TEST_CASE(impossible_places_and_times_are_errors) {
  Judge bank, row, time;
  bank.command({0, kAct, 16});
  BOOST_TEST(bank.complains_only_of("no such bank, row or column"));
  row.command({0, kAct, 0, 1, WriteMask::none, 65536});
  BOOST_TEST(row.complains_only_of("no such bank, row or column"));
  time.checker.on_command(0, 0, {kAct, 0, 1, 0, WriteMask::none, 1, 200, 5}, 0);
  BOOST_TEST(time.complains_only_of("time and clock disagree"));
}

BOOST_AUTO_TEST_CASE(only_the_first_violations_are_told_and_all_are_counted) {
  Judge j;
  for (Ck i = 0; i < 25; ++i) j.command({10 * i, kPre, 0});
  BOOST_TEST(j.verdict().size() == 20U);
  BOOST_TEST(j.checker.violation_count() == 25U);
  std::ostringstream text;
  j.checker.print(text);
  BOOST_TEST(text.str().find("channel 0, clock 190: precharge of bank 0 row 1 column 0: no row is open") !=
             std::string::npos);
  BOOST_TEST(text.str().find("and 5 more violations") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(after_a_reset_the_channels_have_no_past) {
  Judge j;
  j.command({5000, kAct, 0});
  BOOST_TEST(j.content());
  j.checker.reset();
  j.command({5001, kAct, 0});
  BOOST_TEST(j.content());
}
