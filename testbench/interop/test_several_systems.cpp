// SPDX-License-Identifier: Apache-2.0
//
// Several memory systems and several cards in one simulation: they share nothing.
#include "gputlm/system/gpu.h"
#include "port_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

BuildOptions checked() {
  BuildOptions options;
  options.check_protocol = true;
  return options;
}

/// Writes a pattern of its own, waits, and reads it back.
void write_and_read(BlockingInitiator& host, std::uint64_t base, unsigned char pattern) {
  for (unsigned i = 0; i < 32; ++i)
    BOOST_TEST(host.write(base + i * 500, std::vector<unsigned char>(200, pattern)) == tlm::TLM_OK_RESPONSE);
  sc_core::wait(10, sc_core::SC_US);
  for (unsigned i = 0; i < 32; ++i)
    BOOST_TEST((host.read(base + i * 500, 200) == std::vector<unsigned char>(200, pattern)));
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_memory_systems_of_different_configurations_share_nothing) {
  const Config small = Config::load("tiny"),
               fast = Config::load("tiny", {"crossbar.request_latency=1ns", "sm.count=4"});
  MemorySystem a("a", small, checked()), b("b", fast, checked());
  BlockingInitiator host_a("host_a"), host_b("host_b");
  host_a.socket.bind(a.port(1));
  host_b.socket.bind(b.port(3));
  Fs end_a = 0, end_b = 0;
  host_a.program = [&] {
    write_and_read(host_a, 0x1000, 1);
    end_a = now();
  };
  host_b.program = [&] {
    write_and_read(host_b, 0x1000, 2);
    end_b = now();
  };
  sc_core::sc_start();
  BOOST_TEST(host_a.finished);
  BOOST_TEST(host_b.finished);
  BOOST_TEST(end_b < end_a);
  is_clean(a, a.wiring.log());
  is_clean(b, b.wiring.log());
}

BOOST_AUTO_TEST_CASE(two_cards_run_side_by_side_as_they_would_alone) {
  const Config config = Config::load("tiny");
  Gpu a("a", config, checked()), b("b", config, checked());
  BlockingInitiator host_a("host_a"), host_b("host_b");
  host_a.socket.bind(a.sms[0]->lsu.external);
  host_b.socket.bind(b.sms[1]->lsu.external);
  a.pages.map(std::uint64_t{1} << 40U, 0, config.mmu.page_bytes);
  b.pages.map(std::uint64_t{1} << 40U, config.mmu.page_bytes, config.mmu.page_bytes);
  Fs end_a = 0, end_b = 0;
  host_a.program = [&] {
    write_and_read(host_a, std::uint64_t{1} << 40U, 1);
    end_a = now();
  };
  host_b.program = [&] {
    write_and_read(host_b, std::uint64_t{1} << 40U, 2);
    end_b = now();
  };
  sc_core::sc_start();
  BOOST_TEST(host_a.finished);
  BOOST_TEST(host_b.finished);
  BOOST_TEST(a.idle());
  BOOST_TEST(b.idle());
  BOOST_TEST(end_a == end_b);
  std::array<unsigned char, kLineBytes> line{};
  BOOST_TEST(a.mem.debug_read(config.mmu.page_bytes, line.data()));
  BOOST_TEST(line[0] == 0);
  BOOST_TEST(b.mem.debug_read(config.mmu.page_bytes, line.data()));
  BOOST_TEST(line[0] == 2);
  is_clean(a.mem, a.mem.wiring.log());
  is_clean(b.mem, b.mem.wiring.log());
}
