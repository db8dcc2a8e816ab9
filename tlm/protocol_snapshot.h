// SPDX-License-Identifier: Apache-2.0
//
// What a ProtocolChecker remembers of a payload, so that it can tell later what was changed, and name a payload that no
// longer exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// Digest of `bytes` bytes in which any change of one word shows, and any other with near certainty. Of null: 0.
std::uint64_t digest_of(const unsigned char* data, std::size_t bytes);

/// Enough of a payload to speak of it.
struct PayloadSummary {
  std::uint64_t address = 0;
  std::uint32_t length = 0;
  tlm::tlm_command command = tlm::TLM_IGNORE_COMMAND;
  const char* operation = "";  ///< The sideband's, else the command's.
  Origin origin;               ///< The sideband's.

  static PayloadSummary of(const Payload& p);
  /// "store 0x1f80, 128 bytes".
  std::string text() const;
};

/// The attributes that must not change in flight.
struct PayloadSnapshot {
  PayloadSummary summary;
  std::uint32_t streaming_width = 0, enable_length = 0;
  const unsigned char* data = nullptr;
  const unsigned char* enables = nullptr;
  std::uint64_t data_digest = 0;      ///< Of a write's data, else 0.
  std::uint64_t enable_digest = 0;    ///< Of the enables' contents.
  std::uint64_t sideband_digest = 0;  ///< Of what its creator wrote; 0 without a sideband.

  static PayloadSnapshot of(const Payload& p);
};

/// Digest of the sideband's creator-written fields; 0 when there is no sideband, never 0 otherwise.
std::uint64_t sideband_digest_of(const Payload& p);

/// Every enable is 0x00 or 0xff.
bool enables_are_valid(const unsigned char* enables, std::size_t bytes);

}  // namespace gputlm
