// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <map>
#include <random>
#include <sstream>

#include "gputlm/crossbar/crossbar.h"
#include "gputlm/test_support/histogram_of.h"
#include "published_spec.h"

using namespace gputlm;

namespace {

CrossbarSpec small_spec(unsigned sms, unsigned slices) {
  CrossbarSpec s = published_crossbar_spec();
  s.sm_ports = sms;
  s.slices = slices;
  s.slices_per_controller = 1;
  s.slice_function.type = "modulo";
  s.clock_hz = 1e9;  // one cycle is 1 ns
  s.request_latency = 30 * kFsPerNs;
  s.response_latency = 20 * kFsPerNs;
  return s;
}

struct Arrival {
  Fs time;
  std::uint64_t address;
  unsigned port;
};

// An SM that sends what it is told, in order, as fast as END_REQ lets it.
struct Source : sc_core::sc_module {
  InitiatorSocket<Source> out;
  Wakeup wakeup;
  Ring<PayloadRef> todo;
  std::vector<Arrival> responses;
  std::vector<tlm::tlm_response_status> statuses;
  Fs next_free = 0;
  std::vector<Fs> accepted;

  explicit Source(const sc_core::sc_module_name& n) : sc_module(n), out("out", *this), wakeup("w", [this] { go(); }) {}
  void go() {
    while (!todo.empty() && !out.busy()) {
      if (now() < next_free) return wakeup.at(next_free);
      PayloadRef p = todo.pop_front();
      Fs delay = 0;
      const Sent sent = out.request(*p, delay);
      if (sent == Sent::responded) on_response(0, *p, delay);
      if (sent != Sent::withheld) accepted.push_back(next_free = now() + delay);
    }
  }
  void on_accepted(std::size_t, Payload&, Fs delay) {
    accepted.push_back(next_free = now() + delay);
    wakeup.at(next_free);
  }
  bool on_response(std::size_t, Payload& p, Fs delay) {
    responses.push_back({now() + delay, p.get_address(), 0});
    statuses.push_back(p.get_response_status());
    return true;
  }
  void on_debug_written(std::size_t, std::uint64_t first, std::uint64_t) { debug_written = first; }
  std::uint64_t debug_written = 0;
};

// A slice that takes one request per `interval`, answers after `latency`, or withholds everything while `closed`.
struct Sink : sc_core::sc_module {
  TargetSocket<Sink> in;
  Wakeup wakeup;
  unsigned number;
  Fs interval = 0, latency = 10 * kFsPerNs;
  bool closed = false;
  PayloadRef held;
  std::vector<Arrival> arrivals;
  TimedQueue<PayloadRef> answers;

