// SPDX-License-Identifier: Apache-2.0
#include "controller_bench.h"

#include <algorithm>

using namespace gputlm;

namespace {

/// Columns of channel 0 that are booked when a line is taken: the fewest from the moment on at which the bus was booked
/// as far ahead as it may be, under a flood of reads.
std::ptrdiff_t least_booked(double share) {
  DramSpec s = quiet();
  s.look_ahead_refill = share;
  DramBench b(s);
  struct Watch : DramObserver {
    void on_command(unsigned controller, unsigned channel, const BookedCommand& c, Ck watermark) override {
      bench->commands.on_command(controller, channel, c, watermark);
      if (channel != 0 || c.kind != CommandKind::read) return;
      const auto ahead = std::count_if(clocks.begin(), clocks.end(), [&](Ck at) { return at >= watermark; });
      full = full || ahead >= bench->channels[0]->timing().cycles(bench->spec.look_ahead);
      if (full) least = std::min(least, ahead);
      clocks.push_back(c.clock);
    }
    DramBench* bench = nullptr;
    std::vector<Ck> clocks;
    bool full = false;
    std::ptrdiff_t least = 1000;
  } watch;
  watch.bench = &b;
  for (auto& channel : b.channels) channel->set_observer(&watch);
  const auto lines = b.lines(240);
  for (std::size_t i = 0; i < lines.size(); ++i) b.slices.read(i % 3, lines[i]);
  DramBench::drain();
  check_clean(b);
  return watch.least;
}

}  // namespace

