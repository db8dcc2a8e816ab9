// SPDX-License-Identifier: Apache-2.0
#include "gputlm/judge/digest.h"

#include <cstring>

namespace gputlm {
namespace {

// Odd constants with about as many ones as zeros; any such set does.
constexpr std::uint64_t kWordKey[4] = {0xa0761d6478bd642fULL, 0xe7037ed1a0b428dbULL, 0x8ebc6af09c88c6e3ULL,
                                       0x589965cc75374cc3ULL};
constexpr std::uint64_t kSectorKey[kSectorsPerLine] = {0x1d8e4e27c47d124fULL, 0xeb44accab455d165ULL,
                                                       0x9c6e6877736c46e3ULL, 0xd3a2646cab3487edULL};
constexpr std::uint64_t kLastKey = 0x2d358dccaa6c78a5ULL;

__extension__ using Wide = unsigned __int128;

std::uint64_t fold(std::uint64_t a, std::uint64_t b) {
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

std::uint64_t keyed_digest(const unsigned char* sector, std::uint64_t key) {
  std::uint64_t word[4];
  std::memcpy(word, sector, sizeof word);
  const std::uint64_t left = fold(word[0] ^ kWordKey[0], word[1] ^ kWordKey[1]);
  const std::uint64_t right = fold(word[2] ^ kWordKey[2], word[3] ^ kWordKey[3]);
  const std::uint64_t digest = fold(left ^ key, right ^ kLastKey);
  return digest + (digest == 0 ? 1 : 0);
}

}  // namespace

std::uint64_t sector_digest(const unsigned char* sector, unsigned index) {
  return keyed_digest(sector, kSectorKey[index]);
}

std::uint64_t mask_digest(ByteMask mask) {
  return fold(mask.low() ^ kWordKey[0], mask.high() ^ kWordKey[1]);
}

SectorDigests sector_digests(const unsigned char* line, ByteMask mask) {
  SectorDigests digests{};
  const SectorSet full = mask.full_sectors();
  const SectorSet touched = mask.touched_sectors();
  unsigned char masked[kLineBytes];
  if (touched != full) {
    std::memset(masked, 0, sizeof masked);
    copy_masked(masked, line, mask);
  }
  for (unsigned s = 0; s < kSectorsPerLine; ++s) {
    if ((full >> s & 1U) != 0)
      digests[s] = sector_digest(line + s * kSectorBytes, s);
    else if ((touched >> s & 1U) != 0)
      digests[s] = keyed_digest(masked + s * kSectorBytes, kSectorKey[s] ^ (mask.sector(s) * kLastKey));
  }
  return digests;
}

}  // namespace gputlm
