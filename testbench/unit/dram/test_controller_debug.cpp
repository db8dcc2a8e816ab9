// SPDX-License-Identifier: Apache-2.0
#include "controller_bench.h"

#include <algorithm>

using namespace gputlm;

namespace {

/// A debug access through a slice's arrow.
unsigned debug(DramBench& b, std::size_t port, tlm::tlm_command command, std::uint64_t address, unsigned char* data,
               unsigned length) {
  tlm::tlm_generic_payload p;
  p.set_command(command);
  p.set_address(address);
  p.set_data_ptr(data);
  p.set_data_length(length);
  p.set_streaming_width(length);
  return (*b.slices.sockets[port])->transport_dbg(p);
}

}  // namespace

BOOST_AUTO_TEST_CASE(wrong_requests_get_error_responses) {
  DramBench b(quiet());
  auto status = [&](std::size_t i) { return b.slices.log[i].payload->get_response_status(); };
  const std::size_t beyond = b.slices.read(0, b.spec.capacity), beyond_write = b.slices.write(0, b.spec.capacity, 1);
  PayloadRef crossed = b.pool.line(tlm::TLM_WRITE_COMMAND, 0, Operation::store);
  const std::size_t wrong_arrow = b.slices.send(0, crossed);
  PayloadRef skewed = b.pool.line(tlm::TLM_READ_COMMAND, 64, Operation::load);
  const std::size_t misaligned = b.slices.send(0, skewed);
  PayloadRef ignore = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::atomic);
  const std::size_t atomic = b.slices.send(3, ignore);
  DramBench::run(from_ns(1));
  BOOST_TEST(status(beyond) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(status(beyond_write) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(status(wrong_arrow) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  BOOST_TEST(status(misaligned) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(status(atomic) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  BOOST_TEST(b.controller.statistics().errors == 5U);
  crossed.reset(), skewed.reset(), ignore.reset();
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(debug_reads_see_the_backlog_over_the_dram) {
  DramBench b(quiet());
  b.memory.set_image(pattern);
  const std::uint64_t line = b.lines(1).front();
  b.slices.write(0, line, 0x42, ByteMask::range(10, 4));
  DramBench::run(from_ns(1));
  BOOST_TEST(b.controller.write_backlog() == 1U);
  unsigned char seen[8], image[kLineBytes];
  pattern(line, image);
  for (const std::size_t port : {0, 5}) {
    BOOST_TEST(debug(b, port, tlm::TLM_READ_COMMAND, line + 8, seen, 8) == 8U);
    BOOST_TEST(seen[0] == image[8]);
    BOOST_TEST(seen[2] == 0x42);
    BOOST_TEST(seen[6] == image[14]);
  }
  BOOST_TEST(debug(b, 0, tlm::TLM_READ_COMMAND, line + 124, seen, 8) == 4U);  // up to the line's end
  BOOST_TEST(debug(b, 0, tlm::TLM_READ_COMMAND, b.spec.capacity, seen, 8) == 0U);
  DramBench::drain();
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(debug_writes_change_backlog_dram_and_reads_under_way) {
  DramBench b(quiet());
  const auto lines = b.lines(2);
  const std::size_t read = b.slices.read(0, lines[1]);
  DramBench::run(b.spec.request_latency + from_ns(20));  // its data are captured, not delivered
  b.slices.write(0, lines[0], 0x42);
  DramBench::run(from_ns(1));
  unsigned char value = 0x99, seen = 0;
  BOOST_TEST(debug(b, 0, tlm::TLM_WRITE_COMMAND, lines[0] + 5, &value, 1) == 1U);
  BOOST_TEST(debug(b, 0, tlm::TLM_WRITE_COMMAND, lines[1] + 5, &value, 1) == 1U);
  BOOST_TEST(debug(b, 0, tlm::TLM_READ_COMMAND, lines[0] + 5, &seen, 1) == 1U);
  BOOST_TEST(seen == 0x99);
  DramBench::drain();
  unsigned char data[kLineBytes];
  b.memory.read(lines[0], data);
  BOOST_TEST(data[5] == 0x99);
  BOOST_TEST(data[6] == 0x42);
  BOOST_TEST(b.slices.data(read)[5] == 0x99);
  BOOST_TEST(debug(b, 0, tlm::TLM_WRITE_COMMAND, b.spec.capacity + 64, &value, 1) == 0U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(reset_mid_traffic_leaks_nothing_and_starts_afresh) {
  DramBench b;
  const auto lines = b.lines(900);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    b.slices.read(i % 3, lines[i]);
    b.slices.write((i + 1) % 3, lines[lines.size() - 1 - i], 5);
  }
  DramBench::run(from_ns(700));
  BOOST_TEST(!b.controller.idle());
  b.slices.reset();
  b.controller.reset();
  for (auto& channel : b.channels) channel->reset();
  for (auto& checker : b.checkers) checker->reset();
  b.commands.reset();
  BOOST_TEST(b.pool.outstanding() == 0U);
  BOOST_TEST(b.controller.idle());
  BOOST_TEST(b.controller.statistics().reads == 0U);
  for (std::size_t i = 0; i < 50; ++i) b.slices.read(i % 3, lines[i]);
  DramBench::drain();
  BOOST_TEST(b.slices.answered == 50U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(read_queues_filled_by_hand_hold_back_reads_and_drain_like_any_other) {
  DramBench b(quiet());
  b.controller.fill_read_queue(b.lines(400));
  BOOST_TEST(b.controller.read_backlog() == 128U);  // both channels' queues
  const std::size_t i = b.slices.read(0, b.lines(1, 4 << 20).front());
  DramBench::run(from_ns(1));
  BOOST_TEST(b.slices.log[i].accepted == kNever);
  DramBench::drain();
  BOOST_TEST(b.slices.log[i].answered != kNever);
  BOOST_TEST(b.slices.answered == 1U);  // nobody is told of the others
  BOOST_TEST(b.controller.statistics().reads == 129U);
  check_clean(b);
}

BOOST_AUTO_TEST_CASE(a_row_opened_by_hand_saves_the_activate) {
  DramBench b(quiet(), false);
  const std::uint64_t line = b.lines(1).front();
  const DramLocation at = b.map->locate(line);
  Gddr6xChannel& channel = *b.channels[at.channel];
  channel.set_row(at.bank, at.row);
  BOOST_TEST(channel.bank(at.bank).open);
  BOOST_TEST(channel.bank(at.bank).row == at.row);
  const std::size_t i = b.slices.read(0, line);
  DramBench::drain();
  const Ck start = channel.timing().at_or_after(b.spec.request_latency);
  BOOST_TEST(b.slices.log[i].answered == clocks(b, start + 3 * 4 + 19 + 1) + b.spec.response_latency);
  BOOST_TEST(channel.bank_statistics().activates == 0U);
  BOOST_TEST(channel.bank_statistics().row_hits == 1U);
}
