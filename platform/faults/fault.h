// SPDX-License-Identifier: Apache-2.0
//
// A deliberate fault: what goes wrong, where and when. Written by people as
//
//   KIND:TARGET@PLACE[:OPTION=VALUE,...]        drop:fill@l2_3.reads:n=17
//
// The place is an arrow, named by the initiator's end as in the statistics (crossbar.slice3: from the crossbar to slice
// 3); of DRAM commands it is a channel (channel7).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/tlm/time.h"

namespace gputlm {

enum class FaultKind : std::uint8_t { drop, duplicate, delay, corrupt, mask, lose, repeat, stick, leak, early };

/// What the fault befalls. An acknowledgement is a response without data, a fill one with data; an acceptance is
/// END_REQ; a command is one of a DRAM channel's.
enum class FaultTarget : std::uint8_t { request, acceptance, acknowledgement, fill, write_back, command };

/// One kind of fault as users are told of it.
struct FaultInfo {
  FaultKind kind;
  const char* name;
  std::vector<FaultTarget> targets;
  std::vector<const char*> options;
  const char* summary;
};
/// All kinds, in the order of FaultKind.
const std::vector<FaultInfo>& fault_kinds();
const char* name_of(FaultTarget target);

struct InjectedFault {
  FaultKind kind = FaultKind::drop;
  FaultTarget target = FaultTarget::request;
  std::string place;
  std::uint64_t n = 1;      ///< The n-th of its targets there, from 1.
  Fs by = 1000 * kFsPerNs;  ///< delay, repeat: so much later.
  unsigned bit = 0;         ///< corrupt: bit of the enabled data; mask: byte of the line.
  std::string text;         ///< As written.
};

/// Where faults can happen on a card.
struct FaultPlaces {
  std::vector<std::string> arrows;    ///< In the order of the road.
  std::vector<std::string> channels;  ///< Of the DRAM.
};

/// Reads a fault. Throws ConfigError that says what is allowed.
InjectedFault parse_fault(const std::string& text, const FaultPlaces& all);

}  // namespace gputlm
