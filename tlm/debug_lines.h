// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// A range of bytes for a debug access.
struct DebugRange {
  tlm::tlm_command command;
  std::uint64_t address;
  unsigned char* data;
  unsigned length;
  const unsigned char* enables = nullptr;  ///< Null: all.
  unsigned enable_length = 0;              ///< Enables are taken modulo this; 0: all.
};

/// Debug access of any length, line by line, through an arrow whose targets serve parts of one line. Returns the bytes
/// done; stops at the first piece that is not served in full.
unsigned debug_by_lines(tlm::tlm_fw_transport_if<>& below, const DebugRange& range);

}  // namespace gputlm
