// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <random>
#include <sstream>

#include "../l1/scripted_ends.h"
#include "gputlm/mmu/mmu.h"

using namespace gputlm;
using namespace gputlm::scripted;

namespace {

constexpr std::uint64_t kPage = 2 << 20;
constexpr Fs kMissLatency = 4'400'000;
/// Virtual page v lies at physical page v + kShift.
constexpr std::uint64_t kShift = 100;

MmuSpec published_spec() {
  MmuSpec s;
  s.entries = 16;
  s.page_bytes = kPage;
  s.hit_latency = 0;
  s.miss_latency = kMissLatency;
  return s;
}

struct Bench {
  explicit Bench(const MmuSpec& spec = published_spec()) : mmu("mmu", spec, 5, table) {
    table.map(0, kShift * kPage, 64 * kPage);
  }
  PayloadPool pool;
  PageTable table{kPage};
  Initiator upper{"upper"};
  Mmu mmu;
  Memory lower{"lower"};
  Watch watch{upper.socket, mmu.requests, mmu.physical, lower.socket};

  static void run(Fs time) { sc_core::sc_start(to_sc_time(time)); }
  PayloadRef request(std::uint64_t address) {
    PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, address, Operation::load);
    set_enables(*p, ByteMask::full());
    return p;
  }
  /// Sends a load of a page and tells how long it stayed in the MMU.
  Fs latency_of(std::uint64_t page) {
    upper.send(request(page * kPage));
    const Fs latency = lower.arrivals.back().time - now();
    lower.respond(lower.last());
    run(50 * kNs);
    return latency;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(addresses_are_physical_below_and_virtual_again_above) {
  Bench b;
  const PayloadRef p = b.request(3 * kPage + 0x180);
  b.upper.send(p);
  BOOST_TEST(p->get_address() == (kShift + 3) * kPage + 0x180);
  BOOST_TEST(find_sideband(*p)->virtual_address == 3 * kPage + 0x180);
  BOOST_TEST(!b.mmu.idle());
  b.lower.respond(p, 9 * kNs);
  BOOST_TEST(p->get_address() == 3 * kPage + 0x180);
  BOOST_TEST(b.upper.answered_at(p) == now() + 9 * kNs);
  BOOST_TEST(b.mmu.idle());
}

BOOST_AUTO_TEST_CASE(a_payload_without_sideband_gets_its_address_back) {
  struct Manager : tlm::tlm_mm_interface {
    void free(Payload* p) override { p->reset(); }
  } manager;
  std::array<unsigned char, kLineBytes> data{};
  Payload p(&manager);
  p.set_command(tlm::TLM_READ_COMMAND);
  p.set_address(kPage);
  p.set_data_ptr(data.data());
  p.set_data_length(kLineBytes);
  p.set_streaming_width(kLineBytes);
  Bench b;
  {
    const PayloadRef ref(p);
    b.upper.send(ref);
    BOOST_TEST(p.get_address() == (kShift + 1) * kPage);
    b.lower.respond(ref);
    BOOST_TEST(p.get_address() == kPage);
    b.upper.answers.clear(), b.upper.accepted.clear(), b.lower.arrivals.clear();
  }
}

BOOST_AUTO_TEST_CASE(a_miss_costs_its_latency_and_a_hit_nothing) {
  Bench b;
  BOOST_TEST(b.latency_of(1) == kMissLatency);
  BOOST_TEST(b.latency_of(1) == 0);
  BOOST_TEST(b.latency_of(2) == kMissLatency);
  BOOST_TEST(b.latency_of(1) == 0);
  BOOST_TEST(counter(b.mmu, "tlb_hits") == 2U);
  BOOST_TEST(counter(b.mmu, "tlb_misses") == 2U);
  BOOST_TEST(counter(b.mmu, "translations") == 4U);
}

BOOST_AUTO_TEST_CASE(sixteen_pages_in_a_cycle_hit_and_seventeen_all_miss) {
  Bench b;
  for (unsigned round = 0; round < 3; ++round)
    for (unsigned page = 0; page < 16; ++page) BOOST_TEST(b.latency_of(page) == (round == 0 ? kMissLatency : 0));
  b.mmu.flush_tlb();
  for (unsigned round = 0; round < 3; ++round)
    for (unsigned page = 0; page < 17; ++page) BOOST_TEST(b.latency_of(page) == kMissLatency);
}

BOOST_AUTO_TEST_CASE(requests_leave_in_order_and_misses_overlap) {
  Bench b;
  b.latency_of(1);
  const Fs start = now();
  b.upper.send(b.request(2 * kPage), 0);         // miss
  b.upper.send(b.request(1 * kPage), kNs);       // hit, must not overtake
  b.upper.send(b.request(3 * kPage), 2 * kNs);   // miss, overlaps the first
  b.upper.send(b.request(1 * kPage), 10 * kNs);  // hit, nothing ahead of it
  const Fs expected[] = {kMissLatency, kMissLatency, 2 * kNs + kMissLatency, 10 * kNs};
  for (unsigned i = 0; i < 4; ++i) BOOST_TEST(b.lower.arrivals[i + 1].time == start + expected[i]);
  const Fs accepted[] = {0, kNs, 2 * kNs, 10 * kNs};
  for (unsigned i = 0; i < 4; ++i) BOOST_TEST(b.upper.accepted[i + 1].time == start + accepted[i]);
}

BOOST_AUTO_TEST_CASE(a_late_end_request_below_is_passed_up_less_the_time_in_here) {
  Bench b;
  b.lower.accept_delay = 7 * kNs;
  const PayloadRef first = b.request(kPage), second = b.request(kPage);
  b.upper.send(first);
  BOOST_TEST(b.upper.accepted_at(first) == 7 * kNs);
  b.lower.accept_delay = 0;
  b.run(7 * kNs);
  b.upper.send(second);  // the arrow below is taken until 7 ns and the miss latency are over
  BOOST_TEST(b.lower.arrivals[1].time == 7 * kNs + kMissLatency);
}

BOOST_AUTO_TEST_CASE(a_withheld_end_request_is_relayed_up) {
  Bench b;
  b.lower.withhold = true;
  const PayloadRef p = b.request(kPage);
  BOOST_TEST((b.upper.send(p) == Sent::withheld));
  std::ostringstream text;
  b.mmu.explain(text);
  BOOST_TEST(text.str().find("END_REQ") != std::string::npos);
  b.run(20 * kNs);
  BOOST_TEST(b.upper.accepted_at(p) == kNever);
  b.lower.accept(kMissLatency + kNs);
  BOOST_TEST(b.upper.accepted_at(p) == 21 * kNs);
  b.lower.respond(p);
  BOOST_TEST(b.upper.answered(p));
  BOOST_TEST(p->get_address() == kPage);
  const PayloadRef next = b.request(kPage);
  b.lower.withhold = false;
  b.upper.send(next);
  BOOST_TEST(b.lower.arrivals[1].time == 21 * kNs + kMissLatency);
}

BOOST_AUTO_TEST_CASE(an_unmapped_address_is_answered_with_an_address_error) {
  Bench b;
  const PayloadRef p = b.request(64 * kPage);
  BOOST_TEST((b.upper.send(p) == Sent::responded));
  BOOST_TEST(p->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(p->get_address() == 64 * kPage);
  BOOST_TEST(b.upper.answered_at(p) == now() + kMissLatency);
  BOOST_TEST(b.lower.arrivals.empty());
  BOOST_TEST(counter(b.mmu, "faults") == 1U);
  BOOST_TEST(b.mmu.idle());
}

BOOST_AUTO_TEST_CASE(an_error_at_the_door_below_comes_up_with_the_virtual_address) {
  Bench b;
  b.lower.faulty.insert((kShift + 1) * kPage);
  const PayloadRef p = b.request(kPage);
  BOOST_TEST((b.upper.send(p) == Sent::responded));
  BOOST_TEST(p->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(p->get_address() == kPage);
  BOOST_TEST(b.mmu.idle());
}

BOOST_AUTO_TEST_CASE(a_system_barrier_is_not_translated_and_keeps_its_place) {
  Bench b;
  const PayloadRef barrier = b.pool.line(tlm::TLM_IGNORE_COMMAND, 0xdead0000000, Operation::system_barrier);
  b.upper.send(b.request(kPage));
  b.upper.send(barrier);
  BOOST_TEST(b.lower.arrivals[1].time == kMissLatency);
  BOOST_TEST(barrier->get_address() == 0xdead0000000U);
  b.lower.respond(barrier);
  BOOST_TEST(b.upper.answered(barrier));
  BOOST_TEST(barrier->get_address() == 0xdead0000000U);
  BOOST_TEST(counter(b.mmu, "translations") == 1U);
}

BOOST_AUTO_TEST_CASE(a_page_table_change_shows_after_a_shootdown) {
  Bench b;
  b.latency_of(1);
  b.table.clear();
  b.table.map(0, 0, 64 * kPage);
  b.mmu.flush_tlb();
  const PayloadRef p = b.request(kPage);
  b.upper.send(p);
  BOOST_TEST(p->get_address() == kPage);
  BOOST_TEST(counter(b.mmu, "tlb_misses") == 2U);
}

BOOST_AUTO_TEST_CASE(debug_accesses_are_translated_without_the_tlb) {
  Bench b;
  b.lower.line((kShift + 2) * kPage).fill(0x42);
  const PayloadRef p = b.request(2 * kPage), outside = b.request(64 * kPage);
  BOOST_TEST(b.upper.socket->transport_dbg(*p) == kLineBytes);
  BOOST_TEST(p->get_data_ptr()[5] == 0x42);
  BOOST_TEST(p->get_address() == 2 * kPage);
  BOOST_TEST(b.upper.socket->transport_dbg(*outside) == 0U);
  outside->set_address(64 * kPage - 64);
  BOOST_TEST(b.upper.socket->transport_dbg(*outside) == 0U);  // it would run past the page
  BOOST_TEST(counter(b.mmu, "translations") == 0U);
}

BOOST_AUTO_TEST_CASE(a_debug_write_below_is_announced_for_every_alias) {
  Bench b;
  b.table.map(80 * kPage, (kShift + 4) * kPage, kPage);
  b.lower.socket.announce_debug_write((kShift + 4) * kPage + 16, (kShift + 4) * kPage + 31);
  BOOST_REQUIRE(b.upper.debug_written.size() == 2U);
  std::sort(b.upper.debug_written.begin(), b.upper.debug_written.end());
  BOOST_TEST(b.upper.debug_written[0].first == 4 * kPage + 16);
  BOOST_TEST(b.upper.debug_written[0].second == 4 * kPage + 31);
  BOOST_TEST(b.upper.debug_written[1].first == 80 * kPage + 16);
  b.lower.socket.announce_debug_write(0, kPage - 1);
  BOOST_TEST(b.upper.debug_written.size() == 2U);
}

BOOST_AUTO_TEST_CASE(random_requests_arrive_once_in_order_at_the_right_address) {
  Bench b;
  std::mt19937 random(11);
  const auto up_to = [&random](unsigned ns) { return static_cast<Fs>(random() % ns) * kNs; };
  std::vector<std::uint64_t> expected;
  std::vector<PayloadRef> open;
  for (unsigned i = 0; i < 3000; ++i) {
    b.lower.withhold = random() % 4 == 0;
    b.lower.accept_delay = up_to(3);
    if (!b.upper.socket.busy()) {
      const std::uint64_t address = random() % 20 * kPage + random() % 4096 * kLineBytes;
      const PayloadRef p = b.request(address);
      find_sideband(*p)->cookie = address;
      b.upper.send(p, up_to(5));
      expected.push_back(address + kShift * kPage);
      open.push_back(p);
    } else if (random() % 2 == 0) {
      b.lower.accept(up_to(5));
    }
    if (!open.empty() && random() % 2 == 0 && !b.upper.socket.busy()) {
      const std::size_t k = random() % open.size();
      b.lower.respond(open[k]);
      BOOST_TEST_REQUIRE(open[k]->get_address() == find_sideband(*open[k])->cookie);
      open.erase(open.begin() + static_cast<std::ptrdiff_t>(k));
    }
    b.run(8 * kNs + up_to(8));
  }
  if (b.upper.socket.busy()) b.lower.accept();
  for (const PayloadRef& p : open) b.lower.respond(p);
  open.clear();
  BOOST_TEST_REQUIRE(b.lower.arrivals.size() == expected.size());
  for (std::size_t i = 1; i < expected.size(); ++i) {
    BOOST_TEST_REQUIRE(b.lower.arrivals[i].address == expected[i]);
    BOOST_TEST_REQUIRE(b.lower.arrivals[i].time >= b.lower.arrivals[i - 1].time);
  }
  BOOST_TEST(b.upper.answers.size() == expected.size());
  b.upper.answers.clear(), b.upper.accepted.clear(), b.lower.arrivals.clear();
  BOOST_TEST(b.mmu.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(reset_in_the_middle_of_traffic_leaks_nothing) {
  Bench b;
  b.latency_of(1);
  b.upper.send(b.request(2 * kPage));
  b.lower.withhold = true;
  b.upper.send(b.request(3 * kPage));
  b.mmu.reset();
  b.watch.reset(true);
  b.upper.socket.reset();
  b.lower.socket.reset();
  b.lower.forget_withheld();
  b.upper.answers.clear(), b.upper.accepted.clear(), b.lower.arrivals.clear();
  BOOST_TEST(b.mmu.idle());
  BOOST_TEST(b.pool.outstanding() == 0U);
  BOOST_TEST(counter(b.mmu, "translations") == 0U);
  b.lower.withhold = false;
  BOOST_TEST(b.latency_of(1) == kMissLatency);
}

BOOST_AUTO_TEST_CASE(the_tlb_can_be_looked_into_and_set) {
  Bench b;
  b.latency_of(1);
  b.latency_of(2);
  BOOST_REQUIRE(b.mmu.tlb().size() == 2U);
  BOOST_TEST(b.mmu.tlb()[0].virtual_base == 2 * kPage);  // the one used last
  std::vector<Page> pages;
  for (std::uint64_t page = 10; page < 30; ++page) pages.push_back({page * kPage, (kShift + page) * kPage, kPage});
  b.mmu.set_tlb(pages);
  BOOST_TEST(b.mmu.tlb().size() == 16U);
  BOOST_TEST(b.latency_of(25) == 0);
  BOOST_TEST(b.latency_of(26) == kMissLatency);  // in place of page 24, by now the least recently used
  BOOST_TEST(b.latency_of(24) == kMissLatency);
}

BOOST_AUTO_TEST_CASE(time_lost_to_a_withheld_end_request_is_counted) {
  Bench b;
  b.lower.withhold = true;
  const PayloadRef p = b.request(kPage);
  b.upper.send(p);
  b.run(20 * kNs);
  BOOST_TEST(b.mmu.stall_time(Mmu::Stall::network) == 20 * kNs);
  b.lower.accept(kMissLatency + kNs);  // on time for a next request at 21 ns
  BOOST_TEST(b.mmu.stall_time(Mmu::Stall::network) == 21 * kNs);
  b.lower.withhold = false;
  b.run(30 * kNs);
  b.upper.send(b.request(kPage));
  BOOST_TEST(counter(b.mmu, "stall_network") == 21U);
  b.lower.respond(p);
}
