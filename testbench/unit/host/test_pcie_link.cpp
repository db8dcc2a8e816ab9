// SPDX-License-Identifier: Apache-2.0
//
// The link against closed forms. At 32 bytes per ns a header of 32 bytes takes 1 ns, a line of data 4 ns; the latency
// each way is (740 - 2) / 2 = 369 ns.
#include "gputlm/test_support/sc_test.h"

#include "link_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

constexpr Fs ns = kFsPerNs;
constexpr Fs kHeader = 1 * ns, kLine = 4 * ns, kLatency = 369 * ns, kMemory = 90 * ns;

}  // namespace

BOOST_AUTO_TEST_CASE(a_barrier_on_an_idle_link_takes_the_measured_round_trip_to_the_femtosecond) {
  LinkBench b;
  const PayloadRef p = b.barrier();
  b.a.queue(p);
  run_until(740 * ns - 1);
  BOOST_TEST(b.a.answered.empty());
  run_until(740 * ns);
  BOOST_TEST(b.a.answered.count(p.get()) == 1U);
  BOOST_TEST(find_sideband(*p)->executed);
  BOOST_TEST(p->is_response_ok());
  BOOST_TEST(b.link.idle());
}

BOOST_AUTO_TEST_CASE(a_barrier_takes_it_with_the_cards_odd_rate_too) {
  HostSpec spec = host_spec();
  spec.pcie.encoding = 128.0 / 130;
  spec.pcie.usable_share = 0.909;
  spec.pcie.packet_overhead = 26;
  LinkBench b(spec);
  b.a.queue(b.barrier());
  run_until(740 * ns - 1);
  BOOST_TEST(b.a.answered.empty());
  run_until(740 * ns);
  BOOST_TEST(b.a.answered.size() == 1U);
}

BOOST_AUTO_TEST_CASE(a_lone_read_takes_both_ways_the_memory_and_its_bytes) {
  LinkBench b;
  const unsigned char value = 0x77;
  b.memory.write(0x1005, &value, 1);
  const PayloadRef p = b.read(0x1000);
  b.a.queue(p);
  const Fs expected = kHeader + kLatency + kMemory + kHeader + kLine + kLatency;
  run_until(expected - 1);
  BOOST_TEST(b.a.answered.empty());
  run_until(expected);
  BOOST_TEST(b.a.answered.count(p.get()) == 1U);
  BOOST_TEST(p->get_data_ptr()[5] == 0x77);
  BOOST_TEST(expected > 700 * ns);
  BOOST_TEST(expected < 1000 * ns);
}

BOOST_AUTO_TEST_CASE(a_store_is_answered_at_once_and_in_memory_one_way_later) {
  LinkBench b;
  const PayloadRef p = b.write(0x80, 0x33);
  b.a.queue(p);
  run_until(1);
  BOOST_TEST(b.a.answered.at(p.get()) == 0);
  std::fill_n(p->get_data_ptr(), kLineBytes, static_cast<unsigned char>(0));  // its initiator's again
  const Fs arrival = kHeader + kLine + kLatency;
  run_until(arrival - 1);
  BOOST_TEST(b.byte_at(0x80) == 0);
  run_until(arrival);
  BOOST_TEST(b.byte_at(0x80) == 0x33);
}

