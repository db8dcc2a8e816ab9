// SPDX-License-Identifier: Apache-2.0
//
// When the controller turns from reads to writes and back, and which request goes first: each policy to the line and to
// the moment. One channel, so that its transactions can be counted.
#include "gputlm/test_support/sc_test.h"

#include <vector>

#include "controller_bench.h"

using namespace gputlm;

namespace {

/// Passes every command on to the checker and keeps when, and in which order, they were booked.
struct Booking : DramObserver {
  struct Command {
    BookedCommand command;
    Fs booked;
  };
  explicit Booking(DramBench& b) : bench(b) {
    for (auto& channel : b.channels) channel->set_observer(this);
  }
  void on_command(unsigned controller, unsigned channel, const BookedCommand& c, Ck watermark) override {
    bench.commands.on_command(controller, channel, c, watermark);
    commands.push_back({c, now()});
  }
  /// Lines written before the last line read, in the order of booking.
  std::size_t writes_before_last_read() const {
    std::size_t columns = 0, found = 0;
    for (const Command& c : commands) {
      if (c.command.kind == CommandKind::write) ++columns;
      if (c.command.kind == CommandKind::read) found = columns;
    }
    return found / kSectorsPerLine;
  }

  DramBench& bench;
  std::vector<Command> commands;
};

std::vector<std::uint64_t> lines_of_channel_0(const DramBench& b, std::size_t count, std::uint64_t from = 0) {
  std::vector<std::uint64_t> found;
  for (const std::uint64_t line : b.lines(3 * count, from))
    if (b.map->locate(line).channel == 0 && found.size() < count) found.push_back(line);
  return found;
}

/// Both directions have work at once; returns the lines written before the last read.
std::size_t written_first(const DramSpec& spec, unsigned writes) {
  DramBench b(spec);
  Booking booking(b);
  for (const std::uint64_t line : lines_of_channel_0(b, 64)) b.slices.read(0, line);
  for (const std::uint64_t line : lines_of_channel_0(b, writes, 8 << 20)) b.slices.write(1, line, 3);
  DramBench::drain();
  check_clean(b);
  return booking.writes_before_last_read();
}

/// A channel that is booked as far ahead as it may be with reads of one row, a few more of them waiting.
struct BusyRow {
  explicit BusyRow(const DramSpec& spec) : bench(spec), booking(bench) {
    const auto same_bank = [this](const DramLocation& at, bool same_row) {
      return at.channel == open.channel && at.bank == open.bank && (at.row == open.row) == same_row;
    };
    row.push_back(bench.lines(1).front());
    open = bench.map->locate(row[0]);
    row.push_back(bench.find_line([&](const DramLocation& at) { return same_bank(at, true); }, row[0] + kLineBytes));
    other_row = bench.find_line([&](const DramLocation& at) { return same_bank(at, false); });
    for (unsigned i = 0; i < 30; ++i) read_row();
    DramBench::run(spec.request_latency + 1);
  }

  std::size_t read_row() { return bench.slices.read(0, row[reads++ % 2]); }
  std::size_t read_other_row() { return bench.slices.read(1, other_row); }
  /// When the controller asked for the other row.
  Fs other_row_opened() const {
    for (const Booking::Command& c : booking.commands)
      if (c.command.kind == CommandKind::activate && c.command.row == bench.map->locate(other_row).row) return c.booked;
    return kNever;
  }

  DramBench bench;
  Booking booking;
  DramLocation open;
  std::vector<std::uint64_t> row;
  std::uint64_t other_row = 0;
  unsigned reads = 0;
};

DramSpec without_row_batching() {
  DramSpec s = quiet();
  s.row_batching = false;
  return s;
}

DramSpec with_drain(const char* drain, unsigned row_lines = 4) {
  DramSpec s = quiet();
  s.write_drain = drain;
  s.drain_row_lines = row_lines;
  return s;
}

/// When an older request of another row and a younger one of the open row are answered.
struct Answers {
  Fs older = 0, younger = 0;
};

Answers answers_of_two_rows(const DramSpec& spec) {
  BusyRow r(spec);
  const std::size_t older = r.read_other_row();
  DramBench::run(1);
  const std::size_t younger = r.read_row();
  DramBench::drain();
  check_clean(r.bench);
  return {r.bench.slices.log[older].answered, r.bench.slices.log[younger].answered};
}

/// Sixty reads and sixty writes come in turn, all within the way in.
std::uint64_t switches_of_sixty_pairs(const char* drain) {
  DramSpec s = quiet();
  s.scheduler = "fcfs";
  s.write_drain = drain;
  DramBench b(s);
  const auto reads = lines_of_channel_0(b, 60), writes = lines_of_channel_0(b, 60, 8 << 20);
  for (unsigned i = 0; i < 60; ++i) {
    b.slices.read(0, reads[i]);
    DramBench::run(1);
    b.slices.write(1, writes[i], 3);
    DramBench::run(1);
  }
  DramBench::drain();
  check_clean(b);
  return b.controller.statistics().mode_switches;
}

}  // namespace

