// SPDX-License-Identifier: Apache-2.0
#include "gputlm/tlm/byte_mask.h"

#include <algorithm>
#include <cstring>

namespace gputlm {
namespace {

// Each of eight bits becomes a byte of 0x00 or 0xff.
std::uint64_t spread_bits(std::uint64_t bits) {
  return (nonzero_bytes((bits & 0xffU) * 0x0101010101010101ULL & 0x8040201008040201ULL) >> 7) * 0xffU;
}

}  // namespace

ByteMask ByteMask::part(unsigned first, unsigned count) {
  auto below = [](unsigned n) {
    return n >= 128  ? full()
           : n >= 64 ? ByteMask{~0ULL, n == 64 ? 0 : ~0ULL >> (128 - n)}
                     : ByteMask{n == 0 ? 0 : ~0ULL >> (64 - n), 0};
  };
  if (first >= kLineBytes) return {};
  return below(first + std::min(count, kLineBytes - first)) & ~below(first);
}

ByteMask ByteMask::from_enables(const unsigned char* enables, unsigned enable_length, unsigned data_length) {
  if (enables == nullptr) return range(0, data_length);
  if (enable_length >= kLineBytes && data_length >= kLineBytes) {
    ByteMask m;
    for (unsigned i = 0; i < kLineBytes / 8; ++i) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, enables + 8 * i, 8);
      (i < 8 ? m.low_ : m.high_) |= top_bits(bytes) << (8 * (i & 7U));
    }
    return m;
  }
  ByteMask m;
  if (enable_length == 0) return m;
  for (unsigned i = 0; i < std::min(data_length, kLineBytes); ++i)
    if ((enables[i % enable_length] & 0x80U) != 0) m.set(i);
  return m;
}

void ByteMask::to_enables(unsigned char* enables) const {
  for (unsigned i = 0; i < kLineBytes / 8; ++i) {
    const std::uint64_t bytes = spread_bits((i < 8 ? low_ : high_) >> (8 * (i & 7U)));
    std::memcpy(enables + 8 * i, &bytes, 8);
  }
}

void copy_partly(unsigned char* to, const unsigned char* from, ByteMask mask) {
  for (unsigned i = 0; i < kLineBytes / 8; ++i) {
    const std::uint64_t bits = (i < 8 ? mask.low() : mask.high()) >> (8 * (i & 7U)) & 0xffU;
    if (bits == 0) continue;
    std::uint64_t a = 0, b = 0;
    std::memcpy(&a, to + 8 * i, 8);
    std::memcpy(&b, from + 8 * i, 8);
    const std::uint64_t m = spread_bits(bits);
    a = (a & ~m) | (b & m);
    std::memcpy(to + 8 * i, &a, 8);
  }
}

bool equal_masked(const unsigned char* a, const unsigned char* b, ByteMask mask) {
  std::uint64_t difference = 0;
  for (unsigned i = 0; i < kLineBytes / 8; ++i) {
    std::uint64_t x = 0, y = 0;
    std::memcpy(&x, a + 8 * i, 8);
    std::memcpy(&y, b + 8 * i, 8);
    difference |= (x ^ y) & spread_bits((i < 8 ? mask.low() : mask.high()) >> (8 * (i & 7U)));
  }
  return difference == 0;
}

}  // namespace gputlm
