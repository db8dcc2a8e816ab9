// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <sstream>

#include "l1_bench.h"

using namespace gputlm;
using namespace gputlm::l1_bench;

namespace {
constexpr std::uint64_t kLine = 0x40000;
}

BOOST_AUTO_TEST_CASE(a_load_misses_once_and_hits_afterwards) {
  Bench b;
  b.memory.line(kLine).fill(0x5a);
  const PayloadRef first = b.load(kLine);
  BOOST_TEST(b.complete(first) == 1U);
  BOOST_TEST(first->get_data_ptr()[77] == 0x5a);
  const PayloadRef second = b.load(kLine);
  BOOST_TEST(b.complete(second) == 0U);
  BOOST_TEST(second->get_data_ptr()[77] == 0x5a);
  BOOST_TEST(second->is_response_ok());
  BOOST_TEST(counter(b.l1, "load_hits") == 1U);
  BOOST_TEST(counter(b.l1, "load_misses") == 1U);
  BOOST_TEST(b.l1.idle());
}

BOOST_AUTO_TEST_CASE(a_miss_asks_for_the_lacking_sectors_only) {
  Bench b;
  b.complete(b.load(kLine, ByteMask::sectors(0x1)));
  b.lsu.send(b.load(kLine, ByteMask::sectors(0x7)));
  const Payload& child = *b.memory.last();
  BOOST_TEST(child.get_address() == kLine);
  BOOST_TEST((ByteMask::of(child) == ByteMask::sectors(0x6)));
  BOOST_TEST(find_sideband(child)->creator == static_cast<const void*>(&b.l1));
  BOOST_TEST((find_sideband(child)->semantics == Semantics::weak));
  b.memory.respond(b.memory.last());
  BOOST_TEST(counter(b.l1, "partial_hits") == 1U);
}

BOOST_AUTO_TEST_CASE(a_byte_exact_load_asks_for_its_bytes_only) {
  Bench b;
  b.lsu.send(b.load(kLine, ByteMask::range(4, 8)));
  BOOST_TEST((ByteMask::of(*b.memory.last()) == ByteMask::range(4, 8)));
  b.memory.respond(b.memory.last());
  BOOST_TEST(b.loads_from_l1(kLine, ByteMask::range(5, 3)));
  BOOST_TEST(!b.loads_from_l1(kLine, ByteMask::range(4, 9)));
}

BOOST_AUTO_TEST_CASE(a_load_leaves_bytes_that_it_does_not_want) {
  Bench b;
  b.memory.line(kLine).fill(1);
  const PayloadRef missing = b.load(kLine, ByteMask::range(8, 4)), hitting = b.load(kLine, ByteMask::range(8, 4));
  b.complete(missing);
  b.complete(hitting);
  for (const PayloadRef& p : {missing, hitting}) {
    BOOST_TEST(p->get_data_ptr()[8] == 1);
    BOOST_TEST(p->get_data_ptr()[7] == 0xee);
    BOOST_TEST(p->get_data_ptr()[12] == 0xee);
  }
}

BOOST_AUTO_TEST_CASE(a_store_miss_allocates_its_bytes_without_a_fetch_and_passes_on) {
  Bench b;
  const PayloadRef store = b.store(kLine, ByteMask::range(0, 40), 9);
  BOOST_TEST(b.complete(store) == 1U);
  BOOST_TEST(b.memory.last().get() == store.get());
  BOOST_TEST(b.lsu.answered(store));
  BOOST_TEST(b.memory.line(kLine)[39] == 9);
  BOOST_TEST(counter(b.l1, "fills") == 0U);
  BOOST_TEST(b.loads_from_l1(kLine, ByteMask::sectors(0x1)));
  BOOST_TEST(!b.loads_from_l1(kLine, ByteMask::sectors(0x2)));  // eight of its bytes are valid
}

BOOST_AUTO_TEST_CASE(a_store_hit_updates_the_slot) {
  Bench b;
  b.memory.line(kLine).fill(1);
  b.complete(b.load(kLine));
  b.complete(b.store(kLine, ByteMask::range(3, 1), 2));
  const PayloadRef load = b.load(kLine);
  BOOST_TEST(b.complete(load) == 0U);
  BOOST_TEST(load->get_data_ptr()[3] == 2);
  BOOST_TEST(load->get_data_ptr()[4] == 1);
  BOOST_TEST(counter(b.l1, "store_hits") == 1U);
}

BOOST_AUTO_TEST_CASE(a_weak_load_may_hit_a_stale_line) {
  Bench b;
  b.memory.line(kLine).fill(1);
  b.complete(b.load(kLine));
  b.memory.line(kLine).fill(2);  // another SM stored
  BOOST_TEST(b.loaded(kLine, 0) == 1);
}