BOOST_AUTO_TEST_CASE(unloaded_read_takes_exactly_the_sum_of_its_parts) {
  DramBench b(quiet());
  b.memory.set_image(pattern);
  const std::uint64_t line = b.lines(1).front();
  const std::size_t i = b.slices.read(0, line);
  DramBench::drain();
  // Activate, three column spacings, the last column's latency and burst, on the clock grid from request_latency on.
  const Ck start = b.channels[0]->timing().at_or_after(b.spec.request_latency);
  BOOST_TEST(b.slices.log[i].answered == clocks(b, start + 22 + 3 * 4 + 19 + 1) + b.spec.response_latency);
  unsigned char expected[kLineBytes];
  pattern(line, expected);
  BOOST_TEST(std::equal(expected, expected + kLineBytes, b.slices.data(i)));
  BOOST_TEST(b.slices.log[i].payload->get_response_status() == tlm::TLM_OK_RESPONSE);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(one_sector_read_saves_the_other_columns) {
  DramBench b(quiet());
  b.memory.set_image(pattern);
  const std::size_t i = b.slices.read(0, b.lines(1).front(), ByteMask::sectors(4));  // the third sector
  DramBench::drain();
  const Ck start = b.channels[0]->timing().at_or_after(b.spec.request_latency);
  BOOST_TEST(b.slices.log[i].answered == clocks(b, start + 22 + 19 + 1) + b.spec.response_latency);
  BOOST_TEST(b.slices.data(i)[0] == 0xee);  // sectors not asked for are left alone
  BOOST_TEST(b.slices.data(i)[127] == 0xee);
  BOOST_TEST(b.slices.data(i)[64] != 0xee);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(write_answer_says_that_the_data_are_in_the_dram) {
  DramBench b(quiet());
  const std::uint64_t line = b.lines(1).front();
  const std::size_t i = b.slices.write(0, line, 0x5a, ByteMask::range(3, 2));
  DramBench::drain();
  const Ck start = b.channels[0]->timing().at_or_after(b.spec.request_latency);
  BOOST_TEST(b.slices.log[i].accepted == 0);
  BOOST_TEST(b.slices.log[i].answered == clocks(b, start + 15 + 5 + 1) + b.spec.response_latency);
  unsigned char data[kLineBytes];
  b.memory.read(line, data);
  BOOST_TEST(data[2] == 0);
  BOOST_TEST(data[3] == 0x5a);
  BOOST_TEST(data[5] == 0);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(write_statistics_tell_columns_bytes_and_mask_kinds) {
  DramBench b(quiet());
  const auto lines = b.lines(3);
  b.slices.write(0, lines[0], 1);
  b.slices.write(0, lines[1], 1, ByteMask(0x3, 0));            // a byte pair: double-byte mask
  b.slices.write(0, lines[2], 1, ByteMask(0x1, 0x100000000));  // single bytes of two sectors
  DramBench::drain();
  ChannelStatistics s;
  std::array<std::uint64_t, 3> masks{};
  for (auto& c : b.channels) {
    s.bytes_written += c->statistics().bytes_written;
    s.bytes_enabled += c->statistics().bytes_enabled;
    for (unsigned m = 0; m < 3; ++m) masks[m] += c->bank_statistics().writes_by_mask[m];
  }
  BOOST_TEST(s.bytes_written == 32U * 7);
  BOOST_TEST(s.bytes_enabled == 128U + 2 + 2);
  BOOST_TEST(masks[0] == 4U);
  BOOST_TEST(masks[1] == 1U);
  BOOST_TEST(masks[2] == 2U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(codeword_ecc_reads_merges_and_writes_partial_sectors) {
  DramSpec s = quiet();
  s.ecc = "codeword";
  DramBench b(s);
  b.memory.set_image(pattern);
  const std::uint64_t line = b.lines(1).front();
  const unsigned channel = b.map->locate(line).channel;
  b.slices.write(0, line, 0x11, ByteMask::sectors(2) | ByteMask::range(0, 1));
  DramBench::drain();
  BOOST_TEST(b.channels[channel]->statistics().merged_sectors == 1U);
  BOOST_TEST(b.channels[channel]->bank_statistics().columns_read == 1U);
  BOOST_TEST(b.channels[channel]->bank_statistics().columns_written == 2U);
  BOOST_TEST(b.channels[channel]->statistics().bytes_read == 32U);
  unsigned char data[kLineBytes], image[kLineBytes];
  b.memory.read(line, data);
  pattern(line, image);
  BOOST_TEST(data[0] == 0x11);
  BOOST_TEST(data[1] == image[1]);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(read_of_backlog_bytes_is_answered_without_dram) {
  DramBench b(quiet());
  const std::uint64_t line = b.lines(1).front();
  b.slices.write(0, line, 0x77);
  DramBench::run(1);
  const std::size_t i = b.slices.read(0, line, ByteMask::sectors(3));
  DramBench::drain();
  BOOST_TEST(b.slices.data(i)[0] == 0x77);
  BOOST_TEST(b.slices.log[i].answered == 1 + b.spec.request_latency + b.spec.response_latency);
  BOOST_TEST(b.controller.statistics().forwarded_reads == 1U);
  BOOST_TEST(b.channels[b.map->locate(line).channel]->statistics().reads == 0U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(read_partly_in_the_backlog_is_merged_newest_bytes_first) {
  DramBench b(quiet());
  b.memory.set_image(pattern);
  const std::uint64_t line = b.lines(1).front();
  b.slices.write(0, line, 0x01, ByteMask::range(0, 8));
  b.slices.write(0, line, 0x02, ByteMask::range(4, 8));
  DramBench::run(1);
  const std::size_t i = b.slices.read(0, line);
  DramBench::drain();
  unsigned char expected[kLineBytes];
  pattern(line, expected);
  std::fill(expected, expected + 4, 0x01);
  std::fill(expected + 4, expected + 12, 0x02);
  BOOST_TEST(std::equal(expected, expected + kLineBytes, b.slices.data(i)));
  unsigned char data[kLineBytes];
  b.memory.read(line, data);
  BOOST_TEST(std::equal(expected, expected + kLineBytes, data));
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(a_younger_write_is_not_seen_by_an_older_read) {
  DramSpec s = quiet();
  s.write_high_mark = 1;  // writes would go first
  s.write_low_mark = 0;
  DramBench b(s);
  b.memory.set_image(pattern);
  const auto lines = b.lines(40);
  for (const std::uint64_t line : lines) b.slices.read(0, line);
  DramBench::run(1);
  for (const std::uint64_t line : lines) b.slices.write(0, line, 0xff);
  DramBench::drain();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    unsigned char expected[kLineBytes], data[kLineBytes];
    pattern(lines[i], expected);
    BOOST_REQUIRE(std::equal(expected, expected + kLineBytes, b.slices.data(i)));
    b.memory.read(lines[i], data);
    BOOST_REQUIRE(data[7] == 0xff);
  }
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(writes_of_one_line_reach_the_dram_in_order) {
  DramBench b(quiet());
  const std::uint64_t line = b.lines(1).front();
  for (unsigned i = 0; i < 100; ++i)
    b.slices.write(i % 3 == 0 ? 0 : 1, line, static_cast<unsigned char>(0), ByteMask{});
  DramBench::drain();
  for (unsigned i = 1; i <= 100; ++i) b.slices.write(0, line, static_cast<unsigned char>(i));
  DramBench::drain();
  unsigned char data[kLineBytes];
  b.memory.read(line, data);
  BOOST_TEST(data[0] == 100);
  BOOST_TEST(b.slices.answered == 200U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(full_backlog_withholds_writes_of_all_slices_but_no_read) {
  DramBench b(quiet());
  const auto lines = b.lines(128 + 30, 1 << 20);
  for (std::size_t i = 0; i < lines.size(); ++i) b.slices.write(i % 3, lines[i], 9);
  DramBench::run(from_ns(1));
  BOOST_TEST(b.controller.write_backlog() == 128U);
  const std::size_t read = b.slices.read(0, b.lines(1).front());
  DramBench::run(from_ns(1));
  BOOST_TEST(b.slices.log[read].accepted == from_ns(1));
  std::ostringstream why;
  b.controller.explain(why);
  BOOST_TEST(why.str().find("waits for room in the write backlog") != std::string::npos);
  DramBench::drain();
  BOOST_TEST(b.slices.answered == lines.size() + 1);
  BOOST_TEST(b.controller.stall_time(ControllerStall::write_backlog_full) > from_ns(45));
  BOOST_TEST(b.controller.stall_time(ControllerStall::read_queue_full) == 0);
  BOOST_TEST(b.controller.statistics().backlog_peak == 128U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(full_read_queue_of_one_channel_leaves_the_other_open) {
  DramBench b(quiet());
  std::vector<std::uint64_t> by_channel[2];
  for (const std::uint64_t line : b.lines(400)) by_channel[b.map->locate(line).channel].push_back(line);
  for (unsigned i = 0; i < 80; ++i) b.slices.read(0, by_channel[0][i]);
  DramBench::run(from_ns(1));
  BOOST_TEST(b.controller.read_backlog() == 64U);
  const std::size_t blocked = b.slices.read(1, by_channel[0][100]), open = b.slices.read(2, by_channel[1][0]);
  const std::size_t write = b.slices.write(0, by_channel[0][101], 1);
  DramBench::run(from_ns(1));
  BOOST_TEST(b.slices.log[blocked].accepted == kNever);
  BOOST_TEST(b.slices.log[open].accepted != kNever);
  BOOST_TEST(b.slices.log[write].accepted != kNever);
  DramBench::drain();
  BOOST_TEST(b.slices.answered == b.slices.log.size());
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(room_is_given_to_the_slices_in_turn) {
  DramBench b(quiet());
  b.controller.fill_write_queue(b.lines(200));
  BOOST_TEST(b.controller.write_backlog() == 128U);
  const auto lines = b.lines(300, 4 << 20);
  for (std::size_t i = 0; i < lines.size(); ++i) b.slices.write(i % 3, lines[i], 3);
  DramBench::run(from_ns(250));
  std::array<int, 3> accepted{};
  for (std::size_t i = 0; i < lines.size(); ++i) accepted[i % 3] += b.slices.log[i].accepted != kNever;
  BOOST_TEST(accepted[0] > 10);
  BOOST_TEST(
      *std::max_element(accepted.begin(), accepted.end()) - *std::min_element(accepted.begin(), accepted.end()) <= 1);
  DramBench::drain();
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(reads_go_first_until_the_high_mark) {
  DramBench b(quiet());
  const auto writes = b.lines(110, 8 << 20), reads = b.lines(60);
  for (std::size_t i = 0; i < reads.size(); ++i) b.slices.read(i % 3, reads[i]);
  for (std::size_t i = 0; i < writes.size(); ++i) b.slices.write(i % 3, writes[i], 3);
  DramBench::drain();
  // The backlog never reached 112, so the first write was answered after the last read but for the lines under way.
  Fs first_write = kNever, last_read = 0;
  for (std::size_t i = 0; i < b.slices.log.size(); ++i)
    (i < reads.size() ? last_read : first_write) = i < reads.size() ? std::max(last_read, b.slices.log[i].answered)
                                                                    : std::min(first_write, b.slices.log[i].answered);
  BOOST_TEST(first_write > last_read - from_ns(60));
  BOOST_TEST(b.controller.statistics().mode_switches == 2U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(a_flood_of_writes_does_not_starve_reads) {
  DramBench b(quiet());
  const auto writes = b.lines(3000, 8 << 20), reads = b.lines(30);
  for (std::size_t i = 0; i < writes.size(); ++i) b.slices.write(i % 3, writes[i], 3);
  DramBench::run(from_ns(1000));
  std::vector<std::size_t> sent;
  for (std::size_t i = 0; i < reads.size(); ++i) sent.push_back(b.slices.read(i % 3, reads[i]));
  DramBench::drain();
  for (const std::size_t i : sent) BOOST_TEST(b.slices.log[i].answered - b.slices.log[i].sent < from_ns(900));
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(bus_is_booked_no_further_than_the_look_ahead) {
  DramSpec s = quiet();
  s.look_ahead = from_ns(16);  // 21 columns
  DramBench b(s);
  const auto lines = b.lines(120);
  for (std::size_t i = 0; i < lines.size(); ++i) b.slices.read(i % 3, lines[i]);
  struct Watch : DramObserver {
    void on_command(unsigned controller, unsigned channel, const BookedCommand& c, Ck watermark) override {
      checker->on_command(controller, channel, c, watermark);
      if (channel != 0 || c.kind != CommandKind::read) return;
      clocks.push_back(c.clock);
      const auto ahead = std::count_if(clocks.begin(), clocks.end(), [&](Ck at) { return at >= watermark; });
      most = std::max(most, ahead);
    }
    std::vector<Ck> clocks;
    std::ptrdiff_t most = 0;
    CommandChecker* checker = nullptr;
  } watch;
  watch.checker = &b.commands;
  for (auto& channel : b.channels) channel->set_observer(&watch);
  DramBench::drain();
  check_clean(b);
  BOOST_TEST(watch.most > 21);  // the last line taken goes past it
  BOOST_TEST(watch.most <= 21 + 4);
}

BOOST_AUTO_TEST_CASE(a_booked_bus_is_refilled_when_the_configured_share_is_left) {
  BOOST_TEST(least_booked(0.75) == 60);  // of 79 columns
}

BOOST_AUTO_TEST_CASE(a_smaller_share_lets_the_bus_drain_further) {
  BOOST_TEST(least_booked(0.25) == 20);
}
