// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem::port(): extensions of the caller's, this project's and foreign ones.
#include "port_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

struct Foreign : tlm::tlm_extension<Foreign> {
  tlm::tlm_extension_base* clone() const override { return new Foreign(*this); }
  void copy_from(const tlm::tlm_extension_base& from) override { *this = static_cast<const Foreign&>(from); }
  int value = 7;
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(foreign_extensions_stay_on_the_callers_payload_untouched, BlockingBench) {
  run_program([this] {
    std::vector<unsigned char> data(200, 5);
    Foreign foreign;
    tlm::tlm_generic_payload p;
    p.set_write();
    p.set_address(0x3c0);
    p.set_data_ptr(data.data());
    p.set_data_length(200);
    p.set_streaming_width(200);
    p.set_extension(&foreign);
    sc_core::sc_time t;
    host.socket->b_transport(p, t);
    BOOST_TEST(p.is_response_ok());
    BOOST_TEST(p.get_extension<Foreign>() == &foreign);
    BOOST_TEST(foreign.value == 7);
    BOOST_TEST(p.get_extension<Sideband>() == nullptr);
    BOOST_TEST(p.get_address() == 0x3c0U);
    p.clear_extension(&foreign);
  });
}

BOOST_FIXTURE_TEST_CASE(a_sideband_asks_for_an_atomic_and_gets_the_old_value, BlockingBench) {
  run_program([this] {
    host.write(0x204, {5, 0, 0, 0});
    std::vector<unsigned char> data{3, 0, 0, 0};
    Sideband sideband;
    sideband.operation = Operation::atomic;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_IGNORE_COMMAND);
    p.set_address(0x204);
    p.set_data_ptr(data.data());
    p.set_data_length(4);
    p.set_streaming_width(4);
    p.set_extension(&sideband);
    sc_core::sc_time t;
    host.socket->b_transport(p, t);
    sc_core::wait(t);
    BOOST_TEST(p.is_response_ok());
    BOOST_TEST(sideband.executed);
    BOOST_TEST(data[0] == 5);
    BOOST_TEST(host.read(0x204, 1)[0] == 8);
    p.clear_extension(&sideband);
  });
}

BOOST_FIXTURE_TEST_CASE(a_compare_and_swap_carries_new_values_and_then_those_to_compare_with, BlockingBench) {
  run_program([this] {
    host.write(0x204, {5, 0, 0, 0, 6, 0, 0, 0});
    std::vector<unsigned char> data{9, 0, 0, 0, 9, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0};
    Sideband sideband;
    sideband.operation = Operation::atomic;
    sideband.function = AtomicFunction::compare_and_swap;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_IGNORE_COMMAND);
    p.set_address(0x204);
    p.set_data_ptr(data.data());
    p.set_data_length(16);
    p.set_streaming_width(16);
    p.set_extension(&sideband);
    sc_core::sc_time t;
    host.socket->b_transport(p, t);
    sc_core::wait(t);
    BOOST_TEST(p.is_response_ok());
    BOOST_TEST(data[0] == 5);
    BOOST_TEST(data[4] == 6);
    BOOST_TEST(host.read(0x204, 1)[0] == 9);
    BOOST_TEST(host.read(0x208, 1)[0] == 6);
    p.clear_extension(&sideband);
  });
}

BOOST_FIXTURE_TEST_CASE(a_command_that_does_not_fit_its_sideband_is_a_command_error, BlockingBench) {
  run_program([this] {
    std::vector<unsigned char> data(4);
    for (const Operation operation : {Operation::load, Operation::fence, Operation::l1_invalidate}) {
      Sideband sideband;
      sideband.operation = operation;
      tlm::tlm_generic_payload p;
      p.set_command(operation == Operation::load ? tlm::TLM_WRITE_COMMAND : tlm::TLM_IGNORE_COMMAND);
      p.set_data_ptr(data.data());
      p.set_data_length(4);
      p.set_streaming_width(4);
      p.set_extension(&sideband);
      sc_core::sc_time t;
      host.socket->b_transport(p, t);
      BOOST_TEST(p.get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE);
      p.clear_extension(&sideband);
    }
  });
}

BOOST_FIXTURE_TEST_CASE(a_system_barrier_is_answered_by_the_hosts_ordering_point, BlockingBench) {
  run_program([this] {
    unsigned char none = 0;
    Sideband sideband;
    sideband.operation = Operation::system_barrier;
    tlm::tlm_generic_payload p;
    p.set_command(tlm::TLM_IGNORE_COMMAND);
    p.set_data_ptr(&none);
    p.set_data_length(1);
    p.set_streaming_width(1);
    p.set_extension(&sideband);
    sc_core::sc_time t;
    const Fs before = now();
    host.socket->b_transport(p, t);
    BOOST_TEST(p.is_response_ok());
    BOOST_TEST(sideband.executed);
    BOOST_TEST(now() + to_fs(t) - before >= config.host.ordering_round_trip);
    p.clear_extension(&sideband);
  });
}
