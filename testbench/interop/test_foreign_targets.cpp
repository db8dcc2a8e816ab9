// SPDX-License-Identifier: Apache-2.0
//
// Other people's memories behind the road's own initiator sockets, in every permitted way of answering.
#include <tlm_utils/multi_passthrough_target_socket.h>

#include "at_target.h"
#include "port_bench.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

/// A port at the head, and a program that writes, lets L2 be emptied where there is one, and reads back.
struct HeadBench {
  Config config = Config::load("tiny");
  ViolationLog log;
  PayloadPool pool;
  BusPort port{"port", {std::uint64_t{1} << 20U, 32, false}, pool};
  BlockingInitiator host{"host"};
  ProtocolChecker outside{"outside", log}, inside{"inside", log};
  ByteStore bytes;

  HeadBench() { outside.connect(host.socket, port.bus); }

  void run(const std::function<void()>& between = [] {}) {
    host.program = [&] {
      std::mt19937_64 random(7);
      std::vector<std::vector<unsigned char>> written;
      for (unsigned i = 0; i < 24; ++i) {
        written.push_back(random_bytes(random, 1 + random() % 500));
        BOOST_TEST(host.write(i * 512 + 9, written.back()) == tlm::TLM_OK_RESPONSE);
      }
      between();
      for (unsigned i = 0; i < 24; ++i) BOOST_TEST((host.read(i * 512 + 9, written[i].size()) == written[i]));
    };
    sc_core::sc_start();
    BOOST_TEST(host.finished);
    BOOST_TEST(port.idle());
    BOOST_TEST(pool.outstanding() == 0U);
    for (const Violation& v : log.violations())
      BOOST_TEST(false, v.arrow << ": " << name_of(v.rule) << ' ' << v.payload << ' ' << v.detail);
  }
};

/// The port's own lines.
void behind_a_port(Answer answer) {
  HeadBench b;
  AtTarget memory("memory", b.bytes);
  memory.answer = answer;
  b.inside.connect(b.port.lines, memory.socket);
  b.run();
}

/// A crossbar with somebody else's L2, and somebody else's host.
void behind_the_crossbar(Answer answer) {
  HeadBench b;
  CrossbarSpec spec = b.config.crossbar;
  spec.sm_ports = 1;
  Crossbar crossbar("crossbar", spec);
  AtTarget l2("l2", b.bytes), system("system", b.bytes);
  l2.answer = system.answer = answer;
  ProtocolChecker below("below", b.log);
  b.inside.connect(b.port.lines, *crossbar.sm[0]);
  below.connect(*crossbar.slice[0], l2.socket);
  crossbar.system.bind(system.socket);
  b.run();
  BOOST_TEST(l2.served > 0U);
  BOOST_TEST(crossbar.idle());
}

/// A slice with somebody else's controller.
void behind_a_slice(Answer answer) {
  HeadBench b;
  L2Slice slice("slice", b.config.l2, 0, b.pool);
  AtTarget reads("reads", b.bytes), writes("writes", b.bytes);
  reads.answer = writes.answer = answer;
  ProtocolChecker below("below", b.log), written("written", b.log);
  b.inside.connect(b.port.lines, slice.requests);
  below.connect(slice.reads, reads.socket);
  written.connect(slice.writes, writes.socket);
  b.run([&] {
    slice.flush();
    while (!slice.idle()) sc_core::wait(1, sc_core::SC_US);
    slice.invalidate_clean();
  });
  BOOST_TEST(reads.served > 0U);
  BOOST_TEST(writes.served > 0U);
}

