// SPDX-License-Identifier: Apache-2.0
#include "gputlm/test_support/sc_test.h"

#include <random>

#include "lsu_bench.h"

using namespace gputlm;
using namespace gputlm::lsu_test;

namespace {

std::uint32_t lane_word(const Payload& p, unsigned lane) {
  std::uint32_t word = 0;
  std::memcpy(&word, p.get_data_ptr() + lane * 4UL, 4);
  return word;
}
void set_lane_word(Payload& p, unsigned lane, std::uint32_t word) {
  std::memcpy(p.get_data_ptr() + lane * 4UL, &word, 4);
}

/// The status that one access is answered with.
tlm::tlm_response_status status_of(Bench& bench, const PayloadRef& p, unsigned port = 0) {
  bench.initiators.send(now(), port, p);
  sc_core::sc_start();
  return bench.initiators[p].status;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_load_gathers_what_a_store_scattered) {
  Bench bench;
  const PayloadRef written = strided(bench.pool, Operation::store, 0x1003, 9, 8);
  const PayloadRef read = strided(bench.pool, Operation::load, 0x1003, 9, 8, 0x0ff0ff0fU);
  std::memset(read->get_data_ptr(), 0, 256);
  bench.initiators.send(0, 0, written);
  bench.initiators.send(from_ns(500), 3, read);
  bench.finish(2);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned b = 0; b < 8; ++b)
      BOOST_TEST(read->get_data_ptr()[lane * 8 + b] == ((0x0ff0ff0fU >> lane & 1U) != 0 ? register_byte(lane, b) : 0));
}

BOOST_AUTO_TEST_CASE(the_sideband_is_copied_to_the_line) {
  Bench bench;
  const PayloadRef p = with(strided(bench.pool, Operation::reduction, 0x2000, 8, 8), Semantics::relaxed, Scope::sys);
  Sideband& s = *find_sideband(*p);
  s.function = AtomicFunction::max_signed;
  s.eviction = EvictionClass::last;
  s.origin = {7, 11, 42, 3, 5};
  bench.initiators.send(0, 3, p);
  bench.finish(1);
  for (const auto& arrival : bench.l1.arrivals) {
    const Sideband& line = *find_sideband(*arrival.payload);
    BOOST_TEST((line.operation == Operation::reduction && line.function == AtomicFunction::max_signed));
    BOOST_TEST((line.scope == Scope::sys && line.semantics == Semantics::relaxed && line.word_bytes == 8));
    BOOST_TEST((line.eviction == EvictionClass::last && line.lanes == nullptr));
    BOOST_TEST((line.origin.warp == 11 && line.origin.instruction == 42 && line.origin.cta == 5));
    BOOST_TEST((arrival.payload->get_command() == tlm::TLM_IGNORE_COMMAND));
  }
}

BOOST_AUTO_TEST_CASE(load_enables_are_whole_sectors_or_exact_bytes) {
  LsuSpec spec = published_spec();
  spec.byte_exact_loads = true;
  Bench bench(spec);
  bench.initiators.send(0, 0, strided(bench.pool, Operation::load, 0x1024, 0, 4, 1));
  bench.finish(1);
  BOOST_TEST((bench.l1.arrivals[0].mask == ByteMask::range(0x24, 4)));
}

BOOST_AUTO_TEST_CASE(load_enables_are_whole_sectors_by_default) {
  Bench bench;
  bench.initiators.send(0, 0, strided(bench.pool, Operation::load, 0x1024, 0, 4, 1));
  bench.finish(1);
  BOOST_TEST((bench.l1.arrivals[0].mask == ByteMask::sectors(2)));
}

BOOST_AUTO_TEST_CASE(lanes_of_an_atomic_on_one_word_see_each_other_in_lane_order) {
  Bench bench;
  const PayloadRef p = with(strided(bench.pool, Operation::atomic, 0x3000, 0), Semantics::relaxed, Scope::gpu);
  for (unsigned i = 0; i < kLanes; ++i) set_lane_word(*p, i, 1);
  bench.initiators.send(0, 0, p);
  bench.finish(1);
  for (unsigned i = 0; i < kLanes; ++i) BOOST_TEST(lane_word(*p, i) == i);
  BOOST_TEST(find_sideband(*p)->executed);
}

