// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "gputlm/system/one_set.h"
#include "run_text.h"

using namespace gputlm;

namespace {

const char* const kStores = R"(
experiment: stores
config: rtx4090
buffers:
  out: {size: 8 MiB}
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 256, block: 256}
)";

// More than L2 keeps dirty, on one slice and one controller: back-pressure must reach the warps.
const char* const kFlood = R"(
experiment: flood
config: tiny
buffers:
  out: {size: 8 MiB}
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 64, block: 256}
)";

}  // namespace

BOOST_AUTO_TEST_CASE(stores_cross_the_whole_card_with_a_quiet_checker_on_every_arrow) {
  TextRun t(kStores);
  const Verdict v = t.run();
  BOOST_TEST(v.clean(), complaints(v));
  Wiring& wiring = t.simulation.gpu.mem.wiring;
  BOOST_TEST(wiring.checkers().size() == 128U * 7 + 36 * 3 + 1 + 24);
  BOOST_TEST(wiring.log().total() == 0U);
  std::uint64_t transactions = 0;
  for (const auto& c : wiring.checkers()) transactions += c->transactions();
  BOOST_TEST(transactions >= 65536U * 4);
  BOOST_TEST(t.simulation.line_requests() == 65536U);
  BOOST_TEST(t.simulation.gpu.mem.dirty_bytes() == 8U << 20);  // far below L2's capacity: nothing had to leave
}

BOOST_AUTO_TEST_CASE(a_lone_store_is_acknowledged_after_the_sum_of_its_legs) {
  TextRun t(R"(
experiment: one
config: rtx4090
buffers:
  out: {size: 4 KiB}
phases:
  - {name: store, pattern: single_store, buffer: out}
)");
  BOOST_TEST(t.run().clean());
  const Config& c = t.config;
  const Fs expected = c.l1.miss_latency + c.mmu.miss_latency + c.crossbar.request_latency + c.l2.store_latency +
                      c.crossbar.response_latency;
  BOOST_TEST(t.simulation.dispatcher.times().at(0).end == expected);
}

BOOST_AUTO_TEST_CASE(a_full_write_backlog_throttles_the_sms_and_loses_nothing) {
  TextRun t(kFlood);
  const Verdict v = t.run();
  BOOST_TEST(v.clean(), complaints(v));
  const Gpu& gpu = t.simulation.gpu;
  BOOST_TEST(t.simulation.dispatcher.throttled_peak() == 2U);
  double pressure = 0, queue_full = 0;
  for (const auto& sm : gpu.sms) {
    pressure += sm->lsu.exit_stall_ns(Lsu::ExitStall::back_pressure);
    queue_full += sm->scheduler.stall_ns(WarpScheduler::Stall::queue_full);
  }
  BOOST_TEST(pressure > 0);
  BOOST_TEST(queue_full > 0);
  std::uint64_t written = 0;
  for (const auto& c : gpu.mem.channels) written += c->statistics().bytes_written;
  BOOST_TEST(written + gpu.mem.dirty_bytes() == 8U << 20);
  BOOST_TEST(static_cast<double>(written) / to_ns(now()) <= gpu.mem.peak_bytes_per_ns());
}

BOOST_AUTO_TEST_CASE(every_command_of_every_dram_channel_is_judged) {
  TextRun t(kFlood);
  const Verdict v = t.run();
  BOOST_TEST(v.clean(), complaints(v));
  const MemorySystem& mem = t.simulation.gpu.mem;
  BankStatistics issued;
  for (const auto& c : mem.channels) {
    const BankStatistics& s = c->bank_statistics();
    issued.activates += s.activates, issued.precharges += s.precharges, issued.refreshes += s.refreshes;
    issued.columns_read += s.columns_read, issued.columns_written += s.columns_written;
  }
  BOOST_TEST(issued.columns_written > 0U);
  BOOST_TEST(mem.commands->count(CommandKind::activate) == issued.activates);
  BOOST_TEST(mem.commands->count(CommandKind::precharge) == issued.precharges);
  BOOST_TEST(mem.commands->count(CommandKind::read) == issued.columns_read);
  BOOST_TEST(mem.commands->count(CommandKind::write) == issued.columns_written);
  BOOST_TEST(mem.commands->count(CommandKind::refresh) == issued.refreshes);
}

