// SPDX-License-Identifier: Apache-2.0
//
// Digests stand for bytes: 64 bits per 32-byte sector instead of a second copy of memory. A sector's digest depends on
// its bytes and on its place in the line; that the line is the right one follows from where the digest is looked up.
// The digest of a payload's data is the sum of its sectors' digests, so what the memory remembers and what travels
// compare without hashing twice.
#pragma once

#include <array>
#include <cstdint>

#include "gputlm/tlm/byte_mask.h"

namespace gputlm {

/// Digest of the 32 bytes of sector `index` of a line; never 0.
std::uint64_t sector_digest(const unsigned char* sector, unsigned index);

/// Digest of a set of bytes alone, for requests that carry no data.
std::uint64_t mask_digest(ByteMask mask);

/// The digests of a line's sectors, 0 where no byte of the sector is in the mask.
using SectorDigests = std::array<std::uint64_t, kSectorsPerLine>;

/// Digests of a line's bytes under a mask: sector_digest() for whole sectors; for others a digest of bytes and mask.
SectorDigests sector_digests(const unsigned char* line, ByteMask mask);

inline std::uint64_t sum(const SectorDigests& d) {
  return d[0] + d[1] + d[2] + d[3];
}

/// Digest of a line's bytes under a mask.
inline std::uint64_t line_digest(const unsigned char* line, ByteMask mask) {
  return sum(sector_digests(line, mask));
}

}  // namespace gputlm