BOOST_AUTO_TEST_CASE(a_stream_of_stores_fills_packets_of_256_bytes) {
  LinkBench b;
  constexpr unsigned kLines = 2000;
  for (unsigned i = 0; i < kLines; ++i) b.a.queue(b.write(i * kLineBytes, 1));
  const Fs expected = kLines / 2 * kHeader + kLines * kLine + kLatency;
  run_until(expected - 1);
  BOOST_TEST(b.byte_at((kLines - 1) * kLineBytes) == 0);
  run_until(expected);
  BOOST_TEST(b.byte_at((kLines - 1) * kLineBytes) == 1);
  BOOST_TEST(b.link.stream_bytes_per_ns() == 32.0 * 256 / 288, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(the_cards_link_streams_some_26_gb_per_second_and_read_requests_share_the_way_up_with_stores) {
  HostSpec spec = host_spec();
  spec.pcie.encoding = 128.0 / 130;
  spec.pcie.usable_share = 0.909;
  spec.pcie.packet_overhead = 26;
  LinkBench b(spec);
  constexpr unsigned kLines = 8000;
  PayloadRef last;
  for (unsigned i = 0; i < kLines; ++i) b.a.queue(b.write(i * kLineBytes, 1));
  for (unsigned i = 0; i < kLines; ++i) b.b.queue(last = b.read((std::uint64_t{1} << 29) + i * kLineBytes));
  sc_core::sc_start();
  const double read_rate = kLines * 128.0 / to_ns(b.b.answered.at(last.get()) - 830 * ns);
  const double stream = b.link.stream_bytes_per_ns();
  BOOST_TEST(stream == 26.0, boost::test_tools::tolerance(0.005));
  BOOST_TEST(read_rate == stream * (256 + 26) / (256 + 26 + 26), boost::test_tools::tolerance(0.01));
  BOOST_TEST(b.link.idle());
}

BOOST_AUTO_TEST_CASE(a_store_with_holes_takes_a_packet_for_each_run_of_bytes) {
  LinkBench b;
  ByteMask mask = ByteMask::range(1, 2) | ByteMask::range(8, 8) | ByteMask::range(100, 1);
  b.a.queue(b.write(0, 1, mask));
  b.a.queue(b.write(0x4000, 2));
  // Dwords: 1, 2 and 1 of them in three packets, then the other line.
  const Fs expected = 3 * kHeader + 16 * ns / 32 + kHeader + kLine + kLatency;
  run_until(expected - 1);
  BOOST_TEST(b.byte_at(0x4000) == 0);
  run_until(expected);
  BOOST_TEST(b.byte_at(0x4000) == 2);
  BOOST_TEST(b.byte_at(0) == 0);
  BOOST_TEST(b.byte_at(1) == 1);
  BOOST_TEST(b.byte_at(100) == 1);
}

BOOST_AUTO_TEST_CASE(a_request_that_is_no_line_or_no_load_store_or_barrier_is_refused_at_the_door) {
  LinkBench b;
  const PayloadRef odd = b.read(0x84), atomic = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::atomic);
  b.a.queue(odd);
  b.a.queue(atomic);
  run_until(1);
  BOOST_TEST((odd->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE));
  BOOST_TEST((atomic->get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE));
}

BOOST_AUTO_TEST_CASE(a_read_beyond_the_hosts_memory_comes_back_with_its_error_and_a_store_is_counted) {
  LinkBench b;
  const std::uint64_t beyond = std::uint64_t{1} << 30;
  const PayloadRef r = b.read(beyond);
  b.a.queue(b.write(beyond, 1));
  b.a.queue(r);
  sc_core::sc_start();
  BOOST_TEST((r->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE));
  struct Sink : StatisticsSink {
    std::uint64_t refused = 0;
    void count(std::string_view name, std::string_view, std::string_view, std::uint64_t value) override {
      if (name == "up_refused") refused = value;
    }
    void value(std::string_view, std::string_view, std::string_view, double) override {}
    void histogram(std::string_view, std::string_view, const Histogram&) override {}
  } sink;
  b.link.report(sink);
  BOOST_TEST(sink.refused == 1U);
}

BOOST_AUTO_TEST_CASE(debug_access_goes_across_and_debug_writes_are_announced_to_every_port) {
  LinkBench b;
  const PayloadRef w = b.write(0x200, 0x44);
  BOOST_TEST(b.a.out->transport_dbg(*w) == 128U);
  BOOST_TEST(b.byte_at(0x200) == 0x44);
  BOOST_TEST(b.a.written.size() == 1U);
  BOOST_TEST(b.b.written.size() == 1U);
  BOOST_TEST(b.cpu.written.empty());
}