BOOST_AUTO_TEST_CASE(a_wrong_dram_command_fails_the_run) {
  TextRun t(kFlood);
  CommandChecker& commands = *t.simulation.gpu.mem.commands;
  const DramTiming timing(t.config.dram, 1);
  commands.on_command(0, 1, {CommandKind::precharge, 3, 0, 0, WriteMask::none, 1, 7, timing.time_of(7)}, 0);
  const Verdict v = t.run();
  BOOST_TEST(!v.clean());
  BOOST_REQUIRE(v.problems.size() == 1U);
  BOOST_TEST(v.problems[0].find("command checker: channel 1, clock 7: precharge of bank 3") == 0U, v.problems[0]);
}

BOOST_AUTO_TEST_CASE(dirty_lines_of_a_set_stay_within_the_janitors_limit) {
  TextRun t(kFlood, {"l2.janitor.dirty_threshold=5"});
  BOOST_TEST(t.run().clean());
  BOOST_TEST(t.simulation.gpu.mem.slices[0]->counters().dirty_lines_per_set_peak == 5U);
}

BOOST_AUTO_TEST_CASE(an_unmapped_address_is_a_fault_that_names_who_and_where) {
  TextRun t(R"(
experiment: ghost
config: tiny
buffers:
  ghost: {size: 4 KiB, mapped: false}
phases:
  - {name: store, pattern: single_store, buffer: ghost, offset: 256 B, sms: 1}
)");
  const Verdict v = t.run();
  BOOST_CHECK(v.end == RunEnd::fault);
  BOOST_REQUIRE(v.problems.size() == 1U);
  BOOST_TEST(v.problems[0].find("SM 1 warp 0 instruction 0 address 0x7f4000000100: not mapped") != std::string::npos,
             v.problems[0]);
}

BOOST_AUTO_TEST_CASE(every_way_of_the_set_is_shown_after_each_access_and_the_changed_ones_are_marked) {
  TextRun t(R"(
experiment: set
config: tiny
buffers:
  lines: {size: 2 MiB}
phases:
  - {name: set, pattern: one_set, buffer: lines, slice: 0, set: 0, stores: 2, loads: 1, sms: 0}
)");
  OneSet shown(t.simulation);
  BOOST_TEST(t.run().clean());
  std::ostringstream text;
  shown.print(text);
  std::istringstream lines(text.str());
  unsigned ways = 0, marked = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("     way ", 0) == 0 || line.rfind("   * way ", 0) == 0) ++ways;
    if (line.rfind("   * way ", 0) == 0) ++marked;
  }
  BOOST_TEST(ways == 3 * t.config.l2.ways);
  BOOST_TEST(marked == 3U);  // one way taken by each access
}

BOOST_AUTO_TEST_CASE(the_cards_dram_is_the_bottleneck_of_a_copy_and_stays_within_its_physical_rate) {
  TextRun t(R"(
experiment: bound
config: rtx4090
set: {l2.janitor.dirty_threshold: 1}   # what is stored goes on to DRAM while the loads come from there
buffers:
  in: {size: 6 MiB}
  out: {size: 6 MiB}
image:
  in: pattern
phases:
  - {name: copy, pattern: copy, from: in, to: out, lane_bytes: 4, grid: 384, block: 256}
)");
  const Verdict v = t.run();
  BOOST_TEST(v.clean(), complaints(v));
  const MemorySystem& mem = t.simulation.gpu.mem;
  const DramBytes bytes = mem.dram_bytes();
  const double possible = mem.peak_bytes_per_ns() * to_ns(now());
  const double read = static_cast<double>(bytes.read) / possible,
               written = static_cast<double>(bytes.written) / possible;
  BOOST_TEST(t.config.dram.controllers == 12U);
  BOOST_TEST(read <= 1.0);
  BOOST_TEST(written <= 1.0);
  BOOST_TEST(read + written <= 1.0);  // they share the data bus
  BOOST_TEST(read + written > 0.5);   // and it is what limits the run
  for (const auto& c : mem.channels) BOOST_TEST(c->data_bus_busy() <= now());
}
