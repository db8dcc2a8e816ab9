// SPDX-License-Identifier: Apache-2.0
//
// L1 and MMU together: what crosses the border between virtual and physical addresses.
#include "gputlm/test_support/sc_test.h"

#include <cstring>

#include "../l1/l1_bench.h"
#include "gputlm/mmu/mmu.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {

constexpr std::uint64_t kPage = 2 << 20;
constexpr std::uint64_t kLine = 3 * kPage, kAlias = 40 * kPage, kPhysical = 7 * kPage;

struct Pair {
  Pair() {
    table.map(kLine, kPhysical, kPage);
    table.map(kAlias, kPhysical, kPage);
    lsu.socket.bind(l1.requests);
    l1.misses.bind(mmu.requests);
    mmu.physical.bind(memory.socket);
    memory.latency = 100 * kNs;
  }
  static MmuSpec mmu_spec() {
    MmuSpec s;
    s.entries = 16;
    s.page_bytes = kPage;
    s.miss_latency = 4'400'000;
    return s;
  }
  PayloadRef access(tlm::tlm_command command, std::uint64_t line, unsigned char value, Semantics semantics) {
    PayloadRef p = pool.line(command, line, command == tlm::TLM_READ_COMMAND ? Operation::load : Operation::store);
    std::memset(p->get_data_ptr(), value, kLineBytes);
    set_enables(*p, ByteMask::full());
    find_sideband(*p)->semantics = semantics;
    lsu.send(p);
    sc_core::sc_start(to_sc_time(200 * kNs));
    BOOST_TEST(lsu.answered(p));
    BOOST_TEST(p->get_address() == line);
    return p;
  }
  unsigned weak(std::uint64_t line) {
    return access(tlm::TLM_READ_COMMAND, line, 0xee, Semantics::weak)->get_data_ptr()[0];
  }
  unsigned strong(std::uint64_t line) {
    return access(tlm::TLM_READ_COMMAND, line, 0xee, Semantics::relaxed)->get_data_ptr()[0];
  }
  void store(std::uint64_t line, unsigned char value) { access(tlm::TLM_WRITE_COMMAND, line, value, Semantics::weak); }

  PayloadPool pool;
  PageTable table{kPage};
  Initiator lsu{"lsu"};
  L1Cache l1{"l1", published_spec(), 0, pool};
  Mmu mmu{"mmu", mmu_spec(), 0, table};
  Memory memory{"memory"};
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_miss_pays_both_stages_and_comes_back_virtual) {
  Pair b;
  b.memory.line(kPhysical).fill(4);
  BOOST_TEST(b.weak(kLine) == 4U);
  BOOST_TEST(b.memory.arrivals[0].address == kPhysical);
  BOOST_TEST(b.memory.arrivals[0].time == kMiss + 4'400'000);
  BOOST_TEST(b.lsu.answers[0].time == kMiss + 4'400'000 + 100 * kNs);
}

BOOST_AUTO_TEST_CASE(aliases_are_two_slots_of_one_physical_line) {
  Pair b;
  b.store(kLine, 1);
  BOOST_TEST(b.weak(kAlias) == 1U);
  b.store(kLine, 2);
  BOOST_TEST(b.weak(kLine) == 2U);
  BOOST_TEST(b.weak(kAlias) == 1U);
  BOOST_TEST(b.strong(kAlias) == 2U);
  BOOST_TEST(b.weak(kAlias) == 2U);
}

BOOST_AUTO_TEST_CASE(a_strong_access_drops_its_virtual_line_at_completion) {
  Pair b;
  b.store(kLine, 1);
  b.strong(kLine);
  const std::size_t before = b.memory.arrivals.size();
  b.weak(kLine);
  BOOST_TEST(b.memory.arrivals.size() == before + 1);
}

BOOST_AUTO_TEST_CASE(a_debug_write_refreshes_both_aliases) {
  Pair b;
  b.store(kLine, 1);
  b.weak(kAlias);
  b.memory.line(kPhysical).fill(9);
  b.memory.socket.announce_debug_write(kPhysical, kPhysical + kLineBytes - 1);
  const std::size_t before = b.memory.arrivals.size();
  BOOST_TEST(b.weak(kLine) == 9U);
  BOOST_TEST(b.weak(kAlias) == 9U);
  BOOST_TEST(b.memory.arrivals.size() == before);
}

BOOST_AUTO_TEST_CASE(a_fault_reaches_the_load_and_the_store) {
  Pair b;
  for (const tlm::tlm_command command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND})
    BOOST_TEST(b.access(command, 50 * kPage, 0, Semantics::weak)->get_response_status() ==
               tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(b.l1.idle());
  BOOST_TEST(b.mmu.idle());
}
