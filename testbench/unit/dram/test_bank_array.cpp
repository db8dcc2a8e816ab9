// SPDX-License-Identifier: Apache-2.0
//
// What the banks do beyond the single rules: interleaving, masks, refreshes, page policies, rows opened ahead.
#include <cmath>

#include "banks_bench.h"

using namespace gputlm;

BOOST_AUTO_TEST_CASE(a_read_cannot_slip_in_before_a_booked_write_it_would_disturb) {
  Banks b(open_page());
  b.access(0, 0, 1, 1);
  b.access(0, 4, 1, 1);
  b.access(100, 4, 2, 0, 1);  // a conflict: its write lies well ahead
  const Ck write = b.clock(kWrite, 0);
  b.access(write - 16, 0, 1, 1);  // a row hit that is ready at once, sixteen clocks before the write
  BOOST_TEST(b.clock(kRead, 2) > write);
}

BOOST_AUTO_TEST_CASE(lines_of_different_groups_interleave_column_by_column) {
  Banks b(open_page());
  for (const unsigned bank : {0U, 4U, 8U, 12U}) b.access(0, bank, 1, 1);
  for (const unsigned bank : {0U, 4U, 8U, 12U}) b.access(200, bank, 1, 15);
  BOOST_TEST(b.clock(kRead, 19) - b.clock(kRead, 4) == 15);  // sixteen columns in sixteen clocks
}

BOOST_AUTO_TEST_CASE(masked_writes_hold_the_command_bus) {
  for (const auto& [mask, slots] :
       {std::pair{WriteMask::none, 1}, {WriteMask::double_byte, 2}, {WriteMask::single_byte, 3}}) {
    Banks b(open_page());
    for (const unsigned bank : {0U, 4U}) b.access(0, bank, 1, 1);
    b.access(200, 0, 1, 0, 1, mask);
    b.access(200, 4, 1, 0, 1, mask);
    BOOST_TEST(b.clock(kWrite, 1) - b.clock(kWrite, 0) == slots);
  }
}

BOOST_AUTO_TEST_CASE(two_command_lanes_hide_the_masks) {
  DramSpec s = open_page();
  s.timing.commands_per_clock = 2;
  Banks b(s);
  for (const unsigned bank : {0U, 4U}) b.access(0, bank, 1, 1);
  b.access(200, 0, 1, 0, 1, WriteMask::double_byte);
  b.access(200, 4, 1, 0, 1, WriteMask::double_byte);
  BOOST_TEST(b.clock(kWrite, 1) - b.clock(kWrite, 0) == 1);
}

BOOST_AUTO_TEST_CASE(a_refresh_closes_the_row_and_holds_the_pair_for_its_duration) {
  DramSpec s = open_page();
  s.timing.refresh_interval = rtx4090_dram().timing.refresh_interval;
  for (const unsigned bank : {0U, 8U, 1U}) {
    Banks b(s);
    const Ck start = b.timing.refresh_start(0), end = start + b.timing.refresh_cycles();
    b.access(0, bank, 1, 1);
    b.access(start + 1, bank, 1, 1);
    if (bank == 1)
      BOOST_TEST(b.clock(kRead, 1) == start + 1);  // another pair
    else
      BOOST_TEST(b.clock(kAct, 1) == end);
    BOOST_TEST(b.clock(kRefresh, 0) == start);
    BOOST_TEST(b.banks.statistics().row_hits == (bank == 1 ? 1U : 0U));
  }
}

BOOST_AUTO_TEST_CASE(a_transaction_that_cannot_end_before_a_refresh_goes_behind_it) {
  DramSpec s = open_page();
  s.timing.refresh_interval = rtx4090_dram().timing.refresh_interval;
  const DramTiming timing(s, 0);
  const Ck start = timing.refresh_start(0), end = start + timing.refresh_cycles();
  Banks fits(s), late(s);
  fits.access(start - 45, 0, 1, 1);  // tRAS of its activate is over just in time
  BOOST_TEST(fits.clock(kAct, 0) == start - 45);
  late.access(start - 44, 0, 1, 1);
  BOOST_TEST(late.clock(kAct, 0) == end);
  BOOST_TEST(late.banks.statistics().refresh_stalls == 1U);
}