/// A slice and a controller with somebody else's DRAM.
void behind_a_controller(Answer answer) {
  HeadBench b;
  L2Slice slice("slice", b.config.l2, 0, b.pool);
  const std::unique_ptr<DramMap> map = DramMap::make(b.config.dram, [](std::uint64_t) { return 0U; });
  MemoryController controller("controller", b.config.dram, 0, b.pool, *map);
  b.inside.connect(b.port.lines, slice.requests);
  slice.reads.bind(*controller.reads[0]);
  slice.writes.bind(*controller.writes[0]);
  std::vector<std::unique_ptr<AtTarget>> channels;
  std::vector<std::unique_ptr<ProtocolChecker>> below;
  for (const auto& channel : controller.channels) {
    const std::string number = std::to_string(channels.size());
    channels.push_back(std::make_unique<AtTarget>(("channel" + number).c_str(), b.bytes));
    channels.back()->answer = answer;
    below.push_back(std::make_unique<ProtocolChecker>(("below" + number).c_str(), b.log));
    below.back()->connect(*channel, channels.back()->socket);
  }
  b.run([&] {
    slice.flush();
    while (!slice.idle() || !controller.idle()) sc_core::wait(1, sc_core::SC_US);
    slice.invalidate_clean();
  });
  BOOST_TEST(channels[0]->served > 0U);
  BOOST_TEST(controller.idle());
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_memory_behind_a_port_answers_in_four_calls) {
  behind_a_port(Answer::accepted);
}
BOOST_AUTO_TEST_CASE(a_memory_behind_a_port_returns_end_req) {
  behind_a_port(Answer::updated_end_req);
}
BOOST_AUTO_TEST_CASE(a_memory_behind_a_port_returns_begin_resp) {
  behind_a_port(Answer::updated_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_memory_behind_a_port_completes_at_once) {
  behind_a_port(Answer::completed);
}
BOOST_AUTO_TEST_CASE(a_memory_behind_a_port_begins_its_response_without_end_req) {
  behind_a_port(Answer::early_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_memory_behind_a_port_calls_back_within_the_call) {
  behind_a_port(Answer::calls_within);
}

BOOST_AUTO_TEST_CASE(an_l2_behind_the_crossbar_answers_in_four_calls) {
  behind_the_crossbar(Answer::accepted);
}
BOOST_AUTO_TEST_CASE(an_l2_behind_the_crossbar_returns_end_req) {
  behind_the_crossbar(Answer::updated_end_req);
}
BOOST_AUTO_TEST_CASE(an_l2_behind_the_crossbar_returns_begin_resp) {
  behind_the_crossbar(Answer::updated_begin_resp);
}
BOOST_AUTO_TEST_CASE(an_l2_behind_the_crossbar_completes_at_once) {
  behind_the_crossbar(Answer::completed);
}
BOOST_AUTO_TEST_CASE(an_l2_behind_the_crossbar_begins_its_response_without_end_req) {
  behind_the_crossbar(Answer::early_begin_resp);
}
BOOST_AUTO_TEST_CASE(an_l2_behind_the_crossbar_calls_back_within_the_call) {
  behind_the_crossbar(Answer::calls_within);
}

BOOST_AUTO_TEST_CASE(a_controller_behind_a_slice_answers_in_four_calls) {
  behind_a_slice(Answer::accepted);
}
BOOST_AUTO_TEST_CASE(a_controller_behind_a_slice_returns_end_req) {
  behind_a_slice(Answer::updated_end_req);
}
BOOST_AUTO_TEST_CASE(a_controller_behind_a_slice_returns_begin_resp) {
  behind_a_slice(Answer::updated_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_controller_behind_a_slice_completes_at_once) {
  behind_a_slice(Answer::completed);
}
BOOST_AUTO_TEST_CASE(a_controller_behind_a_slice_begins_its_response_without_end_req) {
  behind_a_slice(Answer::early_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_controller_behind_a_slice_calls_back_within_the_call) {
  behind_a_slice(Answer::calls_within);
}

BOOST_AUTO_TEST_CASE(a_dram_behind_a_controller_answers_in_four_calls) {
  behind_a_controller(Answer::accepted);
}
BOOST_AUTO_TEST_CASE(a_dram_behind_a_controller_returns_end_req) {
  behind_a_controller(Answer::updated_end_req);
}
BOOST_AUTO_TEST_CASE(a_dram_behind_a_controller_returns_begin_resp) {
  behind_a_controller(Answer::updated_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_dram_behind_a_controller_completes_at_once) {
  behind_a_controller(Answer::completed);
}
BOOST_AUTO_TEST_CASE(a_dram_behind_a_controller_begins_its_response_without_end_req) {
  behind_a_controller(Answer::early_begin_resp);
}
BOOST_AUTO_TEST_CASE(a_dram_behind_a_controller_calls_back_within_the_call) {
  behind_a_controller(Answer::calls_within);
}

namespace {

/// Loosely timed memory behind a socket for many initiators.
class MultiMemory : public sc_core::sc_module {
 public:
  MultiMemory(const sc_core::sc_module_name& name, ByteStore& store) : sc_module(name), bytes_(store) {
    socket.register_nb_transport_fw(this, &MultiMemory::nb_transport_fw);
    socket.register_b_transport(this, &MultiMemory::b_transport);
  }
  tlm_utils::multi_passthrough_target_socket<MultiMemory> socket{"socket"};

 private:
  tlm::tlm_sync_enum nb_transport_fw(int, tlm::tlm_generic_payload& p, tlm::tlm_phase&, sc_core::sc_time& t) {
    b_transport(0, p, t);
    return tlm::TLM_COMPLETED;
  }
  void b_transport(int, tlm::tlm_generic_payload& p, sc_core::sc_time& t) {
    t += sc_core::sc_time(30, sc_core::SC_NS);
    perform(p, bytes_);
  }
  ByteStore& bytes_;
};

/// Loosely timed memory of one simple socket, which turns non-blocking calls into blocking ones.
class SimpleMemory : public sc_core::sc_module {
 public:
  SimpleMemory(const sc_core::sc_module_name& name, ByteStore& store) : sc_module(name), bytes_(store) {
    socket.register_b_transport(this, &SimpleMemory::b_transport);
  }
  tlm_utils::simple_target_socket<SimpleMemory> socket{"socket"};

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time& t) {
    sc_core::wait(t + sc_core::sc_time(30, sc_core::SC_NS));
    t = sc_core::SC_ZERO_TIME;
    perform(p, bytes_);
  }
  ByteStore& bytes_;
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_slices_two_arrows_share_one_multi_socket) {
  HeadBench b;
  L2Slice slice("slice", b.config.l2, 0, b.pool);
  MultiMemory memory("memory", b.bytes);
  b.inside.connect(b.port.lines, slice.requests);
  slice.reads.bind(memory.socket);
  slice.writes.bind(memory.socket);
  b.run([&] {
    slice.flush();
    while (!slice.idle()) sc_core::wait(1, sc_core::SC_US);
    slice.invalidate_clean();
  });
}

BOOST_AUTO_TEST_CASE(a_loosely_timed_memory_of_a_simple_socket_serves_a_slice) {
  HeadBench b;
  L2Slice slice("slice", b.config.l2, 0, b.pool);
  SimpleMemory reads("reads", b.bytes), writes("writes", b.bytes);
  ProtocolChecker below("below", b.log), written("written", b.log);
  b.inside.connect(b.port.lines, slice.requests);
  below.connect(slice.reads, reads.socket);
  written.connect(slice.writes, writes.socket);
  b.run([&] {
    slice.flush();
    while (!slice.idle()) sc_core::wait(1, sc_core::SC_US);
    slice.invalidate_clean();
  });
}
