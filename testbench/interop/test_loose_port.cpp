// SPDX-License-Identifier: Apache-2.0
//
// MemorySystem::loose_port(): the same results as port(), no waiting, and times that lie near.
#include "port_bench.h"
//
#include <cmath>

#include <tlm_utils/tlm_quantumkeeper.h>

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// A program of accesses that keeps its own time, ahead of the simulation's by up to a quantum.
class Program : public sc_core::sc_module {
 public:
  using Body = std::function<void(Program&)>;
  Program(const sc_core::sc_module_name& name, Body body) : sc_module(name), body_(std::move(body)) {
    GPUTLM_HAS_PROCESS(Program);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<Program> socket{"socket"};
  std::vector<unsigned char> seen;
  Fs time = 0;  ///< Its own.

  void access(bool reads, std::uint64_t address, std::vector<unsigned char> data) {
    tlm::tlm_generic_payload p;
    p.set_command(reads ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
    sc_core::sc_time ahead = to_sc_time(time - now());
    const Fs before = now();
    socket->b_transport(p, ahead);
    if (now() != before) ++waits;
    time = now() + to_fs(ahead);
    BOOST_TEST(p.is_response_ok());
    if (reads) seen.insert(seen.end(), data.begin(), data.end());
    if (time - now() > from_ns(1000)) sc_core::wait(to_sc_time(time - now()));
  }
  unsigned waits = 0;  ///< Calls that let the simulation go on.

 private:
  void run() { body_(*this); }
  const Body body_;
};

void mixed(Program& p, std::uint64_t base) {
  std::mt19937_64 random(base);
  for (unsigned i = 0; i < 400; ++i) {
    const std::uint64_t at = base + random() % 65536;
    const std::size_t length = 1 + random() % 200;
    p.access(random() % 2 != 0, at, random_bytes(random, length));
  }
}

/// The same bodies on a loosely timed memory system and on an approximately timed one.
struct Comparison {
  Config config = Config::load("tiny");
  MemorySystem loose{"loose", config}, exact{"exact", config};
  std::vector<std::unique_ptr<Program>> on_loose, on_exact;

  void add(const Program::Body& body) {
    const std::string n = std::to_string(on_loose.size());
    on_loose.push_back(std::make_unique<Program>(("l" + n).c_str(), body));
    on_exact.push_back(std::make_unique<Program>(("e" + n).c_str(), body));
    on_loose.back()->socket.bind(loose.loose_port(on_loose.size() - 1));
    on_exact.back()->socket.bind(exact.port(on_exact.size() - 1));
  }
  /// How far the loose times lie from the exact ones, in percent.
  double run() {
    sc_core::sc_start();
    double error = 0;
    for (std::size_t i = 0; i < on_loose.size(); ++i) {
      BOOST_TEST((on_loose[i]->seen == on_exact[i]->seen));
      BOOST_TEST(on_loose[i]->waits == 0U);
      BOOST_TEST_MESSAGE("loose " << to_ns(on_loose[i]->time) << " ns, exact " << to_ns(on_exact[i]->time) << " ns");
      const double exact_time = to_ns(on_exact[i]->time);
      error = std::max(error, std::abs(to_ns(on_loose[i]->time) - exact_time) / exact_time * 100);
    }
    BOOST_TEST(loose.idle());
    return error;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(mixed_accesses_of_two_programs_see_the_same_data_and_end_near_the_exact_time) {
  Comparison c;
  c.add([](Program& p) { mixed(p, 0x100000); });
  c.add([](Program& p) { mixed(p, 0x200000); });
  BOOST_TEST(c.run() < 5.0);
}

BOOST_AUTO_TEST_CASE(a_chain_of_misses_and_a_chain_of_hits_take_the_unloaded_latencies) {
  Comparison c;
  c.add([](Program& p) {
    for (unsigned round = 0; round < 2; ++round)
      for (unsigned i = 0; i < 200; ++i) p.access(true, i * 4096, std::vector<unsigned char>(4));
  });
  BOOST_TEST(c.run() < 5.0);
}

BOOST_AUTO_TEST_CASE(long_bursts_come_at_the_rate_of_their_port) {
  Comparison c;
  c.add([](Program& p) {
    for (unsigned i = 0; i < 20; ++i) p.access(false, i * 8192, std::vector<unsigned char>(8192, 1));
    for (unsigned i = 0; i < 20; ++i) p.access(true, i * 8192, std::vector<unsigned char>(8192));
  });
  BOOST_TEST(c.run() < 15.0);
}

BOOST_AUTO_TEST_CASE(loose_and_exact_ports_of_one_system_are_coherent) {
  PortBench bench;
  BlockingInitiator loose("loose"), exact("exact");
  loose.socket.bind(bench.memory.loose_port(0));
  bench.connect(exact.socket, 1);
  exact.program = [&] {
    exact.write(0x1000, std::vector<unsigned char>(300, 1));
    BOOST_TEST((loose.read(0x1000, 300) == std::vector<unsigned char>(300, 1)));
    loose.write(0x1010, std::vector<unsigned char>(50, 2));
    BOOST_TEST((exact.read(0x1010, 50) == std::vector<unsigned char>(50, 2)));
  };
  bench.run();
  BOOST_TEST(exact.finished);
  bench.expect_clean();
}

namespace {

/// A program on a loose port, and how long a read of its takes.
struct LooseBench : PortBench {
  LooseBench() { host.socket.bind(memory.loose_port(0)); }
  BlockingInitiator host{"host"};

  Fs time_of_read(std::uint64_t address) {
    const Fs start = now();
    host.read(address, 4);
    return now() - start;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(after_a_reset_the_estimate_is_cold_again, LooseBench) {
  host.program = [this] {
    const Fs cold = time_of_read(0x1000), warm = time_of_read(0x1000);
    BOOST_TEST(cold > warm + from_ns(50));
    memory.reset();
    BOOST_TEST(time_of_read(0x1000) > warm + from_ns(50));
    BOOST_TEST(time_of_read(0x1000) < warm + from_ns(50));
  };
  run();
  BOOST_TEST(host.finished);
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(an_access_with_all_bytes_disabled_takes_no_time_and_warms_nothing, LooseBench) {
  host.program = [this] {
    std::vector<unsigned char> data(300, 7);
    for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
      const Fs start = now();
      BOOST_TEST(host.call(command, 0x1000, data, {0}) == tlm::TLM_OK_RESPONSE);
      BOOST_TEST(now() == start);
    }
    const Fs cold = time_of_read(0x1000);
    BOOST_TEST(cold > time_of_read(0x1000) + from_ns(50));
  };
  run();
  BOOST_TEST(host.finished);
  expect_clean();
}

BOOST_AUTO_TEST_CASE(what_a_loose_port_refuses_an_exact_one_refuses_too) {
  PortBench bench;
  BlockingInitiator host("host");
  host.socket.bind(bench.memory.loose_port(0));
  host.program = [&] {
    const std::uint64_t end = bench.config.memory_bytes();
    BOOST_TEST(host.write(end - 1, {1, 2}) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    std::vector<unsigned char> data(4);
    BOOST_TEST(host.call(tlm::TLM_IGNORE_COMMAND, 0, data) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST(host.write(0x80, {1, 2, 3}, {0xff, 0}) == tlm::TLM_OK_RESPONSE);
    BOOST_TEST((host.read(0x80, 3) == std::vector<unsigned char>{1, 0, 3}));
  };
  bench.run();
  BOOST_TEST(host.finished);
  bench.expect_clean();
}
