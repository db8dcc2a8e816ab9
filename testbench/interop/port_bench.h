// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/test_support/sc_test.h"
//
#include <random>
#include <string>

#include "at_initiator.h"
#include "gputlm/config/config.h"
#include "gputlm/system/memory_system.h"

namespace gputlm::test {

/// Nothing is left anywhere, and no rule of the base protocol was broken.
inline void is_clean(const MemorySystem& memory, ViolationLog& log) {
  BOOST_TEST(memory.idle());
  const WaitList waits = memory.waits();
  for (const Wait& w : waits.all()) BOOST_TEST(false, w.unit << ": " << w.text());
  BOOST_TEST(memory.pool.outstanding() == 0U);
  for (const Violation& v : log.violations())
    BOOST_TEST(false, v.arrow << ": " << name_of(v.rule) << ' ' << v.payload << ' ' << v.detail);
}

/// The small card's memory system, every arrow checked.
struct PortBench {
  explicit PortBench(const std::vector<std::string>& overrides = {}) : config(Config::load("tiny", overrides)) {}
  Config config;
  MemorySystem memory{"memory", config, checked()};
  std::vector<std::unique_ptr<ProtocolChecker>> checkers;

  /// Binds an initiator to a port, with a checker between.
  template <class Initiator>
  void connect(Initiator& initiator, std::size_t port) {
    const std::string name = "outside" + std::to_string(checkers.size());
    checkers.push_back(std::make_unique<ProtocolChecker>(name.c_str(), memory.wiring.log()));
    checkers.back()->connect(initiator, memory.port(port));
  }
  void run() { sc_core::sc_start(); }
  void expect_clean() { is_clean(memory, memory.wiring.log()); }

 private:
  static BuildOptions checked() {
    BuildOptions options;
    options.check_protocol = true;
    return options;
  }
};

/// A program on an initiator of plain b_transport calls.
class BlockingInitiator : public sc_core::sc_module {
 public:
  explicit BlockingInitiator(const sc_core::sc_module_name& name) : sc_module(name) {
    GPUTLM_HAS_PROCESS(BlockingInitiator);
    SC_THREAD(run);
  }
  tlm_utils::simple_initiator_socket<BlockingInitiator> socket{"socket"};
  std::function<void()> program;
  bool finished = false;

  /// As a third party makes a payload: no manager, no extension.
  tlm::tlm_response_status call(tlm::tlm_command command, std::uint64_t address, std::vector<unsigned char>& data,
                                std::vector<unsigned char> enables = {}) {
    tlm::tlm_generic_payload p;
    p.set_command(command);
    p.set_address(address);
    p.set_data_ptr(data.data());
    p.set_data_length(static_cast<unsigned>(data.size()));
    p.set_streaming_width(static_cast<unsigned>(data.size()));
    p.set_byte_enable_ptr(enables.empty() ? nullptr : enables.data());
    p.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    sc_core::sc_time t = sc_core::SC_ZERO_TIME;
    socket->b_transport(p, t);
    if (t != sc_core::SC_ZERO_TIME) sc_core::wait(t);
    return p.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, std::vector<unsigned char> data,
                                 std::vector<unsigned char> enables = {}) {
    return call(tlm::TLM_WRITE_COMMAND, address, data, std::move(enables));
  }
  std::vector<unsigned char> read(std::uint64_t address, std::size_t bytes) {
    std::vector<unsigned char> data(bytes, 0xee);
    const tlm::tlm_response_status status = call(tlm::TLM_READ_COMMAND, address, data);
    BOOST_TEST(status == tlm::TLM_OK_RESPONSE);
    return data;
  }

 private:
  void run() {
    if (program) program();
    finished = true;
  }
};

/// A program on port 0, from its start to the end of the simulation.
struct BlockingBench : PortBench {
  BlockingBench() { connect(host.socket, 0); }
  BlockingInitiator host{"host"};

  template <class Program>
  void run_program(Program program) {
    host.program = program;
    run();
    BOOST_TEST(host.finished);
    expect_clean();
  }
};

inline std::vector<unsigned char> random_bytes(std::mt19937_64& random, std::size_t count) {
  std::vector<unsigned char> bytes(count);
  for (unsigned char& b : bytes) b = static_cast<unsigned char>(random());
  return bytes;
}
/// None, or some of any length: the whole of the data, less, or a few bytes that repeat.
inline std::vector<unsigned char> random_enables(std::mt19937_64& random, std::size_t data) {
  std::vector<unsigned char> enables;
  const unsigned shape = random() % 4;
  if (shape == 0) return enables;
  enables.resize(shape == 1 ? data : 1 + random() % (shape == 2 ? data : 8));
  for (unsigned char& e : enables) e = random() % 2 != 0 ? 0xff : 0;
  return enables;
}

}  // namespace gputlm::test
