// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <stdexcept>

#include "gputlm/host/system_memory.h"
#include "gputlm/test_support/script_units.h"

using namespace gputlm;

namespace {

struct Bench : SystemMemoryObserver {
  Bench() : memory("memory", {1 << 20, 90 * kFsPerNs}), source("source") {
    source.socket.bind(memory.requests);
    memory.observer = this;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  void on_device_write(std::uint64_t line, ByteMask bytes) override { seen.emplace_back(line, bytes.count()); }

  PayloadRef line(tlm::tlm_command command, std::uint64_t address, ByteMask mask = ByteMask::full()) {
    PayloadRef p = pool.line(command, address, command == tlm::TLM_READ_COMMAND ? Operation::load : Operation::store);
    std::fill_n(p->get_data_ptr(), kLineBytes, static_cast<unsigned char>(0x5a));
    set_enables(*p, mask);
    return p;
  }

  PayloadPool pool;
  SystemMemory memory;
  ScriptInitiator source;
  std::vector<std::pair<std::uint64_t, unsigned>> seen;
};

}  // namespace

BOOST_AUTO_TEST_CASE(the_cpu_reads_back_what_it_wrote_across_pages_and_zeros_elsewhere) {
  Bench b;
  std::vector<unsigned char> out(10000), in(10000, 1);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(i * 7 + 1);
  b.memory.write(4000, out.data(), out.size());
  b.memory.read(4000, in.data(), in.size());
  BOOST_TEST((in == out));
  b.memory.read(500000, in.data(), in.size());
  BOOST_TEST(std::count(in.begin(), in.end(), 0) == 10000);
  BOOST_CHECK_THROW(b.memory.read((1 << 20) - 1, in.data(), 2), std::out_of_range);
  BOOST_CHECK_THROW(b.memory.write(~std::uint64_t{0}, in.data(), 2), std::out_of_range);
}

BOOST_AUTO_TEST_CASE(a_read_is_answered_after_the_latency_with_the_bytes_that_stood_there_when_it_came) {
  Bench b;
  const unsigned char before = 0x11, after = 0x22;
  b.memory.write(0x1003, &before, 1);
  const PayloadRef p = b.line(tlm::TLM_READ_COMMAND, 0x1000);
  b.source.send(p);
  run_until(1);
  b.memory.write(0x1003, &after, 1);
  run_until(90 * kFsPerNs - 1);
  BOOST_TEST(b.source.log.size() == 1U);
  BOOST_TEST(!b.memory.idle());
  run_until(90 * kFsPerNs);
  BOOST_TEST(b.source.log.back() == "responded 1000 at 90000000");
  BOOST_TEST(p->get_data_ptr()[3] == 0x11);
  BOOST_TEST(p->get_data_ptr()[4] == 0);
  BOOST_TEST(b.memory.idle());
}

BOOST_AUTO_TEST_CASE(a_write_changes_its_bytes_at_once_and_the_cpu_is_told) {
  Bench b;
  b.source.send(b.line(tlm::TLM_WRITE_COMMAND, 0x80, ByteMask::range(16, 4)));
  run_until(1);
  unsigned char data[8];
  b.memory.read(0x80 + 14, data, 8);
  BOOST_TEST(data[1] == 0);
  BOOST_TEST(data[2] == 0x5a);
  BOOST_TEST(data[5] == 0x5a);
  BOOST_TEST(data[6] == 0);
  BOOST_TEST(b.seen.size() == 1U);
  BOOST_TEST(b.seen[0].first == 0x80U);
  BOOST_TEST(b.seen[0].second == 4U);
}

BOOST_AUTO_TEST_CASE(what_lies_beyond_the_memory_or_is_no_load_or_store_is_refused) {
  Bench b;
  b.source.send(b.line(tlm::TLM_READ_COMMAND, 1 << 20));
  b.source.send(b.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::atomic));
  run_until(1);
  BOOST_TEST(b.source.log.size() == 2U);
  BOOST_TEST(b.source.log[0] == "responded 100000 at 0 TLM_ADDRESS_ERROR_RESPONSE");
  BOOST_TEST(b.source.log[1] == "responded 0 at 0 TLM_COMMAND_ERROR_RESPONSE");
}

BOOST_AUTO_TEST_CASE(debug_access_takes_no_time_and_a_debug_write_is_announced) {
  Bench b;
  const PayloadRef w = b.line(tlm::TLM_WRITE_COMMAND, 0x100);
  BOOST_TEST(b.source.socket->transport_dbg(*w) == 128U);
  BOOST_TEST(b.source.log.back() == "written 100 to 17f");
  const PayloadRef r = b.line(tlm::TLM_READ_COMMAND, 0x100);
  r->get_data_ptr()[5] = 0;
  BOOST_TEST(b.source.socket->transport_dbg(*r) == 128U);
  BOOST_TEST(r->get_data_ptr()[5] == 0x5a);
  const PayloadRef beyond = b.line(tlm::TLM_READ_COMMAND, 1 << 20);
  BOOST_TEST(b.source.socket->transport_dbg(*beyond) == 0U);
}

BOOST_AUTO_TEST_CASE(reset_forgets_reads_under_way_and_keeps_the_contents) {
  Bench b;
  const unsigned char value = 9;
  b.memory.write(0, &value, 1);
  b.source.send(b.line(tlm::TLM_READ_COMMAND, 0));
  run_until(10);
  b.memory.reset();
  BOOST_TEST(b.memory.idle());
  run_until(100 * kFsPerNs);
  BOOST_TEST(b.source.log.size() == 1U);
  unsigned char now_there = 0;
  b.memory.read(0, &now_there, 1);
  BOOST_TEST(now_there == 9);
}
