// SPDX-License-Identifier: Apache-2.0
//
// Stores that stay in a write-back L1: what it keeps, when it sends it, and that nothing is lost on the way.
#include "gputlm/test_support/sc_test.h"

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {

constexpr std::uint64_t kLine = 0x40000;

/// A write-back L1 whose memory answers by itself.
struct Keeping : Bench {
  explicit Keeping(unsigned ways = 4) : Bench(spec_of("write_back", ways)) { memory.latency = 50 * kNs; }

  PayloadRef keep(std::uint64_t line, ByteMask mask, unsigned char value) {
    PayloadRef p = store(line, mask, value);
    lsu.send(p);
    run(20 * kNs);
    BOOST_TEST(lsu.answered(p));
    return p;
  }
  void settle() {
    run(2000 * kNs);
    BOOST_TEST(l1.idle());
  }
  void settle(const PayloadRef& p) {
    lsu.send(p);
    settle();
  }
  /// What a weak load of the byte's sector finds.
  unsigned char value(std::uint64_t line, unsigned byte) {
    const PayloadRef p = load(line, ByteMask::sectors(static_cast<SectorSet>(1U << (byte / kSectorBytes))));
    settle(p);
    return p->get_data_ptr()[byte];
  }
  /// Commands of what has reached memory, in order: W, R, or a for what it performs itself.
  std::string reached() const {
    std::string text;
    for (const Memory::Arrival& a : memory.arrivals)
      text += a.payload->is_write() ? 'W' : a.payload->is_read() ? 'R' : 'a';
    return text;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(write_back_keeps_weak_and_cta_scope_stores_and_answers_them_like_a_hit) {
  Keeping b;
  const PayloadRef p = b.keep(kLine, ByteMask::range(0, 8), 1);
  BOOST_TEST(b.lsu.answered_at(p) == kHit);
  const PayloadRef cta = b.store(kLine, ByteMask::range(8, 8), 2);
  find_sideband(*cta)->semantics = Semantics::relaxed;
  find_sideband(*cta)->scope = Scope::cta;
  b.complete(cta);
  BOOST_TEST(b.reached() == "");
  BOOST_TEST(!b.l1.clean());
  BOOST_TEST(counter(b.l1, "stores_kept") == 2U);
  BOOST_TEST(b.memory.line(kLine)[0] == 0);
  BOOST_TEST(b.loads_from_l1(kLine, ByteMask::range(4, 8)));
}

BOOST_AUTO_TEST_CASE(write_back_passes_stores_of_wider_scope_on_and_forgets_what_they_replace) {
  Keeping b;
  b.keep(kLine, ByteMask::range(0, 8), 1);
  const PayloadRef strong = b.store(kLine, ByteMask::range(4, 8), 2);
  find_sideband(*strong)->semantics = Semantics::relaxed;
  find_sideband(*strong)->scope = Scope::gpu;
  b.settle(strong);
  BOOST_TEST(b.reached() == "W");
  b.settle(b.special(Operation::l1_invalidate));
  BOOST_TEST_REQUIRE(b.reached() == "WW");
  BOOST_TEST((ByteMask::of(*b.memory.last()) == ByteMask::range(0, 4)));
  BOOST_TEST(b.memory.line(kLine)[3] == 1);
  BOOST_TEST(b.memory.line(kLine)[4] == 2);
}

BOOST_AUTO_TEST_CASE(write_back_sends_a_lines_stores_as_one_when_it_is_evicted_ahead_of_the_fill_for_its_slot) {
  Keeping b(1);
  const auto lines = lines_of_one_set(b.l1, 2, kLine);
  b.keep(lines[0], ByteMask::range(0, 4), 1);
  b.keep(lines[0], ByteMask::range(64, 4), 2);
  const PayloadRef load = b.load(lines[1]);
  b.lsu.send(load);
  b.settle();
  BOOST_TEST(b.reached() == "WR");
  BOOST_TEST((ByteMask::of(*b.memory.arrivals[0].payload) == (ByteMask::range(0, 4) | ByteMask::range(64, 4))));
  BOOST_TEST(b.memory.line(lines[0])[64] == 2);
  BOOST_TEST(b.lsu.answered(load));
  BOOST_TEST(b.l1.clean());
  BOOST_TEST(b.value(lines[0], 64) == 2);
}

BOOST_AUTO_TEST_CASE(write_back_sends_a_line_ahead_of_a_strong_load_or_atomic_to_it) {
  Keeping b;
  b.keep(kLine, ByteMask::range(0, 4), 1);
  const PayloadRef load = b.strong_load(kLine);
  b.lsu.send(load);
  b.settle();
  BOOST_TEST(b.reached() == "WR");
  BOOST_TEST(load->get_data_ptr()[0] == 1);
  b.keep(kLine, ByteMask::range(0, 4), 2);
  b.settle(b.special(Operation::reduction, kLine));
  BOOST_TEST(b.reached() == "WRWa");
  b.keep(kLine + kLineBytes, ByteMask::range(0, 4), 3);
  b.settle(b.strong_load(kLine));  // another line's stores stay
  BOOST_TEST(b.reached() == "WRWaR");
}

BOOST_AUTO_TEST_CASE(an_invalidate_flushes_a_write_back_l1_and_is_answered_behind_the_last_acknowledgement) {
  Keeping b;
  for (unsigned n = 0; n < 5; ++n)
    b.keep(kLine + n * kLineBytes, ByteMask::range(n, 4), static_cast<unsigned char>(n + 1));
  const PayloadRef invalidate = b.special(Operation::l1_invalidate);
  const Fs sent = now();
  b.lsu.send(invalidate);
  const PayloadRef load = b.load(kLine);
  b.lsu.send(load);  // waits at the door
  b.run(50 * kNs);
  BOOST_TEST(b.reached() == "WWWWW");
  BOOST_TEST(!b.lsu.answered(invalidate));
  b.settle();
  BOOST_TEST(b.reached() == "WWWWWR");
  BOOST_TEST(b.lsu.answered_at(invalidate) >= sent + kMiss + 50 * kNs);
  BOOST_TEST(find_sideband(*invalidate)->executed);
  BOOST_TEST(load->get_data_ptr()[0] == 1);
  BOOST_TEST(b.l1.clean());
  BOOST_TEST(counter(b.l1, "flushes") == 1U);
}

BOOST_AUTO_TEST_CASE(a_flush_takes_its_time_when_the_road_below_is_blocked) {
  Keeping b;
  for (unsigned n = 0; n < 3; ++n) b.keep(kLine + n * kLineBytes, ByteMask::full(), static_cast<unsigned char>(n + 1));
  b.memory.withhold = true;
  const PayloadRef invalidate = b.special(Operation::l1_invalidate);
  b.lsu.send(invalidate);
  b.run(10 * kNs);
  BOOST_TEST(b.reached() == "W");
  for (unsigned n = 0; n < 3; ++n) {
    BOOST_TEST(!b.lsu.answered(invalidate));
    b.memory.accept(3 * kNs);
    b.run(20 * kNs);
  }
  b.settle();
  BOOST_TEST(b.reached() == "WWW");
  BOOST_TEST(b.lsu.answered(invalidate));
}

BOOST_AUTO_TEST_CASE(a_blocked_write_back_holds_the_request_that_needs_its_slot_and_no_byte_is_lost) {
  Keeping b(1);
  const auto lines = lines_of_one_set(b.l1, 3, kLine);
  b.keep(lines[0], ByteMask::full(), 1);
  b.memory.withhold = true;
  const PayloadRef second = b.store(lines[1], ByteMask::full(), 2);
  BOOST_TEST((b.lsu.send(second) == Sent::withheld));
  b.run(300 * kNs);  // BEGIN_RESP of the write-back implies its END_REQ
  b.memory.withhold = false;
  b.settle();
  BOOST_TEST(b.lsu.answered(second));
  BOOST_TEST(b.reached() == "W");
  BOOST_TEST(b.value(lines[1], 9) == 2);
  BOOST_TEST(b.memory.line(lines[0])[9] == 1);
  BOOST_TEST(counter(b.l1, "stall_write_back") > 0U);
}

BOOST_AUTO_TEST_CASE(an_answer_to_a_strong_access_leaves_later_kept_stores_alone) {
  Bench b(spec_of("write_back"));
  const PayloadRef strong = b.strong_load(kLine);
  b.lsu.send(strong);
  const PayloadRef kept = b.store(kLine, ByteMask::range(0, 4), 5);
  b.lsu.send(kept);
  b.run(50 * kNs);
  BOOST_TEST(b.lsu.answered(kept));
  b.memory.respond(b.memory.last());
  b.run(50 * kNs);
  BOOST_TEST(!b.l1.clean());
  BOOST_TEST(b.loaded(kLine, 0) == 5);
  BOOST_TEST(b.memory.line(kLine)[0] == 0);
}

BOOST_AUTO_TEST_CASE(a_fill_that_left_before_a_write_back_does_not_bring_the_old_bytes_back) {
  Bench b(spec_of("write_back", 1));
  const auto lines = lines_of_one_set(b.l1, 2, kLine);
  b.lsu.send(b.store(lines[0], ByteMask::range(0, 4), 5));
  b.run(50 * kNs);
  b.lsu.send(b.load(lines[0], ByteMask::sectors(0x1)));  // asks for the whole sector
  b.lsu.send(b.load(lines[1]));                          // evicts the line: its store leaves behind the fill
  const PayloadRef again = b.load(lines[0], ByteMask::sectors(0x1));
  b.lsu.send(again);
  for (const Memory::Arrival& a : std::vector<Memory::Arrival>(b.memory.arrivals)) b.memory.respond(a.payload);
  b.run(200 * kNs);
  BOOST_TEST(b.lsu.answered(again));
  BOOST_TEST(again->get_data_ptr()[0] == 5);
  BOOST_TEST(b.loaded(lines[0], 2) == 5);
}

BOOST_AUTO_TEST_CASE(a_write_back_that_fails_is_counted_and_remembered_once) {
  Keeping b;
  b.memory.faulty.insert(kLine);
  b.keep(kLine, ByteMask::full(), 1);
  const PayloadRef invalidate = b.special(Operation::l1_invalidate);
  b.lsu.send(invalidate);
  b.settle();
  BOOST_TEST(b.lsu.answered(invalidate));
  BOOST_TEST(counter(b.l1, "write_back_errors") == 1U);
  const auto failed = b.l1.take_failed_write();
  BOOST_TEST_REQUIRE(failed.has_value());
  BOOST_TEST(failed->line == kLine);
  BOOST_TEST((failed->status == tlm::TLM_ADDRESS_ERROR_RESPONSE));
  BOOST_TEST(!b.l1.take_failed_write().has_value());
}

BOOST_AUTO_TEST_CASE(giving_up_ways_and_a_kernels_end_flush_first) {
  Keeping b;
  for (const std::uint64_t line : lines_of_one_set(b.l1, 4, kLine)) b.keep(line, ByteMask::full(), 3);
  b.l1.set_ways(1);
  b.settle();
  BOOST_TEST(b.reached() == "WWWW");
  BOOST_TEST(b.l1.clean());
  b.keep(kLine, ByteMask::full(), 4);
  bool done = false;
  b.l1.flush([&done] { done = true; });
  BOOST_TEST(!done);
  b.settle();
  BOOST_TEST(done);
  BOOST_TEST(b.memory.line(kLine)[100] == 4);
  done = false;
  b.l1.flush([&done] { done = true; });
  BOOST_TEST(done);  // nothing to wait for
}

BOOST_AUTO_TEST_CASE(debug_reads_see_kept_stores_and_debug_writes_replace_them) {
  Keeping b;
  b.keep(kLine, ByteMask::range(0, 8), 6);
  const PayloadRef probe = b.load(kLine);
  BOOST_TEST(b.lsu.socket->transport_dbg(*probe) == kLineBytes);
  BOOST_TEST(probe->get_data_ptr()[7] == 6);
  BOOST_TEST(probe->get_data_ptr()[8] == 0);
  std::fill_n(b.memory.line(kLine).begin() + 4, 2, static_cast<unsigned char>(9));
  b.memory.socket.announce_debug_write(kLine + 4, kLine + 5);
  BOOST_TEST(b.loads_from_l1(kLine, ByteMask::range(0, 8)));
  b.settle(b.special(Operation::l1_invalidate));
  BOOST_TEST(b.memory.line(kLine)[3] == 6);
  BOOST_TEST(b.memory.line(kLine)[4] == 9);
  BOOST_TEST(b.memory.line(kLine)[6] == 6);
}

BOOST_AUTO_TEST_CASE(a_reset_forgets_what_was_kept_and_what_was_on_its_way) {
  Bench b(spec_of("write_back"));
  b.lsu.send(b.store(kLine, ByteMask::full(), 1));
  b.run(50 * kNs);
  b.lsu.send(b.special(Operation::l1_invalidate));
  b.run(10 * kNs);
  b.l1.reset();
  b.watch.reset(false);
  BOOST_TEST(b.l1.idle());
  BOOST_TEST(b.l1.clean());
  b.memory.respond(b.memory.last());  // answers nobody
  b.run(50 * kNs);
  BOOST_TEST(b.l1.idle());
}
