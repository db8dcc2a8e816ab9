// SPDX-License-Identifier: Apache-2.0
//
// When a Wakeup runs, at the kernel resolution of 1 fs.
#include "gputlm/test_support/sc_test.h"
//
#include <functional>
#include <vector>

#include "gputlm/tlm/event_queue.h"

using namespace gputlm;

namespace {

struct Bench : sc_core::sc_module {
  Bench() : sc_module(sc_core::sc_module_name("bench")) { sc_core::sc_start(sc_core::SC_ZERO_TIME); }
  std::vector<Fs> runs;
  std::function<void()> then = [] {};
  Wakeup wakeup{"wakeup", [this] {
                  runs.push_back(now());
                  then();
                }};
  void finish() { run_until(1000); }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(it_runs_once_at_its_time_and_not_before, Bench) {
  wakeup.at(10);
  BOOST_TEST(wakeup.due() == 10);
  run_until(9);
  BOOST_TEST(runs.empty());
  finish();
  BOOST_TEST(runs == std::vector<Fs>{10});
  BOOST_TEST(wakeup.due() == kNever);
}

BOOST_FIXTURE_TEST_CASE(the_earliest_of_several_times_counts, Bench) {
  wakeup.at(30);
  wakeup.at(10);
  wakeup.at(20);
  finish();
  BOOST_TEST(runs == std::vector<Fs>{10});
}

BOOST_FIXTURE_TEST_CASE(it_runs_in_the_same_instant_when_asked_for_now, Bench) {
  run_until(5);
  wakeup.at(7);
  wakeup.at(5);
  finish();
  BOOST_TEST(runs == std::vector<Fs>{5});
}

BOOST_FIXTURE_TEST_CASE(the_same_time_twice_is_one_run, Bench) {
  wakeup.at(10);
  wakeup.at(10);
  finish();
  BOOST_TEST(runs == std::vector<Fs>{10});
}

BOOST_FIXTURE_TEST_CASE(it_can_be_set_anew_in_its_own_callback, Bench) {
  then = [this] {
    if (runs.size() == 1) wakeup.at(now());
    if (runs.size() == 2) wakeup.at(now() + 3);
  };
  wakeup.at(10);
  finish();
  BOOST_TEST(runs == (std::vector<Fs>{10, 10, 13}));
}

BOOST_FIXTURE_TEST_CASE(cancelled_it_does_not_run, Bench) {
  wakeup.at(10);
  wakeup.cancel();
  BOOST_TEST(wakeup.due() == kNever);
  finish();
  BOOST_TEST(runs.empty());
}

BOOST_FIXTURE_TEST_CASE(a_later_time_can_be_set_after_cancelling, Bench) {
  wakeup.at(10);
  wakeup.cancel();
  wakeup.at(20);
  finish();
  BOOST_TEST(runs == std::vector<Fs>{20});
}

BOOST_FIXTURE_TEST_CASE(one_made_during_simulation_works, Bench) {
  Wakeup late("late", [this] { runs.push_back(-now()); });
  late.at(10);
  finish();
  BOOST_TEST(runs == std::vector<Fs>{-10});
}

BOOST_AUTO_TEST_CASE(kernel_time_is_exact_at_one_femtosecond) {
  BOOST_TEST(fs_per_tick() == 1);
  for (const Fs t : {Fs{0}, Fs{1}, Fs{384'615}, kNever - 1}) {
    BOOST_TEST(to_fs(to_sc_time(t)) == t);
    BOOST_TEST(to_fs(to_sc_time_up(t)) == t);
  }
  BOOST_TEST(to_fs(to_sc_time(-1)) == 0);
  BOOST_TEST(to_fs(sc_core::sc_time(2.5, sc_core::SC_NS)) == 2'500'000);
}
