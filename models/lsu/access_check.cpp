// SPDX-License-Identifier: Apache-2.0
#include "gputlm/lsu/lsu.h"

namespace gputlm {
namespace {

tlm::tlm_command command_of(Operation operation) {
  switch (operation) {
    case Operation::load:
      return tlm::TLM_READ_COMMAND;
    case Operation::store:
      return tlm::TLM_WRITE_COMMAND;
    default:
      return tlm::TLM_IGNORE_COMMAND;
  }
}

tlm::tlm_response_status check_atomic(const Sideband& s) {
  const WarpLanes& lanes = *s.lanes;
  if ((lanes.lane_bytes != 4 && lanes.lane_bytes != 8) || s.word_bytes != lanes.lane_bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  for (unsigned i = 0; i < kLanes; ++i)
    if ((lanes.active >> i & 1U) != 0 && lanes.at(i) % lanes.lane_bytes != 0) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status check_warp(const Payload& p, const Sideband& s) {
  const unsigned n = s.lanes->lane_bytes;
  const bool compares = s.is_atomic() && s.function == AtomicFunction::compare_and_swap;
  if (n == 0 || n > kMaxLaneBytes || (n & (n - 1)) != 0) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_data_length() < kLanes * n * (compares ? 2 : 1)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (p.get_byte_enable_ptr() != nullptr) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  return s.is_atomic() ? check_atomic(s) : tlm::TLM_OK_RESPONSE;
}

tlm::tlm_response_status check_contiguous(const Payload& p, Operation operation) {
  if (operation != Operation::load && operation != Operation::store) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (p.get_address() + p.get_data_length() - 1 < p.get_address()) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace

tlm::tlm_response_status check_access(const Payload& p) {
  const Sideband* s = find_sideband(p);
  const Operation operation = s != nullptr ? s->operation : p.is_write() ? Operation::store : Operation::load;
  const bool served = operation != Operation::l1_invalidate && operation != Operation::system_barrier;
  if (!served || p.get_command() != command_of(operation)) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (operation == Operation::fence) return tlm::TLM_OK_RESPONSE;
  if (p.get_data_ptr() == nullptr || p.get_streaming_width() < p.get_data_length())
    return tlm::TLM_BURST_ERROR_RESPONSE;
  return s != nullptr && s->lanes != nullptr ? check_warp(p, *s) : check_contiguous(p, operation);
}

}  // namespace gputlm
