// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gputlm/tlm/time.h"

namespace gputlm {

/// Parameters of the PCIe link between GPU and host; both directions are alike.
struct PcieSpec {
  unsigned lanes = 0;               ///< 16.
  double transfers_hz = 0;          ///< Transfers per second and lane, one bit each (Gen4: 16e9).
  double encoding = 0;              ///< Share of the bits that is not line code (128b/130b).
  double usable_share = 0;          ///< Share of the rest that acknowledgements, credits and ordered sets leave.
  unsigned packet_overhead = 0;     ///< Bytes of framing, header and checksum per packet.
  unsigned max_payload = 0;         ///< Bytes of data a packet carries at most.
  unsigned queue_lines = 0;         ///< Lines of a class that wait for the wire, per direction; more are held back.
  unsigned posted_credits = 0;      ///< Lines of posted writes sent and not yet taken by the far side.
  unsigned non_posted_credits = 0;  ///< Read requests, in lines, sent and not yet taken by the far side.
  unsigned read_tags = 0;           ///< Lines a side has asked for and not yet got.
};

}  // namespace gputlm
