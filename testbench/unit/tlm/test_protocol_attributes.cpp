// SPDX-License-Identifier: Apache-2.0
//
// One misbehaviour per rule about the payload: its life, its attributes, its status. That rule fires, and no other.
#include "raw_ends.h"

using namespace gputlm;
using Rule = ProtocolRule;

namespace {

struct NoOwner : tlm::tlm_mm_interface {
  void free(Payload*) override {}
};

// A fixture whose target spoils the request in the call that delivers it; the fault shows at the response.
struct SpoiltArrow : CheckedArrow {
  template <class Spoil>
  void spoil(Spoil change) {
    target.on_call = [change](Payload& p, tlm::tlm_phase&, sc_core::sc_time&) {
      change(p);
      return tlm::TLM_ACCEPTED;
    };
    const PayloadRef p = begun_store();
    target.respond(*p);
  }
  // A request that is wrong from the start.
  template <class Spoil>
  void send_spoilt(Spoil change) {
    const PayloadRef p = store();
    change(*p);
    initiator.send(*p, tlm::BEGIN_REQ);
  }
};

}  // namespace

BOOST_FIXTURE_TEST_CASE(non_blocking_payloads_have_a_manager, CheckedArrow) {
  unsigned char data[4] = {};
  Payload p;
  p.set_write();
  p.set_data_ptr(data);
  p.set_data_length(4);
  p.set_streaming_width(4);
  initiator.send(p, tlm::BEGIN_REQ);
  fires(Rule::memory_manager);
}

BOOST_FIXTURE_TEST_CASE(somebody_holds_the_payload, CheckedArrow) {
  NoOwner owner;
  unsigned char data[4] = {};
  Payload p(&owner);
  p.set_write();
  p.set_data_ptr(data);
  p.set_data_length(4);
  p.set_streaming_width(4);
  initiator.send(p, tlm::BEGIN_REQ);
  fires(Rule::reference_count);
}

BOOST_FIXTURE_TEST_CASE(a_request_has_no_status_yet, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.set_response_status(tlm::TLM_OK_RESPONSE); });
  fires(Rule::initial_status);
}

BOOST_FIXTURE_TEST_CASE(a_request_has_no_dmi_hint, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.set_dmi_allowed(true); });
  fires(Rule::initial_dmi_hint);
}

BOOST_FIXTURE_TEST_CASE(a_write_has_data, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.set_data_ptr(nullptr); });
  fires(Rule::data_pointer_present);
}

BOOST_FIXTURE_TEST_CASE(a_request_has_a_length, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.set_data_length(0); });
  fires(Rule::data_length_present);
}

BOOST_FIXTURE_TEST_CASE(a_request_has_a_streaming_width, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.set_streaming_width(0); });
  fires(Rule::streaming_width_present);
}

BOOST_FIXTURE_TEST_CASE(enables_have_a_length, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.set_byte_enable_length(0); });
  fires(Rule::enable_length_present);
}

BOOST_FIXTURE_TEST_CASE(enables_are_all_or_nothing, SpoiltArrow) {
  send_spoilt([](Payload& p) { p.get_byte_enable_ptr()[77] = 0x80; });
  fires(Rule::enable_values);
}

BOOST_FIXTURE_TEST_CASE(the_last_odd_enable_is_looked_at, SpoiltArrow) {
  static unsigned char enables[5] = {0xff, 0, 0xff, 0, 1};
  send_spoilt([](Payload& p) {
    p.set_byte_enable_ptr(enables);
    p.set_byte_enable_length(sizeof enables);
  });
  fires(Rule::enable_values);
}

BOOST_FIXTURE_TEST_CASE(the_address_is_restored_for_the_response, SpoiltArrow) {
  spoil([](Payload& p) { p.set_address(0x8000); });
  fires(Rule::address_unchanged);
}

BOOST_FIXTURE_TEST_CASE(an_interconnect_may_write_the_address_and_restore_it, CheckedArrow) {
  const PayloadRef p = begun_store();
  p->set_address(0x8000);
  target.send(*p, tlm::END_REQ);
  p->set_address(0x1000);
  target.respond(*p);
  BOOST_TEST(log.total() == 0);
}

