// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <tlm_utils/simple_initiator_socket.h>

#include "lsu_bench.h"

using namespace gputlm;
using namespace gputlm::lsu_test;

namespace {

/// A base-protocol initiator that knows nothing of GPUs, with blocking calls.
struct Host : sc_core::sc_module {
  explicit Host(const sc_core::sc_module_name& name) : sc_module(name), socket("socket") {}
  tlm_utils::simple_initiator_socket<Host> socket;
  std::function<void()> body;

  static void fill(Payload& p, tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data) {
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
    p.set_byte_enable_ptr(nullptr);
    p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  }
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data,
                                  unsigned char* enables = nullptr, unsigned enable_length = 0) {
    Payload p;
    fill(p, command, address, data);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(enable_length);
    sc_core::sc_time t = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, t);
    sc_core::wait(t);
    return p.get_response_status();
  }
};

/// LSU with a host at `external`; the scheduler entries stay unbound.
struct HostBench {
  HostBench() {
    host.socket.bind(lsu.external);
    lsu.line.bind(l1.socket);
    lsu.observer = &watcher;
  }
  void run(std::function<void()> body) {
    sc_core::sc_spawn(std::move(body), "host_thread");
    sc_core::sc_start();
    BOOST_TEST(lsu.idle());
    l1.arrivals.clear();
    BOOST_TEST(pool.outstanding() == 0U);
  }
  PayloadPool pool;
  Watcher watcher;
  Lsu lsu{"lsu", published_spec(), 0, pool};
  ScriptedL1 l1{"l1"};
  Host host{"host"};
};

std::vector<unsigned char> counting(std::size_t n) {
  std::vector<unsigned char> data(n);
  for (std::size_t i = 0; i < n; ++i) data[i] = static_cast<unsigned char>(i * 7 + 1);
  return data;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_plain_initiator_writes_and_reads_any_length_at_any_alignment) {
  HostBench bench;
  bench.run([&] {
    for (const std::size_t length : {1UL, 3UL, 127UL, 128UL, 129UL, 1000UL, 5000UL}) {
      auto data = counting(length);
      BOOST_TEST(bench.host.access(tlm::TLM_WRITE_COMMAND, 0x10000 * length + 61, data) == tlm::TLM_OK_RESPONSE);
      std::vector<unsigned char> back(length);
      BOOST_TEST(bench.host.access(tlm::TLM_READ_COMMAND, 0x10000 * length + 61, back) == tlm::TLM_OK_RESPONSE);
      BOOST_TEST((back == data), "length " << length);
    }
    BOOST_TEST(sc_core::sc_time_stamp() > sc_core::SC_ZERO_TIME);
  });
}

BOOST_AUTO_TEST_CASE(a_plain_initiators_lines_are_relaxed_sys) {
  HostBench bench;
  bench.run([&] {
    auto data = counting(200);
    bench.host.access(tlm::TLM_WRITE_COMMAND, 0x1040, data);
    BOOST_TEST(bench.l1.arrivals.size() == 3U);
    for (const auto& arrival : bench.l1.arrivals) {
      const Sideband& s = *find_sideband(*arrival.payload);
      BOOST_TEST((s.semantics == Semantics::relaxed && s.scope == Scope::sys));
    }
    BOOST_TEST((bench.l1.arrivals[0].mask == ByteMask::range(64, 64)));
    BOOST_TEST((bench.l1.arrivals[2].mask == ByteMask::range(0, 8)));
  });
}

BOOST_AUTO_TEST_CASE(byte_enables_of_any_length_are_honoured) {
  HostBench bench;
  bench.run([&] {
    auto data = counting(300);
    unsigned char enables[] = {0xff, 0x00, 0xff};
    BOOST_TEST(bench.host.access(tlm::TLM_WRITE_COMMAND, 0x2003, data, enables, 3) == tlm::TLM_OK_RESPONSE);
    for (unsigned i = 0; i < 300; ++i) BOOST_REQUIRE_EQUAL(bench.l1.byte(0x2003 + i), i % 3 == 1 ? 0 : data[i]);
    std::vector<unsigned char> back(300, 0xee);
    unsigned char every_other[] = {0x00, 0xff};
    BOOST_TEST(bench.host.access(tlm::TLM_READ_COMMAND, 0x2003, back, every_other, 2) == tlm::TLM_OK_RESPONSE);
    for (unsigned i = 0; i < 300; ++i) BOOST_REQUIRE_EQUAL(back[i], i % 2 == 0 ? 0xee : bench.l1.byte(0x2003 + i));
  });
}

BOOST_AUTO_TEST_CASE(lines_without_an_enabled_byte_are_not_sent) {
  HostBench bench;
  bench.run([&] {
    auto data = counting(512);
    std::vector<unsigned char> enables(512, 0);
    BOOST_TEST(bench.host.access(tlm::TLM_WRITE_COMMAND, 0x3000, data, enables.data(), 512) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(bench.l1.arrivals.empty());
    enables[200] = 0xff;
    BOOST_TEST(bench.host.access(tlm::TLM_WRITE_COMMAND, 0x3000, data, enables.data(), 512) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(bench.l1.arrivals.size() == 1U);
    BOOST_TEST(bench.l1.byte(0x3000 + 200) == data[200]);
  });
}

BOOST_AUTO_TEST_CASE(a_plain_initiators_mistakes_get_their_status) {
  HostBench bench;
  bench.run([&] {
    auto data = counting(64);
    BOOST_TEST(bench.host.access(tlm::TLM_IGNORE_COMMAND, 0, data) == tlm::TLM_COMMAND_ERROR_RESPONSE);
    BOOST_TEST(bench.host.access(tlm::TLM_READ_COMMAND, ~0ULL - 5, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    Payload streaming;
    Host::fill(streaming, tlm::TLM_WRITE_COMMAND, 0, data);
    streaming.set_streaming_width(16);
    sc_core::sc_time t = sc_core::SC_ZERO_TIME;
    bench.host.socket->b_transport(streaming, t);
    BOOST_TEST(streaming.get_response_status() == tlm::TLM_BURST_ERROR_RESPONSE);
    bench.l1.status = [](const Payload&) { return tlm::TLM_ADDRESS_ERROR_RESPONSE; };
    BOOST_TEST(bench.host.access(tlm::TLM_READ_COMMAND, 0x5000, data) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  });
}

BOOST_AUTO_TEST_CASE(debug_access_goes_down_line_by_line_and_takes_no_time) {
  HostBench bench;
  bench.run([&] {
    auto data = counting(700);
    Payload p;
    Host::fill(p, tlm::TLM_WRITE_COMMAND, 0x4010, data);
    BOOST_TEST(bench.host.socket->transport_dbg(p) == 700U);
    std::vector<unsigned char> back(700, 0);
    unsigned char enables[] = {0xff, 0xff, 0x00};
    Host::fill(p, tlm::TLM_READ_COMMAND, 0x4010, back);
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(3);
    BOOST_TEST(bench.host.socket->transport_dbg(p) == 700U);
    for (unsigned i = 0; i < 700; ++i) BOOST_REQUIRE_EQUAL(back[i], i % 3 == 2 ? 0 : data[i]);
    BOOST_TEST(bench.l1.arrivals.empty());
    BOOST_TEST((sc_core::sc_time_stamp() == sc_core::SC_ZERO_TIME));
  });
}

BOOST_AUTO_TEST_CASE(direct_memory_access_is_refused) {
  HostBench bench;
  bench.run([&] {
    Payload p;
    tlm::tlm_dmi dmi;
    BOOST_TEST(!bench.host.socket->get_direct_mem_ptr(p, dmi));
  });
}