  Sink(const sc_core::sc_module_name& n, unsigned i)
      : sc_module(n), in("in", *this, i), wakeup("w", [this] { answer(); }), number(i) {}
  Admission on_request(std::size_t, Payload& p, Fs& delay) {
    if (closed) {
      held = PayloadRef(p);
      return Admission::withhold;
    }
    take(p);
    delay += interval;
    return Admission::accept;
  }
  void take(Payload& p) {
    arrivals.push_back({now(), p.get_address(), find_sideband(p)->origin.sm});
    answers.push(now() + latency, PayloadRef(p));
    wakeup.at(answers.next());
  }
  void open() {
    closed = false;
    if (!held) return;
    take(*held);
    PayloadRef p = std::move(held);
    in.accept(*p, interval);
  }
  void answer() {
    while (answers.next() <= now()) {
      PayloadRef p = answers.pop();
      p->set_response_status(tlm::TLM_OK_RESPONSE);
      in.respond(*p);
    }
    if (!answers.empty()) wakeup.at(answers.next());
  }
  void on_response_taken(std::size_t, Payload&, Fs) {}
  unsigned on_debug(std::size_t, Payload& p) {
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    if (p.is_write()) in.announce_debug_write(p.get_address(), p.get_address() + 3);
    return p.get_data_length();
  }
};

struct Bench {
  Bench(const CrossbarSpec& spec) : xbar("xbar", spec) {
    for (unsigned i = 0; i < spec.sm_ports; ++i) {
      sources.push_back(std::make_unique<Source>(("source" + std::to_string(i)).c_str()));
      sources.back()->out.bind(*xbar.sm[i]);
    }
    for (unsigned i = 0; i <= spec.slices; ++i)
      sinks.push_back(std::make_unique<Sink>(("sink" + std::to_string(i)).c_str(), i));
    for (unsigned i = 0; i < spec.slices; ++i) xbar.slice[i]->bind(sinks[i]->in);
    xbar.system.bind(sinks.back()->in);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  ~Bench() {
    for (auto& s : sources) s->todo.clear();
  }
  void send(unsigned sm, std::uint64_t address, Operation op, ByteMask mask = ByteMask::full()) {
    const auto command = op == Operation::load    ? tlm::TLM_READ_COMMAND
                         : op == Operation::store ? tlm::TLM_WRITE_COMMAND
                                                  : tlm::TLM_IGNORE_COMMAND;
    PayloadRef p = pool.line(command, address, op);
    set_enables(*p, mask);
    find_sideband(*p)->origin.sm = static_cast<std::uint16_t>(sm);
    sources[sm]->todo.push_back(std::move(p));
    sources[sm]->wakeup.at(now());
  }
  void run_to(Fs t) { run_until(t); }
  void run() { sc_core::sc_start(); }

  PayloadPool pool;
  Crossbar xbar;
  std::vector<std::unique_ptr<Source>> sources;
  std::vector<std::unique_ptr<Sink>> sinks;
};

constexpr Fs ns(double v) {
  return static_cast<Fs>(v * kFsPerNs);
}

}  // namespace

BOOST_AUTO_TEST_CASE(an_unloaded_round_trip_is_the_sum_of_its_legs_to_the_femtosecond) {
  Bench b(small_spec(2, 4));
  b.send(1, 0x200, Operation::load);
  b.run_to(ns(30) - 1);
  BOOST_TEST(b.sinks[2]->arrivals.empty());
  b.run_to(ns(30));
  BOOST_TEST(b.sinks[2]->arrivals.size() == 1U);
  b.run_to(ns(60) - 1);
  BOOST_TEST(b.sources[1]->responses.empty());
  b.run_to(ns(60));
  BOOST_TEST(b.sources[1]->responses.size() == 1U);
  BOOST_TEST(b.sources[0]->responses.empty());
  BOOST_TEST(b.xbar.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(store_data_enter_at_32_bytes_a_cycle_and_loads_at_two_headers_a_cycle) {
  Bench b(small_spec(2, 1));
  for (unsigned i = 0; i < 3; ++i) b.send(0, 0x80 * i, Operation::store);
  for (unsigned i = 0; i < 3; ++i) b.send(1, 0x80 * i, Operation::load);
  b.run();
  BOOST_TEST(b.sources[0]->accepted == (std::vector<Fs>{ns(4), ns(8), ns(12)}), boost::test_tools::per_element());
  BOOST_TEST(b.sources[1]->accepted == (std::vector<Fs>{ns(0.5), ns(1), ns(1.5)}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(load_data_leave_at_32_bytes_a_cycle_and_acknowledgements_take_no_data_time) {
  Bench b(small_spec(1, 4));
  for (unsigned i = 0; i < 3; ++i) b.send(0, 0x100 * i, Operation::load);
  b.run();
  const auto& r = b.sources[0]->responses;
  BOOST_REQUIRE(r.size() == 3U);
  BOOST_TEST(r[1].time - r[0].time == ns(4));
  BOOST_TEST(r[2].time - r[1].time == ns(4));
}

BOOST_AUTO_TEST_CASE(a_slice_that_withholds_stops_its_port_alone_and_then_its_sms) {
  CrossbarSpec spec = small_spec(2, 2);
  spec.sm_request_depth = 8;
  spec.slice_request_depth = 4;
  Bench b(spec);
  b.sinks[0]->closed = true;
  for (unsigned i = 0; i < 10; ++i) b.send(0, 0x200 * i, Operation::load);  // all to slice 0
  b.send(1, 0x100, Operation::load);
  b.run_to(ns(1000));
  BOOST_TEST(b.sinks[1]->arrivals.size() == 1U);  // the other slice is served
  BOOST_TEST(b.sources[0]->out.busy());           // 1 at the slice, 4 queued, the sixth is held back
  BOOST_TEST(b.sources[0]->accepted.size() == 5U);
  BOOST_TEST(!b.xbar.idle());
  std::ostringstream why;
  b.xbar.explain(why);
  BOOST_TEST(why.str().find("slice 0 withholds END_REQ") != std::string::npos);
  BOOST_TEST(why.str().find("load of line 0xa00 of SM 0 waits for room since") != std::string::npos);
  b.sinks[0]->open();
  b.run();
  BOOST_TEST(b.sinks[0]->arrivals.size() == 10U);
  for (unsigned i = 0; i < 10; ++i) BOOST_TEST(b.sinks[0]->arrivals[i].address == 0x200 * i);
  BOOST_TEST(b.sources[0]->responses.size() == 10U);
  BOOST_TEST(b.xbar.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(no_sm_is_starved_by_a_flood_of_another) {
  CrossbarSpec spec = small_spec(2, 1);
  spec.slice_request_depth = 4;
  Bench b(spec);
  b.sinks[0]->interval = ns(10);
  for (unsigned i = 0; i < 200; ++i) b.send(0, 0x80 * i, Operation::load);
  b.run_to(ns(100));
  b.send(1, 0x8000, Operation::load);
  b.run();
  Fs seen = 0;
  for (const Arrival& a : b.sinks[0]->arrivals)
    if (a.port == 1) seen = a.time;
  BOOST_TEST(seen > 0);
  BOOST_TEST(seen < ns(100 + 30 + 10 * 8));  // behind the queue it found, not behind the flood
}

BOOST_AUTO_TEST_CASE(random_traffic_keeps_the_order_of_each_pair_and_loses_nothing) {
  CrossbarSpec spec = small_spec(4, 3);
  spec.sm_request_depth = 5;
  spec.slice_request_depth = 3;
  Bench b(spec);
  std::mt19937 random(7);
  for (unsigned i = 0; i < 3; ++i) b.sinks[i]->interval = ns(1 + i);
  std::map<std::pair<unsigned, unsigned>, std::vector<std::uint64_t>> sent, got;
  for (unsigned i = 0; i < 3000; ++i) {
    const unsigned sm = random() % 4;
    const std::uint64_t address = 0x80 * (random() % 5000);
    b.send(sm, address, random() % 2 != 0 ? Operation::store : Operation::load);
    sent[{sm, b.xbar.slice_of(address)}].push_back(address);
    if (i % 50 == 0) b.sinks[random() % 3]->closed = true;
    b.run_to(now() + ns(static_cast<double>(random() % 4)));
    if (i % 50 == 20)
      for (auto& s : b.sinks) s->open();
  }
  for (auto& s : b.sinks) s->open();
  b.run();
  for (unsigned i = 0; i < 3; ++i)
    for (const Arrival& a : b.sinks[i]->arrivals) got[{a.port, i}].push_back(a.address);
  BOOST_CHECK(sent == got);
  std::size_t responses = 0;
  for (auto& s : b.sources) responses += s->responses.size();
  BOOST_TEST(responses == 3000U);
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(a_system_barrier_leaves_by_the_system_port) {
  Bench b(small_spec(1, 2));
  b.send(0, 0, Operation::system_barrier);
  b.run();
  BOOST_TEST(b.sinks[2]->arrivals.size() == 1U);
  BOOST_TEST(b.sources[0]->responses.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_wrong_request_is_answered_with_its_error) {
  Bench b(small_spec(1, 2));
  b.send(0, 0x81, Operation::load);
  PayloadRef p = b.pool.line(tlm::TLM_READ_COMMAND, 0x80, Operation::load);
  p->set_data_length(64);
  b.sources[0]->todo.push_back(std::move(p));
  b.run();
  BOOST_TEST(b.sources[0]->statuses.size() == 2U);
  BOOST_TEST((b.sources[0]->statuses[0] == tlm::TLM_ADDRESS_ERROR_RESPONSE));
  BOOST_TEST((b.sources[0]->statuses[1] == tlm::TLM_BURST_ERROR_RESPONSE));
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(position_terms_lengthen_both_ways) {
  CrossbarSpec spec = small_spec(2, 1);
  spec.sm_position = {0, 5};
  spec.slice_position = {2};
  Bench b(spec);
  b.send(0, 0, Operation::load);
  b.run();
  BOOST_TEST(b.sources[0]->responses[0].time == ns(60 + 2 * 2));
  const Fs from = now();
  b.send(1, 0, Operation::load);
  b.run();
  BOOST_TEST(b.sources[1]->responses[0].time - from == ns(60 + 2 * 7));
}

BOOST_AUTO_TEST_CASE(a_debug_write_is_announced_to_every_sm) {
  Bench b(small_spec(3, 2));
  PayloadRef p = b.pool.line(tlm::TLM_WRITE_COMMAND, 0x100, Operation::store);
  BOOST_TEST(b.sources[0]->out->transport_dbg(*p) == kLineBytes);
  for (auto& s : b.sources) BOOST_TEST(s->debug_written == 0x100U);
}

BOOST_AUTO_TEST_CASE(reset_in_mid_traffic_leaks_nothing_and_work_goes_on) {
  CrossbarSpec spec = small_spec(2, 2);
  spec.sm_request_depth = 3;
  Bench b(spec);
  b.sinks[0]->closed = true;
  for (unsigned i = 0; i < 20; ++i) b.send(i % 2, 0x80 * i, Operation::store);
  b.run_to(ns(70));
  b.xbar.reset();
  for (auto& s : b.sources) s->todo.clear(), s->out.reset(), s->next_free = 0;
  for (auto& s : b.sinks) s->held.reset(), s->answers.clear(), s->in.reset(), s->closed = false, s->arrivals.clear();
  BOOST_TEST(b.pool.outstanding() == 0U);
  BOOST_TEST(b.xbar.idle());
  b.send(0, 0x0, Operation::load);
  b.run();
  BOOST_TEST(b.sinks[0]->arrivals.size() == 1U);
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(a_slice_queue_filled_by_hand_holds_back_the_sms_and_drains_like_any_other) {
  CrossbarSpec spec = small_spec(1, 2);
  spec.slice_request_depth = 4;
  Bench b(spec);
  b.sinks[0]->closed = true;
  unsigned taken = 0;
  const auto fill = [&](unsigned i) {
    const PayloadRef p = b.pool.line(tlm::TLM_READ_COMMAND, 0x200 * i, Operation::load);
    taken += b.xbar.fill_queue(*p) ? 1 : 0;
  };
  for (unsigned i = 0; i < 6; ++i) fill(i);
  BOOST_TEST(taken == 4U);
  BOOST_TEST(b.xbar.waiting_for(0) == 4U);
  BOOST_TEST(b.xbar.waiting_for(1) == 0U);
  b.run_to(ns(1));
  fill(6);  // one has gone to the slice
  BOOST_TEST(taken == 5U);
  b.send(0, 0x2000, Operation::load);
  b.run_to(ns(100));
  BOOST_TEST(b.sources[0]->out.busy());
  b.sinks[0]->open();
  b.run();
  BOOST_TEST(b.sinks[0]->arrivals.size() == 6U);
  BOOST_TEST(b.sinks[0]->arrivals.back().address == 0x2000U);
  BOOST_TEST(b.sources[0]->responses.size() == 1U);  // the SM gets its own answer alone
  BOOST_TEST(b.xbar.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(waits_are_what_a_request_and_a_response_lose_over_the_unloaded_crossing) {
  CrossbarSpec spec = small_spec(1, 2);
  spec.slice_request_depth = 1;
  Bench b(spec);
  b.send(0, 0x000, Operation::load);
  b.run();
  BOOST_TEST(histogram_of(b.xbar, "load_request_wait").max() == 0);
  BOOST_TEST(histogram_of(b.xbar, "load_response_wait").max() == 0);
  const Fs from = now();
  b.sinks[0]->interval = ns(10);
  for (unsigned i = 0; i < 3; ++i) b.send(0, 0x200 * i, Operation::load);  // room for one: the others wait at the port
  b.run_to(from + ns(200));
  const auto& arrivals = b.sinks[0]->arrivals;
  BOOST_REQUIRE(arrivals.size() == 4U);
  const Histogram requests = histogram_of(b.xbar, "load_request_wait");
  const Fs last_asked = b.sources[0]->accepted[2];  // it is sent when the port has taken the second
  BOOST_TEST(requests.count() == 4U);
  BOOST_TEST(requests.max() == arrivals[3].time - last_asked - ns(30));
  BOOST_TEST(requests.max() > ns(29));
  b.sinks[0]->interval = 0;
  b.sinks[1]->latency = b.sinks[0]->latency;
  b.send(0, 0x000, Operation::load);
  b.send(0, 0x100, Operation::load);  // its data come half a cycle behind the other's, which take four
  b.send(0, 0x800, Operation::store);
  b.run();
  BOOST_TEST(histogram_of(b.xbar, "load_response_wait").max() == ns(3.5));
  BOOST_TEST(histogram_of(b.xbar, "store_request_wait").count() == 1U);
  BOOST_TEST(histogram_of(b.xbar, "store_response_wait").count() == 1U);
}