BOOST_AUTO_TEST_CASE(relaxed_cta_loads_hit_and_gpu_and_sys_loads_do_not) {
  Bench b;
  b.complete(b.load(kLine));
  BOOST_TEST(b.complete(b.load(kLine, ByteMask::full(), Semantics::relaxed, Scope::cta)) == 0U);
  BOOST_TEST(b.complete(b.load(kLine, ByteMask::full(), Semantics::acquire, Scope::cta)) == 0U);
  BOOST_TEST(b.complete(b.load(kLine, ByteMask::full(), Semantics::relaxed, Scope::gpu)) == 1U);
  BOOST_TEST(!b.loads_from_l1(kLine));
  BOOST_TEST(b.complete(b.load(kLine, ByteMask::full(), Semantics::relaxed, Scope::sys)) == 1U);
  BOOST_TEST(counter(b.l1, "strong_bypasses") == 2U);
}

BOOST_AUTO_TEST_CASE(a_strong_load_sees_past_a_stale_line_and_drops_it) {
  Bench b;
  b.memory.line(kLine).fill(1);
  b.complete(b.load(kLine));
  b.memory.line(kLine).fill(2);
  const PayloadRef strong = b.strong_load(kLine);
  b.complete(strong);
  BOOST_TEST(strong->get_data_ptr()[0] == 2);
  BOOST_TEST(b.loaded(kLine, 0) == 2);
}

BOOST_AUTO_TEST_CASE(reductions_and_atomics_drop_the_line_and_pass_on) {
  Bench b;
  for (const Operation operation : {Operation::reduction, Operation::atomic}) {
    b.complete(b.load(kLine));
    b.complete(b.load(kLine + kLineBytes));
    const PayloadRef p = b.special(operation, kLine);
    BOOST_TEST(b.complete(p) == 1U);
    BOOST_TEST(b.lsu.answered(p));
    BOOST_TEST(!b.loads_from_l1(kLine));
    BOOST_TEST(b.loads_from_l1(kLine + kLineBytes));
  }
}

BOOST_AUTO_TEST_CASE(an_invalidate_is_executed_at_once_and_drops_every_line) {
  Bench b;
  b.complete(b.load(kLine));
  b.complete(b.store(kLine + kLineBytes, ByteMask::full(), 1));
  const PayloadRef p = b.special(Operation::l1_invalidate);
  BOOST_TEST((b.lsu.send(p) == Sent::responded));
  BOOST_TEST(p->is_response_ok());
  BOOST_TEST(find_sideband(*p)->executed);
  BOOST_TEST(!b.loads_from_l1(kLine));
  BOOST_TEST(!b.loads_from_l1(kLine + kLineBytes));
  BOOST_TEST(counter(b.l1, "invalidates") == 1U);
}

BOOST_AUTO_TEST_CASE(a_kernel_boundary_drops_every_line) {
  Bench b;
  b.complete(b.load(kLine));
  b.l1.invalidate_all();
  BOOST_TEST(!b.loads_from_l1(kLine));
}

BOOST_AUTO_TEST_CASE(a_system_barrier_passes_untouched) {
  Bench b;
  b.complete(b.load(0));
  const PayloadRef p = b.special(Operation::system_barrier);
  BOOST_TEST(b.complete(p) == 1U);
  BOOST_TEST(b.memory.last().get() == p.get());
  BOOST_TEST(b.lsu.answered(p));
  BOOST_TEST(b.loads_from_l1(0));
}

BOOST_AUTO_TEST_CASE(a_payload_without_sideband_goes_past_as_a_strong_load) {
  struct Manager : tlm::tlm_mm_interface {
    void free(Payload* p) override { p->reset(); }
  } manager;
  std::array<unsigned char, kLineBytes> data{};
  Payload p(&manager);
  p.set_command(tlm::TLM_READ_COMMAND);
  p.set_address(kLine);
  p.set_data_ptr(data.data());
  p.set_data_length(kLineBytes);
  p.set_streaming_width(kLineBytes);
  Bench b;
  b.complete(b.load(kLine));
  b.memory.line(kLine).fill(7);
  {
    const PayloadRef ref(p);
    BOOST_TEST(b.complete(ref) == 1U);
    b.lsu.answers.clear(), b.lsu.accepted.clear(), b.memory.arrivals.clear();
  }
  BOOST_TEST(data[0] == 7);
  BOOST_TEST(!b.loads_from_l1(kLine));
}