BOOST_AUTO_TEST_CASE(each_pair_is_refreshed_in_turn_once_per_round) {
  DramSpec s = open_page();
  s.timing.refresh_interval = rtx4090_dram().timing.refresh_interval;
  Banks b(s);
  b.access(1, 0, 1, 1);
  b.access(60000, 0, 1, 1);
  std::vector<BookedCommand> refreshes;
  for (const BookedCommand& c : b.seen.commands)
    if (c.kind == kRefresh) refreshes.push_back(c);
  BOOST_REQUIRE_GE(refreshes.size(), 32U);
  for (std::size_t i = 0; i < refreshes.size(); ++i) {
    BOOST_REQUIRE_EQUAL(refreshes[i].bank, i % 8);
    // The first clock at or after (i + 1/24) intervals: no drift.
    const double due = (static_cast<double>(i) + 1.0 / 24) * 1407 * 1.3125;
    BOOST_REQUIRE_EQUAL(refreshes[i].clock, static_cast<Ck>(std::ceil(due - 1e-6)));
  }
}

BOOST_AUTO_TEST_CASE(idle_timer_closes_a_row_to_the_clock) {
  DramSpec s = open_page();
  s.page_policy = "idle_timer";
  const Ck idle = DramTiming(s, 0).cycles(s.idle_close);
  Banks before(s), after(s);
  for (Banks* b : {&before, &after}) b->access(0, 0, 1, 1);
  const Ck last = before.clock(kRead, 0);
  before.access(last + idle - 1, 0, 1, 1);
  BOOST_TEST(before.count(kAct) == 1U);
  after.access(last + idle, 0, 1, 1);
  BOOST_TEST(after.clock(kPre, 0) == last + idle);
  BOOST_TEST(after.clock(kAct, 1) == last + idle + 22);
  BOOST_TEST(after.banks.statistics().row_misses == 2U);
}

BOOST_AUTO_TEST_CASE(open_page_keeps_the_row_for_ever) {
  Banks b(open_page());
  b.access(0, 0, 1, 1);
  b.access(10'000'000, 0, 1, 1);
  BOOST_TEST(b.count(kAct) == 1U);
  BOOST_TEST(b.banks.view(0).open);
  BOOST_TEST(b.banks.view(0).row == 1U);
}

BOOST_AUTO_TEST_CASE(closed_page_closes_with_the_last_column_and_takes_no_command_slot) {
  DramSpec s = open_page();
  s.page_policy = "closed";
  Banks b(s);
  b.access(0, 0, 1, 15);
  BOOST_TEST(!b.banks.view(0).open);
  b.access(0, 0, 1, 15);
  BOOST_TEST(b.clock(kPre, 0) - b.clock(kAct, 0) == 45);
  BOOST_TEST(b.clock(kAct, 1) - b.clock(kAct, 0) == 67);
  BOOST_TEST(b.banks.statistics().row_hits == 0U);
}

BOOST_AUTO_TEST_CASE(an_auto_precharge_due_at_the_refresh_is_left_to_it) {
  DramSpec s = open_page();
  s.page_policy = "closed";
  s.timing.refresh_interval = rtx4090_dram().timing.refresh_interval;
  const Ck start = DramTiming(s, 0).refresh_start(0);
  Banks before(s), with(s);
  before.access(start - 46, 0, 1, 1);  // its row may close one clock before the refresh, or with it
  with.access(start - 45, 0, 1, 1);
  BOOST_TEST(before.count(kPre) == 1U);
  BOOST_TEST(with.count(kPre) == 0U);
  BOOST_TEST(!with.banks.view(0).open);
}

BOOST_AUTO_TEST_CASE(a_row_opened_ahead_counts_as_the_miss_that_it_saved) {
  Banks b(open_page());
  DramLocation at;
  at.row = 3;
  b.banks.advance(0);
  b.banks.open_row(at);
  b.banks.open_row(at);
  BOOST_TEST(b.count(kAct) == 1U);
  b.access(100, 0, 3, 1);
  BOOST_TEST(b.clock(kRead, 0) == 100);
  b.access(200, 0, 3, 1);
  BOOST_TEST(b.banks.statistics().row_misses == 1U);
  BOOST_TEST(b.banks.statistics().row_hits == 1U);
}

BOOST_AUTO_TEST_CASE(reset_forgets_rows_and_bookings) {
  Banks b(open_page());
  b.access(0, 0, 1, 15);
  b.banks.reset(1000);
  b.seen.checker.reset();
  b.access(1000, 0, 2, 1);
  BOOST_TEST(b.banks.statistics().row_misses == 1U);
  BOOST_TEST(b.banks.statistics().precharges == 0U);
}
