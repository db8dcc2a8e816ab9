// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem::port(): every shape of transaction that the generic payload allows, and what is refused.
#include "wide_host.h"

using namespace gputlm;
using namespace gputlm::test;

BOOST_FIXTURE_TEST_CASE(any_address_length_and_enables_read_back_as_written, BlockingBench) {
  run_program([this] {
    constexpr std::size_t kBytes = 4096;
    std::mt19937_64 random(1);
    std::vector<unsigned char> expected(kBytes);
    for (unsigned i = 0; i < 300; ++i) {
      const std::size_t at = random() % kBytes, most = std::min<std::size_t>(kBytes - at, 1 + random() % 600);
      const std::size_t length = 1 + random() % most;
      const std::vector<unsigned char> data = random_bytes(random, length), enables = random_enables(random, length);
      BOOST_TEST(host.write(at, data, enables) == tlm::TLM_OK_RESPONSE);
      for (std::size_t b = 0; b < length; ++b)
        if (enables.empty() || enables[b % enables.size()] != 0) expected[at + b] = data[b];
      const std::size_t from = random() % kBytes, count = 1 + random() % (kBytes - from);
      const auto seen = host.read(from, count);
      BOOST_TEST((seen == std::vector<unsigned char>(expected.begin() + static_cast<std::ptrdiff_t>(from),
                                                     expected.begin() + static_cast<std::ptrdiff_t>(from + count))));
    }
  });
}

BOOST_FIXTURE_TEST_CASE(a_read_leaves_bytes_that_are_not_enabled_alone, BlockingBench) {
  run_program([this] {
    host.write(0x1f0, {1, 2, 3, 4, 5, 6, 7, 8});
    std::vector<unsigned char> data(8, 0xaa);
    BOOST_TEST(host.call(tlm::TLM_READ_COMMAND, 0x1f0, data, {0xff, 0, 0}) == tlm::TLM_OK_RESPONSE);
    const std::vector<unsigned char> expected{1, 0xaa, 0xaa, 4, 0xaa, 0xaa, 7, 0xaa};
    BOOST_TEST(data == expected, boost::test_tools::per_element());
  });
}