BOOST_AUTO_TEST_CASE(loads_of_bytes_on_their_way_share_one_fill) {
  Bench b;
  b.memory.line(kLine).fill(4);
  const PayloadRef a = b.load(kLine), c = b.load(kLine, ByteMask::sectors(0x2)), d = b.load(kLine);
  b.lsu.send(a);
  b.run(20 * kNs);
  b.lsu.send(c);
  b.lsu.send(d);
  BOOST_TEST(b.memory.arrivals.size() == 1U);
  b.memory.respond(b.memory.last());
  for (const PayloadRef& p : {a, c, d}) BOOST_TEST(b.lsu.answered(p));
  BOOST_TEST(d->get_data_ptr()[127] == 4);
  BOOST_TEST(counter(b.l1, "fills_merged") == 2U);
  BOOST_TEST(counter(b.l1, "fills") == 1U);
}

BOOST_AUTO_TEST_CASE(a_load_that_no_fill_covers_asks_for_all_it_lacks) {
  Bench b;
  b.lsu.send(b.load(kLine, ByteMask::sectors(0x1)));
  b.lsu.send(b.load(kLine, ByteMask::sectors(0x3)));
  BOOST_TEST((ByteMask::of(*b.memory.last()) == ByteMask::sectors(0x3)));
  BOOST_TEST(b.memory.arrivals.size() == 2U);
}

