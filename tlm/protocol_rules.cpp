// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/protocol_rules.h"

namespace gputlm {
namespace {

struct Text {
  const char* name;
  const char* statement;
};

constexpr Text kTexts[] = {
    {"forward_phase", "the forward path carries only BEGIN_REQ, END_RESP and ignorable phases"},
    {"backward_phase", "the backward path carries only END_REQ, BEGIN_RESP and ignorable phases"},
    {"phase_order", "phases come in the order BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP, values on return included"},
    {"return_value", "END_REQ is answered TLM_ACCEPTED, END_RESP TLM_ACCEPTED or TLM_COMPLETED"},
    {"accepted_unchanged", "TLM_ACCEPTED leaves phase and delay alone"},
    {"updated_phase", "TLM_UPDATED changes the phase"},
    {"unknown_phase_accepted", "an unknown phase is answered TLM_ACCEPTED"},
    {"request_exclusion", "no BEGIN_REQ while another transaction waits for its END_REQ"},
    {"response_exclusion", "no BEGIN_RESP while another transaction waits for its END_RESP"},
    {"response_path", "a backward phase belongs to a request that went forward here and is still open"},
    {"transaction_time", "now + delay never decreases over the calls and returns of one transaction"},
    {"arrow_time", "now + delay never decreases over the requests of an arrow, nor over its responses"},
    {"call_takes_no_time", "a non-blocking call neither waits nor advances time"},
    {"debug_takes_no_time", "a debug or direct-memory call neither waits nor advances time"},
    {"mixed_transport", "a payload is in one kind of transport, and in one b_transport call, at a time"},
    {"blocking_from_method", "b_transport is not called from a method process"},
    {"memory_manager", "a payload in non-blocking transport has a memory manager"},
    {"reference_count", "somebody holds a reference to the payload of every non-blocking call"},
    {"initial_status", "a request starts with TLM_INCOMPLETE_RESPONSE"},
    {"initial_dmi_hint", "a request starts with the direct-memory hint false"},
    {"data_pointer_present", "a read or write has a data pointer"},
    {"data_length_present", "the data length is not zero"},
    {"streaming_width_present", "the streaming width is not zero"},
    {"enable_length_present", "byte enables have a length"},
    {"enable_values", "byte enables are 0x00 or 0xff"},
    {"address_unchanged", "the address at the response is the one at the request on the same arrow"},
    {"command_unchanged", "the command does not change in flight"},
    {"data_pointer_unchanged", "the data pointer does not change in flight"},
    {"data_length_unchanged", "the data length does not change in flight"},
    {"streaming_width_unchanged", "the streaming width does not change in flight"},
    {"enables_unchanged", "enable pointer, length and contents do not change in flight"},
    {"write_data_unchanged", "the data of a write do not change in flight"},
    {"sideband_unchanged", "what the creator wrote in the sideband does not change in flight"},
    {"early_status", "the status stays TLM_INCOMPLETE_RESPONSE until the response"},
    {"response_status", "a response has a status"},
    {"status_unchanged", "the status does not change between BEGIN_RESP and END_RESP"},
    {"error_stays", "an error never becomes TLM_OK_RESPONSE on the way back"},
    {"debug_count", "a debug access counts at most the data length"},
    {"dmi_refused_range", "a refused direct-memory range covers the address asked for"},
    {"dmi_granted_range", "a granted direct-memory range covers the address and has a pointer"},
    {"invalidated_range", "an invalidated range does not end before it begins"},
    {"nothing_in_flight", "at the end of simulation no transaction is open"},
    {"payload_returned", "at the end of simulation every payload is back in its pool"},
};
static_assert(sizeof kTexts / sizeof kTexts[0] == kProtocolRules);

}  // namespace

const char* name_of(ProtocolRule rule) {
  return kTexts[static_cast<std::size_t>(rule)].name;
}
const char* statement_of(ProtocolRule rule) {
  return kTexts[static_cast<std::size_t>(rule)].statement;
}

}  // namespace gputlm
