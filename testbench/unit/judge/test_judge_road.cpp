// SPDX-License-Identifier: Apache-2.0
//
// Random traffic through real L1s and a real slice: the scoreboard accepts all that is lawful and nothing that is not.
#include "gputlm/test_support/sc_test.h"

#include <iostream>

#include "road_bench.h"

using namespace gputlm;
using gputlm::test::RandomSm;
using gputlm::test::Road;

namespace {

constexpr Fs kStep = 500 * kFsPerNs;

void run_for(Fs t) {
  sc_core::sc_start(to_sc_time(t));
}

template <class Interfere>
void run_to_end(Road& road, Interfere interfere) {
  for (const auto& sm : road.sms) sm->start();
  for (unsigned step = 0; !road.done(); ++step) {
    BOOST_REQUIRE(step < 10'000);
    run_for(kStep);
    interfere(step);
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(random_traffic_of_every_kind_leaves_no_finding) {
  Road road(6000);
  run_to_end(road, [](unsigned) {});
  const std::uint64_t before_audit = road.board.bytes_checked();
  road.board.audit();
  road.board.print(std::cout);
  BOOST_TEST(road.board.mismatches() == 0);
  BOOST_TEST(before_audit > 100'000);
  BOOST_TEST(road.board.bytes_checked() == before_audit + RandomSm::kLines * kLineBytes);
  const L2Counters& l2 = road.slice.counters();
  BOOST_TEST(std::min({l2.store_hits, l2.load_hits, l2.load_misses, l2.atomics, l2.reductions, l2.write_backs,
                       l2.evictions, l2.partial_sector_loads, l2.janitor_cleans}) > 100);
}

BOOST_AUTO_TEST_CASE(debug_writes_into_random_traffic_leave_no_finding) {
  Road road(2000);
  std::mt19937 random(3);
  run_to_end(road, [&](unsigned) {
    unsigned char bytes[100];
    const auto length = static_cast<unsigned>(1 + random() % sizeof bytes);
    const std::uint64_t address = random() % RandomSm::kLines * kLineBytes + random() % (kLineBytes - length + 1);
    std::memset(bytes, static_cast<int>(random() & 0xff), sizeof bytes);
    road.board.note_debug_write(address, bytes, length);
    road.debug(tlm::TLM_WRITE_COMMAND, address, bytes, length);
  });
  road.board.audit();
  road.board.print(std::cout);
  BOOST_TEST(road.board.mismatches() == 0);
}

BOOST_AUTO_TEST_CASE(one_bit_flipped_in_dram_behind_the_models_back_is_found) {
  Road road(600);
  run_to_end(road, [](unsigned) {});
  BOOST_REQUIRE(road.board.mismatches() == 0);
  for (std::uint64_t line = 0; line < RandomSm::kLines * kLineBytes; line += kLineBytes) road.dram.line(line)[77] ^= 8;
  road.board.audit();
  BOOST_TEST(road.board.mismatches(FindingKind::wrong_content) > RandomSm::kLines / 2);
}
