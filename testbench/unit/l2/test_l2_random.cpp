// SPDX-License-Identifier: Apache-2.0
//
// Random traffic against flat memory: few sets and ways, so that every trap is met many times; every byte of every load
// and atomic is compared, the janitor's limit is watched, and at the end memory must be whole.
#include "gputlm/test_support/sc_test.h"
// (first: Boost.Test and SystemC)
#include <random>

#include "l2_reference.h"

using namespace gputlm;

namespace {

struct Plan {
  unsigned seed = 1;
  L2Spec spec = bench_spec();
  unsigned lines = 24;  // of 16 slots
  unsigned requests = 4000;
  bool random_back_pressure = false;
  unsigned stores = 40, loads = 40, flushes = 0;  // per cent; the rest are atomics
};

ByteMask random_mask(std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      return ByteMask::full();
    case 1:
      return ByteMask::sectors(static_cast<SectorSet>(random() % 16));
    case 2:
      return ByteMask::range(random() % 128, 1 + random() % 40);
    default:
      return ByteMask(std::uint64_t{random()} << 32 | random(), std::uint64_t{random()} << 32 | random());
  }
}

PayloadRef random_request(L2Bench& b, const Plan& plan, std::mt19937& random) {
  const std::uint64_t line = std::uint64_t{random() % plan.lines} * kLineBytes;
  const unsigned dice = random() % 100;
  if (dice < plan.stores) return b.store(line, random_mask(random), random());
  if (dice < plan.stores + plan.loads)
    return b.load(line, plan.spec.partial_sector_load == "fetch"
                            ? ByteMask::sectors(static_cast<SectorSet>(random() % 16))
                            : random_mask(random));
  static constexpr AtomicFunction functions[] = {AtomicFunction::add, AtomicFunction::exchange,
                                                 AtomicFunction::bit_xor};
  PayloadRef p =
      b.atomic(line, 0, functions[random() % 3], 0, random() % 2 != 0 ? Operation::atomic : Operation::reduction);
  ByteMask words;
  for (unsigned word = 0; word < 32; ++word)
    if (random() % 4 == 0) words |= ByteMask::range(4 * word, 4);
  for (unsigned i = 0; i < kLineBytes; ++i) p->get_data_ptr()[i] = static_cast<unsigned char>(random());
  set_enables(*p, words);
  return p;
}

void run_plan(const Plan& plan) {
  std::mt19937 random(plan.seed);
  L2Bench b(plan.spec);
  L2Reference reference(b);
  b.controller.sample_late = plan.seed % 2 != 0;
  Fs at = 0;
  for (unsigned i = 0; i < plan.requests; ++i) {
    if (random() % 50 == 0) at += static_cast<Fs>(random() % 300) * kFsPerNs;  // idle now and then
    at += kFsPerNs;
    b.crossbar.send(random_request(b, plan, random), at);
  }
  unsigned quiet = 0;
  while (quiet < 3) {
    b.run_ns(static_cast<double>(1 + random() % 60));
    for (unsigned set = 0; set < plan.spec.sets; ++set)
      if (plan.spec.janitor.policy == "threshold")
        BOOST_REQUIRE_LE(b.slice.dirty_lines(set), plan.spec.janitor.dirty_threshold);
    b.controller.read_time = static_cast<Fs>(20 + random() % 200) * kFsPerNs;
    if (plan.random_back_pressure) {
      b.controller.withhold_writes = random() % 3 != 0;
      b.controller.withhold_reads = random() % 3 == 0;
      b.controller.write_accept_delay = random() % 2 != 0 ? 0 : 3 * kFsPerNs;
      b.controller.read_accept_delay = random() % 2 != 0 ? 0 : 2 * kFsPerNs;
      if (b.controller.write_waits() && random() % 2 != 0) b.controller.accept_write();
      if (b.controller.read_waits() && random() % 2 != 0) b.controller.accept_read();
    }
    if (plan.flushes > 0 && random() % 1000 < plan.flushes) b.slice.flush();
    const bool done = b.crossbar.answer_order.size() == plan.requests && b.slice.idle();
    quiet = done ? quiet + 1 : 0;
    BOOST_REQUIRE_LT(now(), Fs{plan.requests} * 2000 * kFsPerNs);  // nothing may hang
  }
  for (const auto& record : b.crossbar.records) BOOST_REQUIRE_EQUAL(record.status, tlm::TLM_OK_RESPONSE);
  const L2Counters& c = b.slice.counters();
  BOOST_CHECK_EQUAL(c.stores + c.loads + c.atomics + c.reductions, plan.requests);
  BOOST_CHECK_EQUAL(reference.checked, c.loads + c.atomics + c.reductions);
  reference.check_memory();

  b.slice.flush();
  b.controller.withhold_writes = b.controller.withhold_reads = false;
  b.settle();
  BOOST_CHECK_EQUAL(b.slice.dirty_bytes(), 0U);
  BOOST_CHECK_EQUAL(b.slice.dirty_lines(), 0U);
  BOOST_CHECK_EQUAL(b.slice.invalidate_clean(), 0U);
  for (unsigned line = 0; line < plan.lines; ++line)
    BOOST_REQUIRE(b.controller.memory(line * kLineBytes) == reference.memory(line * kLineBytes));
  b.check_at_rest();
}

}  // namespace

BOOST_AUTO_TEST_CASE(hardware_policies_lose_and_invent_nothing) {
  Plan plan;
  plan.spec.janitor = {"threshold", 2, "any_store"};
  run_plan(plan);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_under_random_back_pressure) {
  Plan plan;
  plan.seed = 2;
  plan.spec.janitor = {"threshold", 2, "any_store"};
  plan.spec.fetch_entries = 3;
  plan.spec.write_back_entries = 2;
  plan.random_back_pressure = true;
  run_plan(plan);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_without_a_janitor_with_a_single_write_back_entry) {
  Plan plan;
  plan.seed = 3;
  plan.spec.write_back_entries = 1;
  plan.random_back_pressure = true;
  plan.stores = 70;
  plan.loads = 20;
  run_plan(plan);
}

BOOST_AUTO_TEST_CASE(nothing_is_lost_with_lru_new_line_trigger_and_flushes) {
  Plan plan;
  plan.seed = 4;
  plan.spec.replacement.policy = "lru";
  plan.spec.janitor = {"threshold", 3, "new_dirty_line"};
  plan.spec.fifo_drain_interval = 1;
  plan.flushes = 20;
  plan.random_back_pressure = true;
  run_plan(plan);
}

BOOST_AUTO_TEST_CASE(serve_valid_loads_of_any_bytes_are_right) {
  Plan plan;
  plan.seed = 5;
  plan.spec.partial_sector_load = "serve_valid";
  plan.spec.janitor = {"threshold", 2, "any_store"};
  plan.random_back_pressure = true;
  run_plan(plan);
}

BOOST_AUTO_TEST_CASE(atomics_on_missing_lines_keep_their_order_among_stores_and_loads) {
  Plan plan;
  plan.seed = 7;
  plan.spec.janitor = {"threshold", 2, "any_store"};
  plan.stores = 15;
  plan.loads = 25;
  plan.lines = 64;
  run_plan(plan);
}

BOOST_AUTO_TEST_CASE(one_way_per_set_still_makes_progress) {
  Plan plan;
  plan.seed = 8;
  plan.spec.ways = 1;
  plan.spec.sets = 2;
  plan.spec.janitor = {"threshold", 1, "any_store"};
  plan.requests = 1500;
  plan.random_back_pressure = true;
  run_plan(plan);
}
