// SPDX-License-Identifier: Apache-2.0
//
// MessageInterrupt between a link and somebody else's memory.
#include "port_bench.h"
//
#include "gputlm/ports/message_interrupt.h"
#include "line_initiator.h"
#include "rogue_target.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr std::uint64_t kMessages = 0xfee00000;

struct MessageBench {
  ViolationLog log;
  PayloadPool pool;
  LineInitiator link{"link"};
  MessageInterrupt messages{"messages", kMessages};
  RogueTarget memory{"memory"};
  ProtocolChecker above{"above", log}, below{"below", log};

  MessageBench() {
    above.connect(link.out, messages.requests);
    below.connect(messages.memory, memory.socket);
    memory.on_call = [](auto& p, auto&) {
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      return tlm::TLM_COMPLETED;
    };
  }
  PayloadRef message(std::uint32_t value) {
    PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, kMessages, Operation::store);
    std::memcpy(p->get_data_ptr(), &value, sizeof value);
    set_enables(*p, ByteMask::range(0, 4));
    return p;
  }
  PayloadRef line(tlm::tlm_command command, std::uint64_t address) {
    return pool.line(command, address, command == tlm::TLM_READ_COMMAND ? Operation::load : Operation::store);
  }
  void expect_clean() {
    BOOST_TEST(pool.outstanding() == 0U);
    BOOST_TEST(messages.idle());
    for (const Violation& v : log.violations())
      BOOST_TEST(false, v.arrow << ": " << name_of(v.rule) << ' ' << v.payload << ' ' << v.detail);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_target_that_sets_its_status_before_end_req_does_not_serialise_requests, MessageBench) {
  log.ignore(ProtocolRule::early_status);
  // Takes a request after 1 ns and answers it after 1 us; the status is there from the start.
  memory.on_call = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    sc_core::sc_spawn([this, &p] {
      sc_core::wait(1, sc_core::SC_NS);
      memory.send(p, tlm::END_REQ);
      sc_core::wait(1, sc_core::SC_US);
      memory.send(p, tlm::BEGIN_RESP);
    });
    return tlm::TLM_ACCEPTED;
  };
  std::vector<Fs> accepted, answered;
  link.accepted = [&](Payload&) { accepted.push_back(now()); };
  link.answered = [&](Payload&) { answered.push_back(now()); };
  std::vector<PayloadRef> all;
  sc_core::sc_spawn([&] {
    for (unsigned i = 0; i < 4; ++i) {
      all.push_back(line(tlm::TLM_READ_COMMAND, i * kLineBytes));
      link.send(*all.back());
      sc_core::wait(10, sc_core::SC_NS);
    }
  });
  sc_core::sc_start();
  all.clear();
  BOOST_REQUIRE(answered.size() == 4U);
  for (unsigned i = 0; i < 4; ++i) {
    BOOST_TEST(accepted[i] == from_ns(i * 10 + 1));
    BOOST_TEST(answered[i] == from_ns(i * 10 + 1001));
  }
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(a_response_that_implies_end_req_frees_the_arrow_above, MessageBench) {
  memory.on_call = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    sc_core::sc_spawn([this, &p] {
      sc_core::wait(20, sc_core::SC_NS);
      p.set_response_status(tlm::TLM_OK_RESPONSE);
      memory.send(p, tlm::BEGIN_RESP);
    });
    return tlm::TLM_ACCEPTED;
  };
  std::vector<Fs> accepted, answered;
  link.accepted = [&](Payload&) { accepted.push_back(now()); };
  link.answered = [&](Payload&) { answered.push_back(now()); };
  PayloadRef p = line(tlm::TLM_WRITE_COMMAND, 0);
  sc_core::sc_spawn([&] { link.send(*p); });
  sc_core::sc_start();
  p.reset();
  BOOST_TEST(accepted == std::vector<Fs>{from_ns(20)}, boost::test_tools::per_element());
  BOOST_TEST(answered == std::vector<Fs>{from_ns(20)}, boost::test_tools::per_element());
  expect_clean();
}

namespace {

/// Runs `then` in the delta cycle in which a message's pulse is written, after it was.
struct AtThePulse : sc_core::sc_module, tlm::tlm_analysis_if<std::uint32_t> {
  AtThePulse(const sc_core::sc_module_name& name, std::function<void()> what) : sc_module(name), then(std::move(what)) {
    GPUTLM_HAS_PROCESS(AtThePulse);
    SC_METHOD(run);
    sensitive << written;
    dont_initialize();
  }
  void write(const std::uint32_t&) override { written.notify(); }
  void run() { then(); }
  std::function<void()> then;
  sc_core::sc_event written;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_reset_in_the_moment_of_a_pulse_leaves_the_line_low, MessageBench) {
  bool low_before = false;
  AtThePulse at_the_pulse("at_the_pulse", [&] {
    low_before = !messages.line.read();  // written, and not yet to be seen
    messages.reset();
  });
  messages.values.bind(at_the_pulse);
  PayloadRef p = message(7);
  sc_core::sc_spawn([&] { link.send(*p); });
  sc_core::sc_start();
  p.reset();
  BOOST_TEST(low_before);
  BOOST_TEST(!messages.line.read());
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(after_such_a_reset_the_next_message_is_a_pulse_again, MessageBench) {
  unsigned edges = 0;
  bool once = false;
  AtThePulse at_the_pulse("at_the_pulse", [&] {
    if (!once) messages.reset();
    once = true;
  });
  messages.values.bind(at_the_pulse);
  PayloadRef p = message(7), q = message(8);
  sc_core::sc_spawn([&] {
    link.send(*p);
    sc_core::wait(10, sc_core::SC_NS);
    sc_core::sc_spawn([&] {
      sc_core::wait(messages.line.posedge_event());
      ++edges;
    });
    sc_core::wait(sc_core::SC_ZERO_TIME);
    link.send(*q);
  });
  sc_core::sc_start();
  p.reset(), q.reset();
  BOOST_TEST(edges == 1U);
  BOOST_TEST(!messages.line.read());
  expect_clean();
}
