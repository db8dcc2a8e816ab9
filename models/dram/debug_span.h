// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "gputlm/tlm/payload_pool.h"

namespace gputlm {

/// The part of one line that a debug access covers: any length from any address up to the line's end.
struct DebugSpan {
  std::uint64_t line;  ///< Line address.
  unsigned offset;     ///< Of the first data byte within the line.
  unsigned count;      ///< Data bytes covered.
  ByteMask mask;       ///< Enabled bytes of the line.

  explicit DebugSpan(const Payload& p)
      : line(line_of(p.get_address())),
        offset(static_cast<unsigned>(p.get_address() & kLineOffsetMask)),
        count(std::min(p.get_data_length(), kLineBytes - offset)) {
    const unsigned char* enables = p.get_byte_enable_ptr();
    if (enables == nullptr) {
      mask = ByteMask::range(offset, count);
      return;
    }
    for (unsigned i = 0; i < count; ++i)
      if (enables[i % p.get_byte_enable_length()] != 0) mask.set(offset + i);
  }

  /// Copies the enabled bytes between a payload's data and the image of the line.
  void to_payload(const unsigned char* image, Payload& p) const {
    for (unsigned i = 0; i < count; ++i)
      if (mask.test(offset + i)) p.get_data_ptr()[i] = image[offset + i];
  }
  void from_payload(const Payload& p, unsigned char* image) const {
    for (unsigned i = 0; i < count; ++i)
      if (mask.test(offset + i)) image[offset + i] = p.get_data_ptr()[i];
  }
};

}  // namespace gputlm
