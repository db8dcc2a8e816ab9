// SPDX-License-Identifier: Apache-2.0
//
// The payload pool, the sideband of foreign payloads, and the line contract.
#include "gputlm/test_support/sc_test.h"
//
#include <cstdint>
#include <random>
#include <vector>

#include "gputlm/tlm/line_contract.h"

using namespace gputlm;

namespace {

/// An extension that tells when it goes away.
struct Witness : tlm::tlm_extension<Witness> {
  explicit Witness(unsigned& gone) : gone_(&gone) {}
  ~Witness() override { ++*gone_; }
  tlm::tlm_extension_base* clone() const override { return new Witness(*gone_); }
  void copy_from(const tlm::tlm_extension_base&) override {}
  unsigned* gone_;
};

// Leaves nothing at its default.
void soil(Payload& p) {
  p.set_command(tlm::TLM_WRITE_COMMAND);
  p.set_address(~0ULL);
  p.set_data_ptr(p.get_data_ptr() + 1);
  p.set_data_length(3);
  p.set_streaming_width(5);
  p.set_byte_enable_ptr(p.get_data_ptr());
  p.set_byte_enable_length(7);
  p.set_dmi_allowed(true);
  p.set_response_status(tlm::TLM_OK_RESPONSE);
  p.set_gp_option(tlm::TLM_FULL_PAYLOAD_ACCEPTED);
  Sideband& s = *find_sideband(p);
  WarpLanes* lanes = s.lanes;
  if (lanes != nullptr) lanes->active = ~0U, lanes->lane_bytes = 16, lanes->scoreboard = 3, lanes->space_evenly(8, 16);
  s = Sideband{};
  s.operation = Operation::fence;
  s.semantics = Semantics::seq_cst;
  s.scope = Scope::cta;
  s.function = AtomicFunction::float_add;
  s.word_bytes = 8;
  s.eviction = EvictionClass::last;
  s.origin = {1, 2, 3, 4, 5};
  s.virtual_address = 6;
  s.creator = &p;
  s.cookie = s.judge = 9;
  s.ingress = 10;
  s.executed = true;
}

void check_fresh(const Payload& p, Operation operation) {
  BOOST_TEST(p.get_byte_enable_ptr() == nullptr);
  BOOST_TEST(p.get_byte_enable_length() == 0U);
  BOOST_TEST(!p.is_dmi_allowed());
  BOOST_TEST(p.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE);
  BOOST_TEST(p.get_gp_option() == tlm::TLM_MIN_PAYLOAD);
  BOOST_TEST(p.get_ref_count() == 1);
  const Sideband& s = *find_sideband(p);
  BOOST_TEST((s.operation == operation));
  BOOST_TEST((s.semantics == Semantics::relaxed && s.scope == Scope::sys && s.function == AtomicFunction::add));
  BOOST_TEST((s.word_bytes == 4 && s.eviction == EvictionClass::normal));
  BOOST_TEST((s.origin.sm == 0xffff && s.origin.warp == 0xffff && s.origin.instruction == 0 && s.origin.kernel == 0));
  BOOST_TEST(s.origin.cta == 0U);
  BOOST_TEST((s.creator == nullptr && s.cookie == 0 && s.judge == 0 && s.ingress == 0xffff && !s.executed));
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_line_starts_fresh_whatever_it_was_before) {
  PayloadPool pool;
  for (unsigned round = 0; round < 2; ++round) {
    const PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, 0x1280, Operation::load);
    check_fresh(*p, Operation::load);
    BOOST_TEST(p->is_read());
    BOOST_TEST(p->get_address() == 0x1280U);
    BOOST_TEST(p->get_data_length() == kLineBytes);
    BOOST_TEST(p->get_streaming_width() == kLineBytes);
    BOOST_TEST(find_sideband(*p)->virtual_address == 0x1280U);
    BOOST_TEST(find_sideband(*p)->lanes == nullptr);
    BOOST_TEST(reinterpret_cast<std::uintptr_t>(p->get_data_ptr()) % 64 == 0U);
    BOOST_TEST(check_line(*p) == tlm::TLM_OK_RESPONSE);
    soil(*p);
  }
  BOOST_TEST(pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(a_warp_access_starts_fresh_whatever_it_was_before) {
  PayloadPool pool;
  for (unsigned round = 0; round < 2; ++round) {
    const PayloadRef p = pool.warp(Operation::atomic);
    check_fresh(*p, Operation::atomic);
    BOOST_TEST(p->get_command() == tlm::TLM_IGNORE_COMMAND);
    BOOST_TEST(p->get_address() == 0U);
    BOOST_TEST(check_attributes(*p) == tlm::TLM_OK_RESPONSE);
    const WarpLanes& lanes = *find_sideband(*p)->lanes;
    BOOST_TEST((lanes.active == 0 && lanes.lane_bytes == 4 && lanes.scoreboard == 0xff));
    BOOST_TEST(lanes.stride == WarpLanes::kListed);
    soil(*p);
  }
}

BOOST_AUTO_TEST_CASE(finishing_a_warp_access_sets_length_and_address) {
  PayloadPool pool;
  const PayloadRef p = pool.warp(Operation::store);
  BOOST_TEST(p->is_write());
  WarpLanes& lanes = *find_sideband(*p)->lanes;
  lanes.active = 0x30;
  lanes.lane_bytes = 8;
  lanes.address[4] = 0x40;
  lanes.address[5] = 0x20;
  finish_warp(*p);
  BOOST_TEST(p->get_address() == 0x40U);
  BOOST_TEST(find_sideband(*p)->virtual_address == 0x40U);
  BOOST_TEST(p->get_data_length() == 256U);
  BOOST_TEST(p->get_streaming_width() == 256U);

  const PayloadRef cas = pool.warp(Operation::atomic);
  find_sideband(*cas)->function = AtomicFunction::compare_and_swap;
  find_sideband(*cas)->lanes->lane_bytes = 8;
  finish_warp(*cas);
  BOOST_TEST(cas->get_data_length() == 512U);
}

BOOST_AUTO_TEST_CASE(the_last_payload_returned_is_the_first_reused) {
  PayloadPool pool;
  PayloadRef a = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  PayloadRef b = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  const Payload* const first = a.get();
  const Payload* const second = b.get();
  a.reset();
  b.reset();
  const PayloadRef c = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  const PayloadRef d = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  BOOST_TEST(c.get() == second);
  BOOST_TEST(d.get() == first);
}

BOOST_AUTO_TEST_CASE(the_pool_stops_growing_and_balances) {
  PayloadPool pool;
  std::mt19937 random(1);
  std::vector<PayloadRef> held;
  for (unsigned i = 0; i < 900; ++i) held.push_back(pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load));
  held.push_back(pool.warp(Operation::load));
  BOOST_TEST(pool.outstanding() == 901U);
  const std::size_t capacity = pool.capacity();
  for (unsigned step = 0; step < 20000; ++step) {
    PayloadRef& slot = held[random() % 900];
    slot.reset();
    slot = pool.line(tlm::TLM_WRITE_COMMAND, 0, Operation::store);
  }
  BOOST_TEST(pool.capacity() == capacity);
  held.clear();
  BOOST_TEST(pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(a_payload_returns_with_its_last_reference) {
  PayloadPool pool;
  PayloadRef a = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  PayloadRef b = a;
  PayloadRef c(*a);
  PayloadRef d = std::move(c);
  BOOST_TEST(a->get_ref_count() == 3);
  a = d;
  BOOST_TEST(b->get_ref_count() == 3);
  a.reset();
  b = PayloadRef();
  BOOST_TEST(pool.outstanding() == 1U);
  d.reset();
  BOOST_TEST(pool.outstanding() == 0U);
}

BOOST_AUTO_TEST_CASE(what_others_attached_for_the_payloads_life_goes_with_it) {
  PayloadPool pool;
  unsigned gone = 0;
  PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  p->set_auto_extension(new Witness(gone));
  p.reset();
  BOOST_TEST(gone == 1U);
  p = pool.line(tlm::TLM_READ_COMMAND, 0, Operation::load);
  BOOST_TEST(p->get_extension<Witness>() == nullptr);
  BOOST_TEST(find_sideband(*p) != nullptr);
}

BOOST_AUTO_TEST_CASE(enables_are_shared_for_whole_sectors_and_own_otherwise) {
  PayloadPool pool;
  const PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, 0, Operation::store);
  const PayloadRef q = pool.line(tlm::TLM_WRITE_COMMAND, 0, Operation::store);
  set_enables(*p, ByteMask::sectors(5));
  set_enables(*q, ByteMask::sectors(5));
  BOOST_TEST(p->get_byte_enable_ptr() == q->get_byte_enable_ptr());
  const ByteMask odd{0x123456789abcdef0ULL, 0xfedcba9876543210ULL};
  set_enables(*p, odd);
  set_enables(*q, ~odd);
  BOOST_TEST((ByteMask::of(*p) == odd));
  BOOST_TEST((ByteMask::of(*q) == ~odd));
  BOOST_TEST(p->get_byte_enable_length() == kLineBytes);
}

BOOST_AUTO_TEST_CASE(own_enables_do_not_overlap_the_data) {
  PayloadPool pool;
  const PayloadRef p = pool.compare_line(0x80);
  for (unsigned i = 0; i < 2 * kLineBytes; ++i) p->get_data_ptr()[i] = 0x5a;
  set_enables(*p, ByteMask{1, 0});
  for (unsigned i = 0; i < 2 * kLineBytes; ++i) BOOST_REQUIRE(p->get_data_ptr()[i] == 0x5a);
  BOOST_TEST(p->get_data_length() == 2 * kLineBytes);
  BOOST_TEST(check_line(*p) == tlm::TLM_OK_RESPONSE);
}

BOOST_AUTO_TEST_CASE(a_foreign_payload_is_given_the_default_sideband) {
  Payload p;
  p.set_write();
  p.set_address(0x44);
  Sideband& s = sideband_of(p);
  BOOST_TEST((s.operation == Operation::store && s.semantics == Semantics::relaxed && s.scope == Scope::sys));
  BOOST_TEST(s.virtual_address == 0x44U);
  BOOST_TEST(!s.may_use_l1());
  BOOST_TEST(&sideband_of(p) == &s);
}

BOOST_AUTO_TEST_CASE(a_line_that_breaks_the_contract_is_answered_with_its_error) {
  PayloadPool pool;
  auto status_of = [&pool](auto spoil) {
    const PayloadRef p = pool.line(tlm::TLM_WRITE_COMMAND, 0x80, Operation::store);
    set_enables(*p, ByteMask{1, 0});
    spoil(*p);
    return check_line(*p);
  };
  BOOST_TEST(status_of([](Payload&) {}) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_streaming_width(4096); }) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_byte_enable_ptr(nullptr); }) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_address(0x81); }) == tlm::TLM_ADDRESS_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_data_length(64); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_data_length(256); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_streaming_width(64); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_data_ptr(nullptr); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_byte_enable_length(64); }) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  Payload foreign;
  unsigned char data[kLineBytes] = {};
  foreign.set_data_ptr(data);
  foreign.set_data_length(kLineBytes);
  foreign.set_streaming_width(kLineBytes);
  foreign.set_command(tlm::TLM_IGNORE_COMMAND);
  BOOST_TEST(check_line(foreign) == tlm::TLM_COMMAND_ERROR_RESPONSE);
}

BOOST_AUTO_TEST_CASE(attributes_that_tlm_forbids_are_answered_with_their_error) {
  unsigned char data[4] = {}, enable = 0xff;
  auto status_of = [&](auto spoil) {
    Payload p;
    p.set_read();
    p.set_data_ptr(data);
    p.set_data_length(4);
    p.set_streaming_width(4);
    p.set_byte_enable_ptr(&enable);
    p.set_byte_enable_length(1);
    spoil(p);
    return check_attributes(p);
  };
  BOOST_TEST(status_of([](Payload&) {}) == tlm::TLM_OK_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_data_length(0); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_streaming_width(0); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_data_ptr(nullptr); }) == tlm::TLM_BURST_ERROR_RESPONSE);
  BOOST_TEST(status_of([](Payload& p) { p.set_byte_enable_length(0); }) == tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
}
