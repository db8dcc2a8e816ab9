// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {

constexpr std::uint64_t kLine = 0x40000;

/// Changes memory as a debug write does: the bytes, then the announcement.
void debug_write(Bench& b, std::uint64_t address, unsigned count, unsigned char value) {
  for (unsigned i = 0; i < count; ++i) b.memory.line(address + i)[(address + i) & kLineOffsetMask] = value;
  b.memory.socket.announce_debug_write(address, address + count - 1);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_debug_read_sees_memory_and_not_the_stale_slot) {
  Bench b;
  b.memory.line(kLine).fill(1);
  b.complete(b.load(kLine));
  b.memory.line(kLine).fill(2);
  const PayloadRef probe = b.load(kLine);
  const Fs before = now();
  BOOST_TEST(b.lsu.socket->transport_dbg(*probe) == kLineBytes);
  BOOST_TEST(probe->get_data_ptr()[0] == 2);
  BOOST_TEST(now() == before);
  BOOST_TEST(b.loaded(kLine, 0) == 1);  // nothing changed
}

BOOST_AUTO_TEST_CASE(a_debug_write_refreshes_the_valid_bytes_in_its_range) {
  Bench b;
  Diary diary;
  b.l1.observer = &diary;
  b.memory.line(kLine).fill(1);
  b.complete(b.load(kLine, ByteMask::sectors(0x3)));
  b.memory.line(kLine)[0] = 5;  // another SM's store: stays stale here
  diary.entries.clear();
  debug_write(b, kLine + 30, 50, 7);
  BOOST_TEST(diary.all() == "debug");
  const PayloadRef p = b.load(kLine, ByteMask::sectors(0x3));
  BOOST_TEST(b.complete(p) == 0U);
  BOOST_TEST(p->get_data_ptr()[0] == 1);
  BOOST_TEST(p->get_data_ptr()[29] == 1);
  BOOST_TEST(p->get_data_ptr()[30] == 7);
  BOOST_TEST(p->get_data_ptr()[63] == 7);
  BOOST_TEST(!b.loads_from_l1(kLine, ByteMask::sectors(0x4)));
  BOOST_REQUIRE(b.lsu.debug_written.size() == 1U);
  BOOST_TEST(b.lsu.debug_written[0].first == kLine + 30);
  BOOST_TEST(b.lsu.debug_written[0].second == kLine + 79);
}

BOOST_AUTO_TEST_CASE(a_debug_write_over_many_lines_refreshes_each) {
  Bench b;
  for (unsigned i = 0; i < 4; ++i) b.complete(b.load(kLine + i * kLineBytes));
  debug_write(b, kLine + kLineBytes, 2 * kLineBytes, 7);
  const unsigned char expected[] = {0, 7, 7, 0};
  for (unsigned i = 0; i < 4; ++i) {
    BOOST_TEST(b.loads_from_l1(kLine + i * kLineBytes));
    BOOST_TEST(b.loaded(kLine + i * kLineBytes, 5) == expected[i]);
  }
  BOOST_TEST(counter(b.l1, "load_hits") == 8U);
}

BOOST_AUTO_TEST_CASE(a_debug_write_poisons_the_fills_of_its_lines_only) {
  Bench b;
  const PayloadRef touched = b.load(kLine), other = b.load(kLine + kLineBytes);
  b.lsu.send(touched);
  const PayloadRef touched_fill = b.memory.last();
  b.lsu.send(other);
  const PayloadRef other_fill = b.memory.last();
  debug_write(b, kLine + 4, 4, 7);
  b.memory.respond(touched_fill);
  b.memory.respond(other_fill);
  BOOST_TEST(b.lsu.answered(touched));
  BOOST_TEST(b.loads_from_l1(kLine + kLineBytes));
  BOOST_TEST(b.loaded(kLine, 4) == 7);
  BOOST_TEST(counter(b.l1, "fills_poisoned") == 1U);
}

BOOST_AUTO_TEST_CASE(a_debug_write_does_not_hide_a_store_on_its_way) {
  Bench b;
  const PayloadRef store = b.store(kLine, ByteMask::full(), 9);
  b.lsu.send(store);
  // The store reaches L2 after the debug write, so memory ends with the store's bytes.
  for (unsigned i = 0; i < kLineBytes; ++i) b.memory.line(kLine)[i] = 7;
  b.memory.socket.announce_debug_write(kLine, kLine + 3);
  b.memory.line(kLine).fill(9);
  b.memory.respond(store);
  BOOST_TEST(b.loaded(kLine, 0) == 9);
}

BOOST_AUTO_TEST_CASE(reset_in_the_middle_of_traffic_leaks_nothing) {
  L1Spec spec = published_spec();
  spec.fill_sectors = 8;
  Bench b(spec);
  b.complete(b.load(kLine));
  b.lsu.send(b.load(kLine));                   // a hit that waits
  b.lsu.send(b.load(kLine + kLineBytes));      // a fill
  b.lsu.send(b.load(kLine + kLineBytes));      // one that joins it
  b.lsu.send(b.load(kLine + 2 * kLineBytes));  // another fill
  const PayloadRef late = b.memory.last();
  b.lsu.send(b.store(kLine, ByteMask::full(), 1));
  BOOST_TEST((b.lsu.send(b.load(kLine + 3 * kLineBytes)) == Sent::withheld));
  b.l1.reset();
  b.watch.reset(false);
  b.lsu.socket.reset();
  b.lsu.accepted.clear();
  b.lsu.answers.clear();
  b.memory.arrivals.clear();
  BOOST_TEST(b.l1.idle());
  b.memory.respond(late);  // the road below was not reset
  b.run(200 * kNs);
  BOOST_TEST(b.lsu.answers.empty());
  BOOST_TEST(b.pool.outstanding() == 1U);
  b.watch.reset(true);  // the other requests below are never answered
  BOOST_TEST(counter(b.l1, "loads") == 0U);
  BOOST_TEST(!b.loads_from_l1(kLine));
  BOOST_TEST(b.loads_from_l1(kLine));
}

BOOST_AUTO_TEST_CASE(a_clean_run_returns_every_payload) {
  Bench b;
  for (unsigned i = 0; i < 20; ++i) {
    b.complete(b.load(kLine + i % 7 * kLineBytes));
    b.complete(b.store(kLine + i % 5 * kLineBytes, ByteMask::sectors(0x5), 1));
    b.complete(b.strong_load(kLine + i % 3 * kLineBytes));
  }
  b.lsu.accepted.clear();
  b.lsu.answers.clear();
  b.memory.arrivals.clear();
  BOOST_TEST(b.l1.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
}