BOOST_AUTO_TEST_CASE(below_the_high_mark_all_reads_go_first) {
  BOOST_TEST(written_first(without_row_batching(), 111) == 0U);
}

BOOST_AUTO_TEST_CASE(at_the_high_mark_writes_go_down_to_the_low_mark_and_no_further) {
  BOOST_TEST(written_first(without_row_batching(), 112) == 112U - 32);
}

BOOST_AUTO_TEST_CASE(the_marks_are_what_the_configuration_says) {
  DramSpec s = without_row_batching();
  s.write_high_mark = 100, s.write_low_mark = 41;
  BOOST_TEST(written_first(s, 100) == 100U - 41);
}

BOOST_AUTO_TEST_CASE(row_batching_finishes_open_rows_and_opens_no_more) {
  const std::size_t with = written_first(quiet(), 112);
  BOOST_TEST(with > 112U - 32);
  BOOST_TEST(with <= 112U - 32 + 4 * 8);  // at most the rest of a row in each group
}

BOOST_AUTO_TEST_CASE(fr_fcfs_takes_the_open_row_before_an_older_request) {
  const Answers at = answers_of_two_rows(quiet());
  BOOST_TEST(at.younger < at.older);
}

BOOST_AUTO_TEST_CASE(fcfs_takes_the_older_request_whatever_row_is_open) {
  DramSpec s = quiet();
  s.scheduler = "fcfs";
  const Answers at = answers_of_two_rows(s);
  BOOST_TEST(at.older < at.younger);
}

BOOST_AUTO_TEST_CASE(age_cap_acts_at_the_first_hand_over_after_it_and_never_before) {
  DramSpec s = quiet();
  s.age_cap = from_ns(600);
  BusyRow r(s);
  const Fs arrival = now();
  r.read_other_row();
  const Fs line = clocks(r.bench, Ck{kSectorsPerLine} * s.timing.tCCDL);
  while (now() < arrival + 2 * s.age_cap) {  // the row never runs out of younger hits
    r.read_row();
    DramBench::run(line);
  }
  DramBench::drain();
  BOOST_TEST(r.other_row_opened() > arrival + s.age_cap);
  BOOST_TEST(r.other_row_opened() <= arrival + s.age_cap + s.look_ahead + line);
  BOOST_TEST(r.bench.controller.statistics().overdue == 1U);
  check_clean(r.bench);
}

BOOST_AUTO_TEST_CASE(reads_first_writes_nothing_before_the_last_read) {
  BOOST_TEST(written_first(with_drain("reads_first"), 127) == 0U);
}

BOOST_AUTO_TEST_CASE(reads_first_makes_room_and_no_more_when_the_backlog_is_full) {
  const std::size_t written = written_first(with_drain("reads_first"), 140);
  BOOST_TEST(written > 0U);
  BOOST_TEST(written <= 16U);  // for the twelve that did not fit
}

BOOST_AUTO_TEST_CASE(reads_first_writes_overdue_lines_between_reads) {
  DramSpec s = with_drain("reads_first");
  s.age_cap = from_ns(100);
  BOOST_TEST(written_first(s, 4) == 4U);
}

BOOST_AUTO_TEST_CASE(row_count_leaves_rows_with_fewer_lines_for_after_the_reads) {
  BOOST_TEST(written_first(with_drain("row_count", 8), 4) == 0U);
}

BOOST_AUTO_TEST_CASE(row_count_writes_a_row_between_reads_once_so_many_of_its_lines_are_there) {
  BOOST_TEST(written_first(with_drain("row_count", 2), 2) == 2U);
}

BOOST_AUTO_TEST_CASE(row_count_makes_room_at_the_high_mark) {
  DramSpec s = with_drain("row_count", 8);
  s.write_high_mark = 4;
  s.write_low_mark = 1;
  BOOST_TEST(written_first(s, 4) > 0U);
}

BOOST_AUTO_TEST_CASE(a_full_backlog_of_the_other_channel_leaves_a_channel_without_writes_to_its_reads) {
  DramSpec s = with_drain("row_count", 8);
  s.write_high_mark = 4;
  s.write_low_mark = 1;
  DramBench b(s);
  for (const std::uint64_t line : b.lines(96, 8 << 20))
    if (b.map->locate(line).channel == 1) b.slices.write(1, line, 3);
  for (const std::uint64_t line : lines_of_channel_0(b, 64)) b.slices.read(0, line);
  DramBench::drain();
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(arrival_order_sends_reads_and_writes_as_they_came) {
  BOOST_TEST(switches_of_sixty_pairs("arrival_order") == 119U);
}

BOOST_AUTO_TEST_CASE(marks_turn_the_bus_around_no_more_once_it_is_booked) {
  BOOST_TEST(switches_of_sixty_pairs("marks") < 60U);
}
