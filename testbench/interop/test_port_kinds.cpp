// SPDX-License-Identifier: Apache-2.0
//
// One port, one socket: asked for again it is the same one, asked for as another kind it is refused by name.
#include "port_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

std::string refusal(const std::function<void()>& ask) {
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_THROW);
  try {
    ask();
  } catch (const sc_core::sc_report& report) {
    return std::string(report.get_msg_type()) + ": " + report.get_msg();
  }
  return {};
}

}  // namespace

BOOST_FIXTURE_TEST_CASE(the_same_kind_is_the_same_socket, PortBench) {
  BOOST_TEST(&memory.port(0) == &memory.port(0));
  BOOST_TEST(&memory.port<64>(1) == &memory.port<64>(1));
  BlockingInitiator a("a");
  a.socket.bind(memory.port(0));
  BOOST_TEST(&memory.bus_port(0).bus == &memory.port(0));
  WaitList none = memory.waits();
  BOOST_TEST(none.all().empty());
}

BOOST_FIXTURE_TEST_CASE(the_same_loose_port_is_the_same_socket, PortBench) {
  BOOST_TEST(&memory.loose_port(0) == &memory.loose_port(0));
}

BOOST_FIXTURE_TEST_CASE(another_kind_is_refused_by_the_names_of_both, PortBench) {
  memory.port(0);
  memory.port<64>(1);
  for (const auto& [report, what] :
       {std::pair<std::string, const char*>{
            refusal([&] { memory.loose_port(0); }),
            "memory: port 0 was given out as port() and is now asked for as loose_port(): one port, one socket"},
        {refusal([&] { memory.port<256>(0); }), "port 0 was given out as port() and is now asked for as port<256>()"},
        {refusal([&] { memory.port(1); }), "port 1 was given out as port<64>() and is now asked for as port()"},
        {refusal([&] { memory.port<512>(1); }),
         "port 1 was given out as port<64>() and is now asked for as port<512>()"},
        {refusal([&] { memory.loose_port(1); }), "given out as port<64>() and is now asked for as loose_port()"}})
    BOOST_TEST(report.find(what) != std::string::npos, report);
  sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
  BOOST_CHECK_THROW(memory.loose_port(0), std::logic_error);
}

BOOST_AUTO_TEST_CASE(with_loose_timing_every_port_of_32_bits_is_the_loose_one) {
  PortBench bench({"timing=loose"});
  BOOST_TEST(&bench.memory.port(0) == &bench.memory.loose_port(0));
  BOOST_TEST(refusal([&] { bench.memory.port<64>(0); }).find("given out as loose_port()") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_port_beyond_the_last_is_refused_whatever_its_kind, PortBench) {
  BOOST_CHECK_THROW(memory.port(2), std::out_of_range);
  BOOST_CHECK_THROW(memory.port<64>(2), std::out_of_range);
  BOOST_CHECK_THROW(memory.loose_port(2), std::out_of_range);
}