BOOST_AUTO_TEST_CASE(compare_and_swap_carries_new_and_compared_values) {
  Bench bench;
  const PayloadRef p = strided(bench.pool, Operation::atomic, 0x3000, 4);
  find_sideband(*p)->function = AtomicFunction::compare_and_swap;
  finish_warp(*p);
  for (unsigned i = 0; i < kLanes; ++i) {
    set_lane_word(*p, i, 1000 + i);
    set_lane_word(*p, kLanes + i, i);  // even lanes will find this value
    std::uint32_t present = i % 2 == 0 ? i : 500 + i;
    std::memcpy(&bench.l1.line(0x3000)[i * 4], &present, 4);
  }
  bench.initiators.send(0, 0, p);
  bench.finish(1);
  for (unsigned i = 0; i < kLanes; ++i) {
    std::uint32_t left = 0;
    std::memcpy(&left, &bench.l1.line(0x3000)[i * 4], 4);
    BOOST_TEST(left == (i % 2 == 0 ? 1000 + i : 500 + i));
    BOOST_TEST(lane_word(*p, i) == (i % 2 == 0 ? i : 500 + i));
  }
}

BOOST_AUTO_TEST_CASE(an_access_without_active_lane_is_answered_at_once) {
  Bench bench;
  const PayloadRef p = strided(bench.pool, Operation::load, 0x1000, 4, 4, 0);
  bench.initiators.send(from_ns(1), 0, p);
  bench.finish(1);
  BOOST_TEST(bench.initiators[p].done == from_ns(1));
  BOOST_TEST(bench.initiators[p].status == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(bench.l1.arrivals.empty());
}

BOOST_AUTO_TEST_CASE(a_store_is_not_answered_before_its_last_acknowledgement) {
  Bench bench;
  bench.l1.latency = kNever;
  const PayloadRef p = strided(bench.pool, Operation::store, 0x1000, 64);
  bench.initiators.send(0, 0, p);
  bench.run_until(from_ns(100));
  BOOST_TEST(bench.l1.arrivals.size() == 16U);
  for (unsigned i = 0; i < 15; ++i) bench.l1.respond(bench.l1.arrivals[i].payload);
  bench.run_until(from_ns(200));
  BOOST_TEST(bench.initiators[p].done == kNever);
  BOOST_TEST((p->get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE));
  BOOST_TEST(bench.lsu.unacknowledged() == 1U);
  bench.l1.respond(bench.l1.arrivals[15].payload);
  bench.finish(1);
  BOOST_TEST(bench.initiators[p].done == from_ns(200));
}

BOOST_AUTO_TEST_CASE(a_faulty_line_fails_the_access_and_names_its_first_lane) {
  Bench bench;
  bench.l1.status = [](const Payload& p) {
    return p.get_address() == 0x1280 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE;
  };
  const PayloadRef p = strided(bench.pool, Operation::load, 0x1004, 64);
  BOOST_TEST(status_of(bench, p) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_REQUIRE(bench.watcher.faults.size() == 1U);
  BOOST_TEST(bench.watcher.faults[0].address == 0x1284U);
  bench.finish(1);
}

BOOST_AUTO_TEST_CASE(an_atomic_that_nobody_executes_is_a_command_error) {
  Bench bench;
  bench.l1.execute = false;
  const PayloadRef p = strided(bench.pool, Operation::atomic, 0x1000, 4);
  BOOST_TEST(status_of(bench, p) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  BOOST_TEST(!find_sideband(*p)->executed);
  bench.finish(1);
}

BOOST_AUTO_TEST_CASE(wrong_accesses_get_their_error_and_never_reach_l1) {
  Bench bench;
  auto misaligned = strided(bench.pool, Operation::atomic, 0x1002, 4);
  BOOST_TEST(status_of(bench, misaligned) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  auto narrow = strided(bench.pool, Operation::atomic, 0x1000, 4, 2);
  BOOST_TEST(status_of(bench, narrow) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(bench.watcher.faults.size() == 2U);  // a refused access is a fault as one that failed on the way
  auto odd = strided(bench.pool, Operation::load, 0x1000, 4);
  find_sideband(*odd)->lanes->lane_bytes = 3;
  BOOST_TEST(status_of(bench, odd) == tlm::TLM_BURST_ERROR_RESPONSE);
  auto short_data = load(bench.pool, 0x1000);
  short_data->set_data_length(64);
  BOOST_TEST(status_of(bench, short_data) == tlm::TLM_BURST_ERROR_RESPONSE);
  auto crossed = load(bench.pool, 0x1000);
  crossed->set_command(tlm::TLM_WRITE_COMMAND);
  BOOST_TEST(status_of(bench, crossed) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  auto foreign = bench.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::l1_invalidate);
  BOOST_TEST(status_of(bench, foreign, Bench::kExternal) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  auto atomic_line = bench.pool.line(tlm::TLM_IGNORE_COMMAND, 0, Operation::atomic);
  BOOST_TEST(status_of(bench, atomic_line, Bench::kExternal) == tlm::TLM_COMMAND_ERROR_RESPONSE);
  BOOST_TEST(bench.l1.arrivals.empty());
  bench.finish(7);
}

BOOST_AUTO_TEST_CASE(annotated_responses_count_from_their_time) {
  Bench bench;
  bench.l1.annotate = true;
  const PayloadRef l = load(bench.pool, 0x1000), f = fence(bench.pool, Scope::gpu);
  bench.l1.latency = from_ns(150);
  bench.initiators.send(0, 0, store(bench.pool, 0x2000));
  bench.initiators.send(0, 0, f);
  bench.initiators.send(from_ns(1000), 0, l);
  bench.finish(3);
  BOOST_TEST(bench.initiators[f].done >= from_ns(150));  // the acknowledgement is not there before its time
  BOOST_TEST(bench.initiators[l].done == from_ns(1150));
}

BOOST_AUTO_TEST_CASE(reset_in_mid_traffic_leaves_nothing_and_ignores_late_responses) {
  Bench bench;
  bench.l1.withhold = true;
  for (unsigned port = 0; port <= Bench::kExternal; ++port)
    for (unsigned i = 0; i < 40; ++i)
      bench.initiators.send(i, port, strided(bench.pool, Operation::store, i * 0x1000, 64));
  bench.initiators.send(0, 2, fence(bench.pool, Scope::sys));
  bench.run_until(from_ns(5));
  bench.l1.withhold = false;
  bench.l1.accept();
  bench.run_until(from_ns(80));
  const auto in_flight = bench.l1.arrivals;
  BOOST_TEST(in_flight.size() > 20U);
  bench.lsu.reset();
  bench.initiators.forget();
  BOOST_TEST(bench.lsu.idle());
  bench.run_until(from_ns(400));  // the L1 still answers what it has
  BOOST_TEST(bench.lsu.idle());
  bench.l1.forget();
  const_cast<std::vector<ScriptedL1::Arrival>&>(in_flight).clear();
  BOOST_TEST(bench.pool.outstanding() == 0U);
  const PayloadRef again = store(bench.pool, 0x1000);
  BOOST_TEST(status_of(bench, again) == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(random_traffic_under_back_pressure_answers_everything_once_and_returns_every_payload) {
  {
    Bench bench;
    std::mt19937 random(11);
    std::size_t sent = 0;
    for (; sent < 600; ++sent) {
      const auto kind = random() % 10;
      const Operation operation = kind < 4 ? Operation::store : kind < 7 ? Operation::load : Operation::atomic;
      PayloadRef p = kind == 9 ? fence(bench.pool, static_cast<Scope>(random() % 3))
                               : strided(bench.pool, operation, random() % 64 * 64, 4ULL << random() % 6, 4,
                                         static_cast<std::uint32_t>(random()));
      if (operation == Operation::load && kind == 6) p = with(std::move(p), Semantics::acquire, Scope::gpu);
      bench.initiators.send(static_cast<Fs>(sent) * from_ns(2), random() % 5, p);
    }
    for (Fs t = 0; t < from_ns(3000); t += from_ns(7)) {
      bench.l1.withhold = random() % 3 == 0;
      bench.run_until(t);
      if (bench.l1.socket.withholding()) bench.l1.accept();
    }
    bench.l1.withhold = false;
    if (bench.l1.socket.withholding()) bench.l1.accept();
    bench.finish(sent);
    BOOST_TEST(bench.watcher.done == sent);
    bench.initiators.forget();
    bench.l1.forget();
    BOOST_TEST(bench.pool.outstanding() == 0U);
  }
}
