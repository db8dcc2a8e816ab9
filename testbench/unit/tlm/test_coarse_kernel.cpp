// SPDX-License-Identifier: Apache-2.0
//
// The same building blocks under a host that left the kernel at its default resolution of 1 ps. The file has its own
// sc_main, since the resolution can be set once.
#include <boost/test/unit_test.hpp>
#include <cstdlib>
#include <vector>

#include "gputlm/tlm/event_queue.h"

using namespace gputlm;

int sc_main(int argc, char** argv) {
  return boost::unit_test::unit_test_main([] { return true; }, argc, argv);
}

int main(int argc, char** argv) {
  ::setenv("SC_COPYRIGHT_MESSAGE", "DISABLE", 1);
  return sc_core::sc_elab_and_sim(argc, argv);
}

BOOST_AUTO_TEST_CASE(durations_are_rounded_to_the_nearest_tick) {
  BOOST_TEST(fs_per_tick() == 1000);
  BOOST_TEST(to_fs(to_sc_time(1499)) == 1000);
  BOOST_TEST(to_fs(to_sc_time(1500)) == 2000);
  BOOST_TEST(to_fs(to_sc_time(-700)) == 0);
}

BOOST_AUTO_TEST_CASE(wake_up_times_are_rounded_up) {
  BOOST_TEST(to_fs(to_sc_time_up(0)) == 0);
  BOOST_TEST(to_fs(to_sc_time_up(1)) == 1000);
  BOOST_TEST(to_fs(to_sc_time_up(1000)) == 1000);
  BOOST_TEST(to_fs(to_sc_time_up(1001)) == 2000);
}

// What is due between two ticks is found due when the wakeup runs; a wakeup that came early would spin in delta cycles.
BOOST_AUTO_TEST_CASE(a_wakeup_never_runs_before_what_it_is_for) {
  TimedQueue<int> queue;
  std::vector<std::pair<Fs, int>> served;
  unsigned runs = 0;
  Wakeup* self = nullptr;
  Wakeup wakeup("wakeup", [&] {
    ++runs;
    while (queue.next() <= now()) served.emplace_back(now(), queue.pop());
    if (!queue.empty()) self->at(queue.next());
  });
  self = &wakeup;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  for (int i = 1; i <= 10; ++i) queue.push(384'615 * i + 1, i);
  wakeup.at(queue.next());
  sc_core::sc_start(10, sc_core::SC_NS);
  BOOST_TEST(runs == 10U);
  BOOST_REQUIRE(served.size() == 10U);
  for (int i = 1; i <= 10; ++i) {
    BOOST_TEST(served[static_cast<std::size_t>(i - 1)].second == i);
    BOOST_TEST(served[static_cast<std::size_t>(i - 1)].first == (384'615 * i + 1 + 999) / 1000 * 1000);
  }
}

// A time that lies between the previous tick and now counts as now.
BOOST_AUTO_TEST_CASE(a_time_just_passed_is_now) {
  std::vector<Fs> runs;
  Wakeup wakeup("wakeup", [&] { runs.push_back(now()); });
  sc_core::sc_start(5, sc_core::SC_PS);
  wakeup.at(4'001);
  sc_core::sc_start(5, sc_core::SC_PS);
  BOOST_TEST(runs == std::vector<Fs>{5'000});
}