BOOST_FIXTURE_TEST_CASE(the_command_stays, SpoiltArrow) {
  spoil([](Payload& p) { p.set_read(); });
  fires(Rule::command_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_data_pointer_stays, SpoiltArrow) {
  spoil([](Payload& p) { p.set_data_ptr(p.get_data_ptr() + 1); });
  fires(Rule::data_pointer_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_data_length_stays, SpoiltArrow) {
  spoil([](Payload& p) { p.set_data_length(64); });
  fires(Rule::data_length_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_streaming_width_stays, SpoiltArrow) {
  spoil([](Payload& p) { p.set_streaming_width(64); });
  fires(Rule::streaming_width_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_enable_pointer_stays, SpoiltArrow) {
  spoil([](Payload& p) { p.set_byte_enable_ptr(nullptr); });
  fires(Rule::enables_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_enable_length_stays, SpoiltArrow) {
  spoil([](Payload& p) { p.set_byte_enable_length(64); });
  fires(Rule::enables_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_enables_themselves_stay, SpoiltArrow) {
  spoil([](Payload& p) { p.get_byte_enable_ptr()[127] ^= 0xff; });
  fires(Rule::enables_unchanged);
}

BOOST_FIXTURE_TEST_CASE(a_change_shows_at_end_req_too, CheckedArrow) {
  const PayloadRef p = begun_store();
  p->set_streaming_width(64);
  target.send(*p, tlm::END_REQ);
  fires(Rule::streaming_width_unchanged);
}

BOOST_FIXTURE_TEST_CASE(a_writes_data_stay, SpoiltArrow) {
  spoil([](Payload& p) { p.get_data_ptr()[127] ^= 1; });
  fires(Rule::write_data_unchanged);
}

// Differences in the top bits of two words would cancel in a plain multiplicative digest.
BOOST_FIXTURE_TEST_CASE(two_changes_do_not_cancel, SpoiltArrow) {
  spoil([](Payload& p) {
    p.get_data_ptr()[7] ^= 0x80;
    p.get_data_ptr()[23] ^= 0x80;
  });
  fires(Rule::write_data_unchanged);
}

BOOST_FIXTURE_TEST_CASE(a_reads_data_may_change, CheckedArrow) {
  const PayloadRef p = pool.line(tlm::TLM_READ_COMMAND, 0x1000, Operation::load);
  initiator.send(*p, tlm::BEGIN_REQ);
  p->get_data_ptr()[0] ^= 1;
  target.respond(*p);
  BOOST_TEST(log.total() == 0);
}

BOOST_FIXTURE_TEST_CASE(the_creators_part_of_the_sideband_stays, SpoiltArrow) {
  spoil([](Payload& p) { find_sideband(p)->scope = Scope::cta; });
  fires(Rule::sideband_unchanged);
}

BOOST_FIXTURE_TEST_CASE(the_lanes_of_a_warp_access_stay, CheckedArrow) {
  const PayloadRef p = pool.warp(Operation::load);
  find_sideband(*p)->lanes->active = 1;
  finish_warp(*p);
  initiator.send(*p, tlm::BEGIN_REQ);
  find_sideband(*p)->lanes->address[31] = 4;
  target.respond(*p);
  fires(Rule::sideband_unchanged);
}

BOOST_FIXTURE_TEST_CASE(private_and_result_fields_may_change, CheckedArrow) {
  const PayloadRef p = begun_store();
  Sideband& s = *find_sideband(*p);
  s.executed = true;
  s.ingress = 7;
  s.cookie = s.judge = 9;
  target.respond(*p);
  BOOST_TEST(log.total() == 0);
}

BOOST_FIXTURE_TEST_CASE(no_status_before_the_response, CheckedArrow) {
  const PayloadRef p = begun_store();
  p->set_response_status(tlm::TLM_OK_RESPONSE);
  target.send(*p, tlm::END_REQ);
  fires(Rule::early_status);
}

BOOST_FIXTURE_TEST_CASE(a_response_has_a_status, CheckedArrow) {
  const PayloadRef p = accepted_store();
  target.send(*p, tlm::BEGIN_RESP);
  fires(Rule::response_status);
}

BOOST_FIXTURE_TEST_CASE(completed_has_a_status, CheckedArrow) {
  target.on_call = completed;
  const PayloadRef p = begun_store();
  fires(Rule::response_status);
}

BOOST_FIXTURE_TEST_CASE(the_status_stays_until_the_end, CheckedArrow) {
  const PayloadRef p = answered_store();
  p->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  initiator.send(*p, tlm::END_RESP);
  fires(Rule::status_unchanged);
}

BOOST_FIXTURE_TEST_CASE(an_error_stays_until_the_end, CheckedArrow) {
  const PayloadRef p = accepted_store();
  target.respond(*p, 0, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  p->set_response_status(tlm::TLM_OK_RESPONSE);
  initiator.send(*p, tlm::END_RESP);
  fires(Rule::error_stays);
}
