// SPDX-License-Identifier: Apache-2.0
//
// Initiators and targets that break the base protocol get a report that names the place and the rule, and no hang.
#include <sstream>

#include "at_target.h"
#include "port_bench.h"
#include "rogue_target.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// Makes calls of any kind at a port; with a checker between, and without.
class Rogue : public sc_core::sc_module {
 public:
  explicit Rogue(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &Rogue::nb_transport_bw);
    GPUTLM_HAS_PROCESS(Rogue);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Rogue> socket{"socket"};
  std::function<void()> program;
  tlm::tlm_sync_enum answer = tlm::TLM_COMPLETED;

  tlm::tlm_sync_enum send(tlm::tlm_generic_payload& p, tlm::tlm_phase phase) {
    sc_core::sc_time t;
    return socket->nb_transport_fw(p, phase, t);
  }

 private:
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase& phase, sc_core::sc_time&) {
    return phase == tlm::BEGIN_RESP ? answer : tlm::TLM_ACCEPTED;
  }
  void run() { program(); }
};

/// They outlive the system, which may hold one to its end.
struct RogueRequests {
  Transaction p{tlm::TLM_READ_COMMAND, 0x80, std::vector<unsigned char>(8)};
  Transaction q{tlm::TLM_READ_COMMAND, 0x4080, std::vector<unsigned char>(8)};
};

struct RogueBench : RogueRequests, PortBench {
  explicit RogueBench(bool checked = true) {
    sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    if (checked)
      connect(rogue.socket, 0);
    else
      rogue.socket.bind(memory.port(0));
  }
  Rogue rogue{"rogue"};

  /// The report that the program causes.
  std::string report_of(const std::function<void()>& program) {
    std::string text;
    rogue.program = [&] {
      try {
        program();
      } catch (const sc_core::sc_report& report) {
        text = std::string(report.get_msg_type()) + ": " + report.get_msg();
      }
    };
    try {
      run();
    } catch (const sc_core::sc_report& report) {
      text = std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return text;
  }
  bool broken(ProtocolRule rule) { return memory.wiring.log().count(rule) > 0; }
};

bool says(const std::string& report, const char* what) {
  BOOST_TEST_INFO("reported: " << report);
  return report.find(what) != std::string::npos && report.find("memory.port0") != std::string::npos;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_second_request_while_one_waits_for_its_end_req) {
  std::vector<std::unique_ptr<Transaction>> flood;
  RogueBench b;
  const std::string report = b.report_of([&] {
    for (unsigned i = 0; i < 1000; ++i) {
      flood.push_back(std::make_unique<Transaction>(tlm::TLM_READ_COMMAND, i * 4096, std::vector<unsigned char>(512)));
      b.rogue.send(*flood.back(), tlm::BEGIN_REQ);
    }
  });
  BOOST_TEST(says(report, "BEGIN_REQ while another request waits for its END_REQ"));
  BOOST_TEST(b.broken(ProtocolRule::request_exclusion));
}

BOOST_AUTO_TEST_CASE(a_non_blocking_payload_without_a_memory_manager) {
  RogueBench b;
  tlm::tlm_generic_payload bare;
  bare.set_read();
  bare.set_data_ptr(b.p.data.data());
  bare.set_data_length(8);
  bare.set_streaming_width(8);
  const std::string report = b.report_of([&] { b.rogue.send(bare, tlm::BEGIN_REQ); });
  BOOST_TEST(says(report, "needs a payload with a memory manager"));
  BOOST_TEST(b.broken(ProtocolRule::memory_manager));
}

BOOST_AUTO_TEST_CASE(a_phase_that_only_a_target_may_send) {
  RogueBench b;
  b.report_of([&] {
    b.rogue.send(b.p, tlm::BEGIN_REQ);
    b.rogue.send(b.p, tlm::BEGIN_RESP);
  });
  BOOST_TEST(b.broken(ProtocolRule::forward_phase));
}

BOOST_AUTO_TEST_CASE(a_response_ended_twice) {
  RogueBench b;
  b.rogue.answer = tlm::TLM_ACCEPTED;
  const std::string report = b.report_of([&] {
    b.rogue.send(b.p, tlm::BEGIN_REQ);
    sc_core::wait(5, sc_core::SC_US);
    b.rogue.send(b.p, tlm::END_RESP);
    b.rogue.send(b.p, tlm::END_RESP);
  });
  BOOST_TEST(says(report, "END_RESP without a response in progress"));
  BOOST_TEST(b.broken(ProtocolRule::phase_order));
}

BOOST_AUTO_TEST_CASE(a_request_with_a_status_of_before) {
  RogueBench b(false);
  const std::string report = b.report_of([&] {
    b.p.set_response_status(tlm::TLM_OK_RESPONSE);
    b.rogue.send(b.p, tlm::BEGIN_REQ);
  });
  BOOST_TEST(says(report, "set TLM_INCOMPLETE_RESPONSE before each use"));
}

BOOST_AUTO_TEST_CASE(a_payload_changed_in_flight) {
  RogueBench b;
  b.report_of([&] {
    b.rogue.send(b.p, tlm::BEGIN_REQ);
    b.p.set_data_length(4);
  });
  BOOST_TEST(b.broken(ProtocolRule::data_length_unchanged));
}

BOOST_AUTO_TEST_CASE(a_response_that_is_never_ended_holds_up_the_next_and_is_named) {
  RogueBench b;
  b.rogue.answer = tlm::TLM_ACCEPTED;
  b.report_of([&] {
    b.rogue.send(b.p, tlm::BEGIN_REQ);
    sc_core::wait(5, sc_core::SC_US);
    b.rogue.send(b.q, tlm::BEGIN_REQ);
  });
  const auto open = b.checkers[0]->open_transactions();
  BOOST_REQUIRE(open.size() == 2U);
  BOOST_TEST(open[0].text().find("END_RESP") != std::string::npos);
  BOOST_TEST(open[0].holder() == "rogue.socket");
}

namespace {

/// Below a port: a target that misbehaves.
struct TargetBench {
  Transaction store{tlm::TLM_WRITE_COMMAND, 0x80, {1, 2, 3, 4}};
  PayloadPool pool;
  ViolationLog log;
  BusPort port{"port", {std::uint64_t{1} << 20U, 32, false}, pool};
  AtInitiator host{"host", EndResponse::completed};
  RogueTarget target{"target"};
  ProtocolChecker below{"below", log};