BOOST_AUTO_TEST_CASE(errors_below_reach_every_waiting_load_and_install_nothing) {
  Bench b;
  const PayloadRef a = b.load(kLine), c = b.load(kLine);
  b.lsu.send(a);
  b.lsu.send(c);
  b.memory.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  b.memory.respond(b.memory.last());
  BOOST_TEST(a->get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
  BOOST_TEST(c->get_response_status() == tlm::TLM_GENERIC_ERROR_RESPONSE);
  b.memory.status = tlm::TLM_OK_RESPONSE;
  BOOST_TEST(!b.loads_from_l1(kLine));
}

BOOST_AUTO_TEST_CASE(a_fault_at_the_door_completes_the_load_the_store_and_the_strong_load) {
  Bench b;
  b.memory.faulty.insert(kLine);
  for (const PayloadRef& p : {b.load(kLine), b.store(kLine, ByteMask::full(), 1), b.strong_load(kLine)}) {
    BOOST_TEST((b.lsu.send(p) == Sent::responded));
    BOOST_TEST(p->get_response_status() == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  BOOST_TEST(b.l1.idle());
}

BOOST_AUTO_TEST_CASE(a_store_that_failed_leaves_no_bytes_behind) {
  Bench b;
  b.memory.faulty.insert(kLine);
  b.lsu.send(b.store(kLine, ByteMask::full(), 1));
  const PayloadRef load = b.load(kLine);
  BOOST_TEST((b.lsu.send(load) == Sent::responded));
  BOOST_TEST(load->is_response_error());
  b.memory.status = tlm::TLM_GENERIC_ERROR_RESPONSE;
  b.complete(b.store(kLine + kLineBytes, ByteMask::full(), 1));
  b.memory.status = tlm::TLM_OK_RESPONSE;
  BOOST_TEST(!b.loads_from_l1(kLine + kLineBytes));
}

BOOST_AUTO_TEST_CASE(malformed_requests_are_answered_with_their_error) {
  Bench b;
  const auto status_of = [&](const PayloadRef& p) {
    BOOST_TEST((b.lsu.send(p) == Sent::responded));
    return p->get_response_status();
  };
  BOOST_TEST(status_of(b.load(kLine + 4)) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  PayloadRef p = b.load(kLine);
  p->set_data_length(64);
  BOOST_TEST(status_of(p) == tlm::TLM_BURST_ERROR_RESPONSE);
  p = b.load(kLine);
  p->set_byte_enable_length(64);
  BOOST_TEST(status_of(p) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  BOOST_TEST(status_of(b.special(Operation::fence)) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  p = b.store(kLine, ByteMask::full(), 1);
  find_sideband(*p)->operation = Operation::load;
  BOOST_TEST(status_of(p) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  BOOST_TEST(b.memory.arrivals.empty());
}

BOOST_AUTO_TEST_CASE(strict_lru_over_five_lines_of_one_set) {
  Bench b;
  const auto lines = lines_of_one_set(b.l1, 5, kLine);
  for (unsigned i = 0; i < 4; ++i) b.complete(b.load(lines[i]));
  BOOST_TEST(b.loads_from_l1(lines[0]));
  BOOST_TEST(!b.loads_from_l1(lines[4]));  // replaces lines[1]
  BOOST_TEST(b.loads_from_l1(lines[0]));
  BOOST_TEST(b.loads_from_l1(lines[2]));
  BOOST_TEST(b.loads_from_l1(lines[3]));
  BOOST_TEST(!b.loads_from_l1(lines[1]));
  BOOST_TEST(counter(b.l1, "evictions") == 2U);
}

BOOST_AUTO_TEST_CASE(a_store_hit_and_a_partial_hit_count_as_use) {
  Bench b;
  const auto lines = lines_of_one_set(b.l1, 6, kLine);
  for (unsigned i = 0; i < 4; ++i) b.complete(b.load(lines[i], ByteMask::sectors(0x1)));
  b.complete(b.store(lines[0], ByteMask::range(0, 4), 1));
  b.complete(b.load(lines[1], ByteMask::sectors(0x3)));
  b.complete(b.load(lines[4]));  // replaces lines[2]
  b.complete(b.load(lines[5]));  // replaces lines[3]
  for (const unsigned i : {0U, 1U, 4U, 5U}) BOOST_TEST(b.loads_from_l1(lines[i], ByteMask::sectors(0x1)));
}

BOOST_AUTO_TEST_CASE(five_lines_of_one_set_in_a_cycle_never_hit) {
  Bench b;
  const auto lines = lines_of_one_set(b.l1, 5, kLine);
  for (unsigned round = 0; round < 4; ++round)
    for (const std::uint64_t line : lines) BOOST_TEST(!b.loads_from_l1(line));
  BOOST_TEST(counter(b.l1, "load_hits") == 0U);
}

BOOST_AUTO_TEST_CASE(a_carve_out_leaves_fewer_ways) {
  Bench b;
  const auto lines = lines_of_one_set(b.l1, 3, kLine);
  for (const std::uint64_t line : lines) b.complete(b.load(line));
  b.l1.set_ways(2);
  BOOST_TEST(!b.loads_from_l1(lines[2]));
  for (unsigned round = 0; round < 2; ++round)
    for (const std::uint64_t line : lines) BOOST_TEST(!b.loads_from_l1(line));
}

BOOST_AUTO_TEST_CASE(the_backdoor_sets_and_shows_a_slot) {
  Bench b;
  Memory::Line image;
  image.fill(0x33);
  b.l1.set_slot(2, kLine, ByteMask::sectors(0x3), image.data());
  const auto view = b.l1.slot(b.l1.set_of(kLine), 2);
  BOOST_REQUIRE(view.has_value());
  BOOST_TEST(view->line == kLine);
  BOOST_TEST((view->valid == ByteMask::sectors(0x3)));
  BOOST_TEST(view->data[10] == 0x33);
  BOOST_TEST(!b.l1.slot(b.l1.set_of(kLine), 1).has_value());
  BOOST_TEST(b.loads_from_l1(kLine, ByteMask::sectors(0x3)));
  b.l1.set_slot(0, kLine, ByteMask::sectors(0x1), image.data());  // a line has one slot
  BOOST_TEST(!b.l1.slot(b.l1.set_of(kLine), 2).has_value());
}

BOOST_AUTO_TEST_CASE(the_observer_hears_everything_in_order) {
  Bench b;
  Diary diary;
  b.l1.observer = &diary;
  const auto lines = lines_of_one_set(b.l1, 5, kLine);
  b.complete(b.store(lines[0], ByteMask::range(0, 4), 1));
  b.complete(b.load(lines[0]));
  BOOST_TEST(diary.all() == "allocate store fill answer");
  BOOST_TEST((diary.installed == ~ByteMask::range(0, 4)));
  BOOST_TEST((diary.captured == ByteMask::range(0, 4)));
  diary.entries.clear();
  b.complete(b.load(lines[0]));
  b.complete(b.strong_load(lines[0]));
  BOOST_TEST(diary.all() == "hit drop");
  for (const std::uint64_t line : lines) b.complete(b.store(line, ByteMask::full(), 1));
  diary.entries.clear();
  b.complete(b.store(lines[0], ByteMask::full(), 1));
  BOOST_TEST(diary.all() == "drop allocate store");
  diary.entries.clear();
  b.lsu.send(b.special(Operation::l1_invalidate));
  BOOST_TEST(diary.all() == "invalidate");
}

BOOST_AUTO_TEST_CASE(explain_names_what_waits_and_is_silent_when_idle) {
  Bench b;
  std::ostringstream idle, busy;
  b.l1.explain(idle);
  BOOST_TEST(idle.str().empty());
  b.lsu.send(b.load(kLine));
  b.lsu.send(b.store(kLine, ByteMask::full(), 1));
  b.l1.explain(busy);
  BOOST_TEST(busy.str().find("load of line 0x40000 (a fill, 1 loads wait for it) is missing since") !=
             std::string::npos);
  BOOST_TEST(busy.str().find("1 requests that went on") != std::string::npos);
  BOOST_TEST(!b.l1.idle());
}