BOOST_FIXTURE_TEST_CASE(with_all_bytes_disabled_nothing_happens_and_the_answer_is_ok, BlockingBench) {
  run_program([this] {
    BOOST_TEST(host.write(0x80, {1, 2, 3, 4}, {0}) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST((host.read(0x80, 4) == std::vector<unsigned char>(4)));
  });
}

BOOST_FIXTURE_TEST_CASE(a_burst_is_one_transaction_outside_and_a_line_transaction_per_line_inside, BlockingBench) {
  run_program([this] {
    host.write(100, std::vector<unsigned char>(300, 9));
    BOOST_TEST(checkers[0]->transactions() == 1U);
    BOOST_TEST(memory.wiring.checkers().back()->transactions() == 4U);  // the port's own arrow was bound last
  });
}

BOOST_FIXTURE_TEST_CASE(beyond_memory_is_an_address_error_and_writes_nothing, BlockingBench) {
  run_program([this] {
    const std::uint64_t end = config.memory_bytes();
    BOOST_TEST(host.write(end, {1}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(host.write(end - 2, {1, 2, 3, 4}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST(host.write(~std::uint64_t{0} - 1, {1, 2, 3, 4}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    BOOST_TEST((host.read(end - 2, 2) == std::vector<unsigned char>(2)));
    BOOST_TEST(host.write(end - 2, {5, 6}) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST((host.read(end - 2, 2) == std::vector<unsigned char>{5, 6}));
  });
}

BOOST_FIXTURE_TEST_CASE(a_streaming_width_below_the_length_is_a_burst_error, BlockingBench) {
  run_program([this] {
    std::vector<unsigned char> data(8, 1);
    tlm::tlm_generic_payload p;
    sc_core::sc_time t;
    p.set_write();
    p.set_address(0x100);
    p.set_data_ptr(data.data());
    p.set_data_length(8);
    p.set_streaming_width(4);
    host.socket->b_transport(p, t);
    BOOST_TEST(p.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    p.set_streaming_width(64);
    host.socket->b_transport(p, t);
    BOOST_TEST(p.get_response_status() == tlm::TLM_OK_RESPONSE);
  });
}

BOOST_FIXTURE_TEST_CASE(an_ignore_command_without_a_meaning_here_is_answered_ok, BlockingBench) {
  run_program([this] {
    std::vector<unsigned char> data(4, 3);
    BOOST_TEST(host.call(tlm::TLM_IGNORE_COMMAND, 0x40, data) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST((data == std::vector<unsigned char>(4, 3)));
    BOOST_TEST((host.read(0x40, 4) == std::vector<unsigned char>(4)));
  });
}

BOOST_FIXTURE_TEST_CASE(direct_memory_access_is_refused_with_the_refused_range, BlockingBench) {
  run_program([this] {
    tlm::tlm_generic_payload p;
    tlm::tlm_dmi dmi;
    BOOST_TEST(!host.socket->get_direct_mem_ptr(p, dmi));
    BOOST_TEST(dmi.get_start_address() == 0U);
    BOOST_TEST(dmi.get_end_address() == ~std::uint64_t{0});
  });
}

BOOST_FIXTURE_TEST_CASE(debug_access_of_any_length_is_coherent_and_takes_no_time, BlockingBench) {
  run_program([this] {
    std::mt19937_64 random(2);
    const std::vector<unsigned char> data = random_bytes(random, 700);
    host.write(77, data);
    std::vector<unsigned char> seen(700);
    tlm::tlm_generic_payload p;
    p.set_read();
    p.set_address(77);
    p.set_data_ptr(seen.data());
    p.set_data_length(700);
    p.set_streaming_width(700);
    const Fs before = now();
    BOOST_TEST(host.socket->transport_dbg(p) == 700U);
    BOOST_TEST((seen == data));
    seen.assign(700, 0x11);
    p.set_write();
    BOOST_TEST(host.socket->transport_dbg(p) == 700U);
    BOOST_TEST(now() == before);
    BOOST_TEST((host.read(77, 700) == seen));
    p.set_address(config.memory_bytes() - 10);
    BOOST_TEST(host.socket->transport_dbg(p) == 10U);
    p.set_address(config.memory_bytes());
    BOOST_TEST(host.socket->transport_dbg(p) == 0U);
  });
}

BOOST_AUTO_TEST_CASE(sockets_of_32_64_256_and_512_bits_carry_the_same_transactions) {
  PortBench bench({"sm.count=4"});
  WideHost<32> a("a");
  WideHost<64> b("b");
  WideHost<256> c("c");
  WideHost<512> d("d");
  a.socket.bind(bench.memory.port<32>(0));
  b.socket.bind(bench.memory.port<64>(1));
  c.socket.bind(bench.memory.port<256>(2));
  d.socket.bind(bench.memory.port<512>(3));
  bench.run();
  BOOST_TEST(a.right);
  BOOST_TEST(b.right);
  BOOST_TEST(c.right);
  BOOST_TEST(d.right);
  bench.expect_clean();
}

BOOST_AUTO_TEST_CASE(a_port_has_its_place_in_the_hierarchy_and_those_left_over_are_tied_off) {
  PortBench bench;
  BlockingInitiator host("host");
  host.socket.bind(bench.memory.port(1));
  BOOST_TEST(std::string(bench.memory.port(1).name()) == "memory.port1.bus");
  BOOST_CHECK_THROW(bench.memory.port(2), std::out_of_range);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  BOOST_TEST(sc_core::sc_find_object("memory.tie_off_0") != nullptr);
  BOOST_TEST(sc_core::sc_find_object("memory.tie_off_1") == nullptr);
}
