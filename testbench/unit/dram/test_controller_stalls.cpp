// SPDX-License-Identifier: Apache-2.0
//
// Time that requests lose because their channel has not taken the one before, counted by channel.
#include "controller_bench.h"

#include "gputlm/test_support/script_units.h"

using namespace gputlm;

namespace {

DramSpec in_order() {
  DramSpec s = quiet();
  s.scheduler = "fcfs";  // opens no rows ahead: each transaction is a request of the test's
  return s;
}

/// A controller whose channels do what the test says.
struct ScriptedChannels {
  ScriptedChannels() {
    for (unsigned c = 0; c < spec.channels_per_controller; ++c) {
      channels.push_back(std::make_unique<ScriptTarget>(("gddr_" + std::to_string(c)).c_str()));
      channels.back()->latency = from_ns(500);  // a response would imply END_REQ
      controller.channels[c]->bind(channels.back()->socket);
    }
    for (unsigned port = 0; port < 2 * spec.slices_per_controller; ++port) {
      const bool write = port >= spec.slices_per_controller;
      slices.sockets[port]->bind(write ? *controller.writes[port - spec.slices_per_controller]
                                       : *controller.reads[port]);
    }
    for (std::uint64_t line = 0; lines.size() < 2; line += kLineBytes)
      if (published_controller(line) == 0 && map->locate(line).channel == 0) lines.push_back(line);
  }
  Fs lost(unsigned channel) const { return controller.channel_stall_time(channel); }

  DramSpec spec = in_order();
  PayloadPool pool;
  std::unique_ptr<DramMap> map = DramMap::make(spec, published_controller);
  MemoryController controller{"controller", spec, 0, pool, *map};
  SliceDriver slices{"slices", spec.slices_per_controller, pool};
  std::vector<std::unique_ptr<ScriptTarget>> channels;
  std::vector<std::uint64_t> lines;  ///< Two of channel 0.
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_channels_withheld_end_request_is_counted_while_it_lasts) {
  ScriptedChannels b;
  b.channels[0]->admission = Admission::withhold;
  for (const std::uint64_t line : b.lines) b.slices.read(0, line);
  DramBench::run(from_ns(100));
  BOOST_TEST(b.lost(0) == from_ns(100) - b.spec.request_latency);  // the second read has waited since it arrived
  BOOST_TEST(b.lost(1) == 0);
  b.channels[0]->admission = Admission::accept;
  b.channels[0]->accept(from_ns(10));
  DramBench::drain();
  BOOST_TEST(b.lost(0) == from_ns(110) - b.spec.request_latency);
  BOOST_TEST(b.controller.stall_time(ControllerStall::channel) == b.lost(0));
  BOOST_TEST(b.slices.answered == 2U);
}

BOOST_AUTO_TEST_CASE(a_request_that_comes_while_the_channel_is_taken_loses_the_rest_of_that_time) {
  ScriptedChannels b;
  b.channels[0]->accept_after = from_ns(60);
  b.slices.read(0, b.lines[0]);
  DramBench::run(from_ns(20));
  BOOST_TEST(b.lost(0) == 0);
  b.slices.read(0, b.lines[1]);
  DramBench::drain();
  BOOST_TEST(b.lost(0) == from_ns(40));
}

BOOST_AUTO_TEST_CASE(a_channel_that_is_booked_ahead_holds_requests_back_and_a_lone_one_loses_nothing) {
  DramBench b(quiet());
  b.slices.read(0, b.lines(1).front());
  DramBench::drain();
  BOOST_TEST(b.controller.stall_time(ControllerStall::channel) == 0);
  for (const std::uint64_t line : b.lines(120)) b.slices.read(0, line);
  DramBench::drain();
  for (unsigned c = 0; c < 2; ++c) BOOST_TEST(b.controller.channel_stall_time(c) > 0);
  check_clean(b);
}
