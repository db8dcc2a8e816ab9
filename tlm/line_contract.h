// SPDX-License-Identifier: Apache-2.0
//
// What a payload must look like, and the response status for one that does not: any payload on any arrow, and a line
// transaction on an internal one.
#pragma once

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// TLM_OK_RESPONSE when the attributes are ones that the generic payload allows: a length, a streaming width, data to
/// move and, where there are enables, how many. Every TargetSocket asks, so its owner never sees another payload.
inline tlm::tlm_response_status check_attributes(const Payload& p) {
  if (p.get_data_length() == 0 || p.get_streaming_width() == 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_data_ptr() == nullptr && p.get_command() != tlm::TLM_IGNORE_COMMAND) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() == 0) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

/// TLM_OK_RESPONSE when `p` is a proper line transaction (see docs/protocol.md): address aligned to 128, data_length
/// 128 (256 for compare-and-swap), streaming_width at least that, data pointer set, enables absent or 128 of them.
/// Otherwise the error a target answers with.
inline tlm::tlm_response_status check_line(const Payload& p) {
  const Sideband* s = find_sideband(p);
  const bool compares = s != nullptr && s->is_atomic() && s->function == AtomicFunction::compare_and_swap;
  const unsigned length = compares ? 2 * kLineBytes : kLineBytes;
  if ((p.get_address() & kLineOffsetMask) != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  if (p.get_data_ptr() == nullptr || p.get_data_length() != length || p.get_streaming_width() < length)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr() != nullptr && p.get_byte_enable_length() != kLineBytes)
    return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  if (p.get_command() == tlm::TLM_IGNORE_COMMAND && s == nullptr) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace gputlm
