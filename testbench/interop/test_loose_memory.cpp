// SPDX-License-Identifier: Apache-2.0
//
// `timing: loose`: the memory system behind its ports answers for itself, with the same bytes and the base protocol.
#include "port_bench.h"
//
#include "gputlm/test_support/temp_folder.h"
#include "line_initiator.h"

using namespace gputlm;
using namespace gputlm::test;

namespace {

const std::vector<std::string> kLoose = {"timing=loose"};

struct LooseBench : PortBench {
  LooseBench() : PortBench(kLoose) {}
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(b_transport_never_waits_and_takes_an_estimated_time, LooseBench) {
  BlockingInitiator host("host");
  host.socket.bind(memory.port(0));
  host.program = [&] {
    std::vector<unsigned char> data(300, 7);
    tlm::tlm_generic_payload p;
    p.set_write();
    p.set_address(0x1010);
    p.set_data_ptr(data.data());
    p.set_data_length(300);
    p.set_streaming_width(300);
    sc_core::sc_time t(10, sc_core::SC_NS);
    const Fs before = now();
    host.socket->b_transport(p, t);
    BOOST_TEST(now() == before);
    BOOST_TEST(to_fs(t) > from_ns(100));
    BOOST_TEST((host.read(0x1010, 300) == data));
  };
  run();
  BOOST_TEST(host.finished);
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(an_approximately_timed_initiator_is_answered_by_the_base_protocol, LooseBench) {
  AtInitiator host("host", EndResponse::late, from_ns(3));
  connect(host.socket, 0);
  std::mt19937_64 random(5);
  std::vector<std::unique_ptr<Transaction>> all;
  std::vector<unsigned char> image(65536);
  for (unsigned i = 0; i < 300; ++i) {
    const std::uint64_t at = random() % 65000;
    std::vector<unsigned char> data = random_bytes(random, 1 + random() % 500);
    std::copy(data.begin(), data.end(), image.begin() + static_cast<std::ptrdiff_t>(at));
    all.push_back(std::make_unique<Transaction>(tlm::TLM_WRITE_COMMAND, at, data));
  }
  for (unsigned i = 0; i < 128; ++i)
    all.push_back(std::make_unique<Transaction>(tlm::TLM_READ_COMMAND, i * 512, std::vector<unsigned char>(512)));
  for (const auto& t : all) host.send(*t);
  run();
  BOOST_TEST(host.open() == 0U);
  for (unsigned i = 0; i < 128; ++i) {
    const Transaction& t = *all[300 + i];
    BOOST_TEST(t.is_response_ok());
    BOOST_TEST(std::equal(t.data.begin(), t.data.end(), image.begin() + i * 512), "read " << i);
  }
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(every_unit_of_an_atomic_counter_is_counted_once_and_seen_in_order, LooseBench) {
  constexpr unsigned kEach = 200;
  LineInitiator sms[2] = {LineInitiator("sm0"), LineInitiator("sm1")};
  std::vector<std::uint32_t> seen;
  for (unsigned i = 0; i < 2; ++i) {
    memory.connect(sms[i].out, i);
    sms[i].answered = [&](Payload& p) {
      std::uint32_t old = 0;
      std::memcpy(&old, p.get_data_ptr() + 8, 4);
      seen.push_back(old);
      BOOST_TEST(p.is_response_ok());
      BOOST_TEST(find_sideband(p)->executed);
    };
  }
  std::vector<PayloadRef> held;
  sc_core::sc_spawn([&] {
    for (unsigned n = 0; n < kEach; ++n) {
      for (LineInitiator& sm : sms) {
        PayloadRef p = memory.pool.line(tlm::TLM_IGNORE_COMMAND, 0x2000, Operation::atomic);
        const std::uint32_t one = 1;
        std::memcpy(p->get_data_ptr() + 8, &one, 4);
        set_enables(*p, ByteMask::range(8, 4));
        sm.send(*p);
        held.push_back(std::move(p));
      }
      sc_core::wait(3, sc_core::SC_NS);
    }
  });
  run();
  held.clear();
  std::sort(seen.begin(), seen.end());
  BOOST_REQUIRE(seen.size() == 2 * kEach);
  for (unsigned n = 0; n < seen.size(); ++n) BOOST_TEST(seen[n] == n);
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(a_system_barrier_still_goes_to_the_hosts_ordering_point, LooseBench) {
  LineInitiator sm("sm");
  memory.connect(sm.out, 0);
  Fs answered = kNever;
  sm.answered = [&](Payload& p) {
    BOOST_TEST(find_sideband(p)->executed);
    answered = now();
  };
  PayloadRef p = memory.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
  sc_core::sc_spawn([&] { sm.send(*p); });
  run();
  p.reset();
  BOOST_REQUIRE(answered != kNever);
  BOOST_TEST(to_ns(answered) == to_ns(config.crossbar.request_latency + config.crossbar.response_latency +
                                      config.host.ordering_round_trip),
             boost::test_tools::tolerance(0.01));
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(what_memory_cannot_do_is_refused_as_by_a_slice, LooseBench) {
  LineInitiator sm("sm");
  memory.connect(sm.out, 0);
  sc_core::sc_spawn([&] {
    PayloadRef beyond = memory.pool.line(tlm::TLM_READ_COMMAND, config.memory_bytes(), Operation::load);
    sm.send(*beyond);
    BOOST_TEST(beyond->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
    PayloadRef half = memory.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::reduction);
    set_enables(*half, ByteMask::range(2, 4));
    sm.send(*half);
    BOOST_TEST(half->get_response_status() == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    PayloadRef drop = memory.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::l1_invalidate);
    sm.send(*drop);
    BOOST_TEST(drop->get_response_status() == tlm::TLM_COMMAND_ERROR_RESPONSE);
  });
  run();
  expect_clean();
}

BOOST_FIXTURE_TEST_CASE(a_reset_in_mid_traffic_leaves_nothing_behind, LooseBench) {
  LineInitiator sm("sm");
  memory.connect(sm.out, 0);
  unsigned answers = 0;
  sm.answered = [&](Payload&) { ++answers; };
  PayloadRef lost = memory.pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  PayloadRef barrier = memory.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::system_barrier);
  PayloadRef after = memory.pool.line(tlm::TLM_READ_COMMAND, 0x80, Operation::load);
  sc_core::sc_spawn([&] {
    sm.send(*lost);
    sm.send(*barrier);
    sc_core::wait(50, sc_core::SC_NS);
    BOOST_TEST(!memory.idle());
    memory.reset();
    sm.out.reset();
    BOOST_TEST(memory.idle());
    sc_core::wait(5, sc_core::SC_US);
    BOOST_TEST(answers == 0U);
    sm.send(*after);
  });
  run();
  BOOST_TEST(answers == 1U);
  lost.reset(), barrier.reset(), after.reset();
  expect_clean();
}

namespace {

/// A loosely timed memory system that is warmed, and an exact one.
struct Handover {
  Config loose_config = Config::load("tiny", kLoose), exact_config = Config::load("tiny");
  MemorySystem loose{"loose", loose_config}, exact{"exact", exact_config};
  BlockingInitiator on_loose{"on_loose"}, on_exact{"on_exact"};
  TempFolder folder;
  std::string file = (folder.path() / "state").string();

  Handover() {
    on_loose.socket.bind(loose.port(0));
    on_exact.socket.bind(exact.port(0));
  }
  static Fs time_of_read(BlockingInitiator& host, std::uint64_t address) {
    const Fs start = now();
    host.read(address, 4);
    return now() - start;
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(what_loose_timing_has_warmed_an_exact_memory_system_goes_on_with, Handover) {
  std::mt19937_64 random(3);
  const std::vector<unsigned char> data = random_bytes(random, 5000);
  on_loose.program = [&] {
    on_loose.write(0x3003, data);
    on_loose.read(0x80000, 64);
  };
  sc_core::sc_start();
  BOOST_TEST(loose.dirty_bytes() == data.size());
  loose.save(file);
  exact.restore(file);
  BOOST_TEST(exact.dirty_bytes() == data.size());
  sc_core::sc_spawn([&] {
    BOOST_TEST((on_exact.read(0x3003, data.size()) == data));
    BOOST_TEST(time_of_read(on_exact, 0x80000) < from_ns(150));
    BOOST_TEST(time_of_read(on_exact, 0x90000) > from_ns(200));
  });
  sc_core::sc_start();
  BOOST_TEST(exact.idle());
}

BOOST_FIXTURE_TEST_CASE(what_an_exact_memory_system_holds_a_loose_one_takes_over, Handover) {
  std::mt19937_64 random(3);
  const std::vector<unsigned char> data = random_bytes(random, 5000);
  on_exact.program = [&] {
    on_exact.write(0x3003, data);
    on_exact.read(0x80000, 64);
  };
  sc_core::sc_start();
  exact.save(file);
  loose.restore(file);
  BOOST_TEST(loose.dirty_bytes() == exact.dirty_bytes());
  BOOST_TEST(loose.dirty_lines() == exact.dirty_lines());
  sc_core::sc_spawn([&] {
    BOOST_TEST((on_loose.read(0x3003, data.size()) == data));
    BOOST_TEST(time_of_read(on_loose, 0x80000) < from_ns(150));
    BOOST_TEST(time_of_read(on_loose, 0x90000) > from_ns(200));
  });
  sc_core::sc_start();
}

BOOST_FIXTURE_TEST_CASE(a_flush_writes_every_dirty_sector_and_ends_when_they_are_in_dram, LooseBench) {
  BlockingInitiator host("host");
  host.socket.bind(memory.port(0));
  host.program = [&] {
    host.write(0, std::vector<unsigned char>(64 * kLineBytes, 1));
    BOOST_TEST(memory.dram_bytes().written == 0U);
    const Fs start = now();
    memory.flush();
    BOOST_TEST(memory.flushing());
    BOOST_TEST(!memory.idle());
    while (memory.flushing()) sc_core::wait(1, sc_core::SC_NS);
    BOOST_TEST(memory.dram_bytes().written == 64U * kLineBytes);
    BOOST_TEST(memory.dirty_bytes() == 0U);
    BOOST_TEST(to_ns(now() - start) >= 64 * kLineBytes / memory.peak_bytes_per_ns() * 0.99);
  };
  run();
  BOOST_TEST(host.finished);
  expect_clean();
}
