// SPDX-License-Identifier: Apache-2.0
//
// The rules of the base protocol (IEEE 1666-2011, clauses 11, 14 and 15) that a ProtocolChecker enforces on an arrow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gputlm {

enum class ProtocolRule : std::uint8_t {
  // Phases
  forward_phase,
  backward_phase,
  phase_order,
  return_value,
  accepted_unchanged,
  updated_phase,
  unknown_phase_accepted,
  request_exclusion,
  response_exclusion,
  response_path,
  // Time
  transaction_time,
  arrow_time,
  call_takes_no_time,
  debug_takes_no_time,
  // Blocking transport
  mixed_transport,
  blocking_from_method,
  // Life of the payload
  memory_manager,
  reference_count,
  // Attributes at the start
  initial_status,
  initial_dmi_hint,
  data_pointer_present,
  data_length_present,
  streaming_width_present,
  enable_length_present,
  enable_values,
  // Attributes in flight
  address_unchanged,
  command_unchanged,
  data_pointer_unchanged,
  data_length_unchanged,
  streaming_width_unchanged,
  enables_unchanged,
  write_data_unchanged,
  sideband_unchanged,
  // Status
  early_status,
  response_status,
  status_unchanged,
  error_stays,
  // Debug and direct access
  debug_count,
  dmi_refused_range,
  dmi_granted_range,
  invalidated_range,
  // End of simulation
  nothing_in_flight,
  payload_returned,
};

inline constexpr std::size_t kProtocolRules = static_cast<std::size_t>(ProtocolRule::payload_returned) + 1;

/// The rule's name, as the enumerator is spelt.
const char* name_of(ProtocolRule rule);
/// What the rule demands, in one line.
const char* statement_of(ProtocolRule rule);

}  // namespace gputlm
