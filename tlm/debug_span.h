// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>

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

  /// Copies the bytes of `which` (all enabled ones if none is named) between a payload's data and the line's image.
  void to_payload(const unsigned char* image, Payload& p) const { to_payload(image, p, mask); }
  void to_payload(const unsigned char* image, Payload& p, ByteMask which) const {
    copy(p.get_data_ptr(), image + offset, which & mask);
  }
  void from_payload(const Payload& p, unsigned char* image) const { from_payload(p, image, mask); }
  void from_payload(const Payload& p, unsigned char* image, ByteMask which) const {
    copy(image + offset, p.get_data_ptr(), which & mask);
  }

 private:
  void copy(unsigned char* to, const unsigned char* from, ByteMask which) const {
    if (which == ByteMask::range(offset, count)) {
      std::memcpy(to, from, count);
      return;
    }
    for (unsigned i = 0; i < count; ++i)
      if (which.test(offset + i)) to[i] = from[i];
  }
};

}  // namespace gputlm