  TargetBench() {
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
    host.socket.bind(port.bus);
    below.connect(port.lines, target.socket);
    host.send(store);
  }

  std::string run() {
    try {
      sc_core::sc_start();
    } catch (const sc_core::sc_report& report) {
      return std::string(report.get_msg_type()) + ": " + report.get_msg();
    }
    return {};
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(a_target_that_completes_without_a_status, TargetBench) {
  target.on_call = [](auto&, auto&) { return tlm::TLM_COMPLETED; };
  const std::string report = run();
  BOOST_TEST(report.find("a response without a status was received") != std::string::npos, report);
  BOOST_TEST(report.find("port.lines") != std::string::npos, report);
  BOOST_TEST(log.count(ProtocolRule::response_status) == 1U);
}

BOOST_FIXTURE_TEST_CASE(a_target_that_never_answers_is_named_when_the_simulation_starves, TargetBench) {
  target.on_call = [](auto&, tlm::tlm_phase& phase) {
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  };
  BOOST_TEST(run().empty());  // sc_start returns: nothing is due any more
  BOOST_TEST(host.open() == 1U);
  BOOST_TEST(!port.idle());
  std::ostringstream text;
  port.explain(text);
  BOOST_TEST(text.str().find("1 lines of it are under way") != std::string::npos, text.str());
  const auto open = below.open_transactions();
  BOOST_REQUIRE(open.size() == 1U);
  BOOST_TEST(open[0].holder() == "target.socket");
}

BOOST_FIXTURE_TEST_CASE(a_target_that_never_accepts_is_named_when_the_simulation_starves, TargetBench) {
  target.on_call = [](auto&, auto&) { return tlm::TLM_ACCEPTED; };
  BOOST_TEST(run().empty());
  BOOST_TEST(host.open() == 1U);
  std::ostringstream text;
  port.explain(text);
  BOOST_TEST(text.str().find("wait for END_REQ") != std::string::npos, text.str());
}

BOOST_FIXTURE_TEST_CASE(a_target_that_answers_with_an_error_is_heard_above, TargetBench) {
  target.on_call = [](tlm::tlm_generic_payload& p, auto&) {
    p.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  BOOST_TEST(run().empty());
  BOOST_TEST(store.get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
  BOOST_TEST(log.total() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_target_that_sends_an_initiators_phase, TargetBench) {
  target.on_call = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase) {
    tlm::tlm_phase wrong = tlm::END_RESP;
    sc_core::sc_time t;
    if (phase == tlm::BEGIN_REQ) target.socket->nb_transport_bw(p, wrong, t);
    p.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  run();
  BOOST_TEST(log.count(ProtocolRule::backward_phase) == 1U);
}
