// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a 128-byte line as one value: bit i stands for byte i. Sector s is bytes 32 s to 32 s + 31. The only
// place that converts to and from TLM byte enables (0x00 / 0xff, taken modulo their length).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "gputlm/tlm/systemc_guard.h"

namespace gputlm {

inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kSectorBytes = 32;
inline constexpr unsigned kSectorsPerLine = 4;
inline constexpr std::uint64_t kLineOffsetMask = kLineBytes - 1;

inline constexpr std::uint64_t line_of(std::uint64_t address) {
  return address & ~kLineOffsetMask;
}

/// Set of sectors of one line, bit s = sector s (values 0 to 15).
using SectorSet = std::uint8_t;

inline constexpr unsigned count_sectors(SectorSet s) {
  // A digit per set: without a popcount instruction, which portable builds do not assume, the builtin is a call.
  return static_cast<unsigned>(0x4332322132212110ULL >> (4 * (s & 0xfU)) & 0xfU);
}

/// The enables of every set of whole sectors, shared by all payloads with such a mask.
using SectorEnables = std::array<std::array<unsigned char, kLineBytes>, 1U << kSectorsPerLine>;
constexpr SectorEnables make_sector_enables() {
  SectorEnables table{};
  for (unsigned s = 0; s < table.size(); ++s)
    for (unsigned i = 0; i < kLineBytes; ++i) table[s][i] = (s >> (i / kSectorBytes) & 1U) != 0 ? 0xff : 0x00;
  return table;
}
alignas(64) inline constexpr SectorEnables kSectorEnables = make_sector_enables();

/// Of eight bytes at once: 0x80 for each byte that is not zero, 0 for the others.
inline constexpr std::uint64_t nonzero_bytes(std::uint64_t bytes) {
  return (((bytes & 0x7f7f7f7f7f7f7f7fULL) + 0x7f7f7f7f7f7f7f7fULL) | bytes) & 0x8080808080808080ULL;
}
/// The top bits of eight bytes, that of the lowest byte first.
inline constexpr std::uint64_t top_bits(std::uint64_t bytes) {
  return ((bytes & 0x8080808080808080ULL) >> 7) * 0x0102040810204080ULL >> 56;
}

/// 128-bit set of bytes of one line.
class ByteMask {
 public:
  constexpr ByteMask() = default;
  constexpr ByteMask(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}

  static constexpr ByteMask full() { return {~0ULL, ~0ULL}; }
  /// Every byte of the given sectors.
  static constexpr ByteMask sectors(SectorSet s) {
    return {((s & 1U) ? 0xffffffffULL : 0) | ((s & 2U) ? 0xffffffff00000000ULL : 0),
            ((s & 4U) ? 0xffffffffULL : 0) | ((s & 8U) ? 0xffffffff00000000ULL : 0)};
  }
  /// `count` bytes from `first`; the part past the line's end is cut off.
  static ByteMask range(unsigned first, unsigned count) {
    return first == 0 && count >= kLineBytes ? full() : part(first, count);
  }

  /// Mask of a payload's enables over its first 128 data bytes (a null pointer means all of `data_length`; a pointer
  /// without a length, which is a byte-enable error, enables nothing).
  static ByteMask from_enables(const unsigned char* enables, unsigned enable_length, unsigned data_length);
  static ByteMask of(const tlm::tlm_generic_payload& p) {
    const unsigned char* enables = p.get_byte_enable_ptr();
    if (p.get_data_length() >= kLineBytes) {
      if (enables == nullptr) return full();
      // The shared enables tell the mask by where they lie.
      const auto offset = reinterpret_cast<std::uintptr_t>(enables) - reinterpret_cast<std::uintptr_t>(&kSectorEnables);
      if (offset < sizeof kSectorEnables && offset % kLineBytes == 0 && p.get_byte_enable_length() >= kLineBytes)
        return sectors(static_cast<SectorSet>(offset / kLineBytes));
    }
    return from_enables(enables, p.get_byte_enable_length(), p.get_data_length());
  }
  /// Writes 128 enables.
  void to_enables(unsigned char* enables) const;
  /// A shared constant array of 128 enables when the mask is made of whole sectors, else null.
  const unsigned char* shared_enables() const {
    const SectorSet whole = full_sectors();
    return *this == sectors(whole) ? kSectorEnables[whole].data() : nullptr;
  }

  bool test(unsigned byte) const { return ((byte < 64 ? low_ >> byte : high_ >> (byte - 64)) & 1U) != 0; }
  void set(unsigned byte) { (byte < 64 ? low_ : high_) |= 1ULL << (byte & 63U); }

  bool empty() const { return (low_ | high_) == 0; }
  bool is_full() const { return (low_ & high_) == ~0ULL; }
  unsigned count() const {
    if (is_full()) return kLineBytes;
    if (empty()) return 0;
    return static_cast<unsigned>(__builtin_popcountll(low_) + __builtin_popcountll(high_));
  }
  bool contains(ByteMask m) const { return ((m.low_ & ~low_) | (m.high_ & ~high_)) == 0; }
  bool intersects(ByteMask m) const { return ((m.low_ & low_) | (m.high_ & high_)) != 0; }

  /// Sectors with at least one byte in the mask.
  SectorSet touched_sectors() const {
    return static_cast<SectorSet>((sector(0) != 0 ? 1U : 0U) | (sector(1) != 0 ? 2U : 0U) | (sector(2) != 0 ? 4U : 0U) |
                                  (sector(3) != 0 ? 8U : 0U));
  }
  /// Sectors with every byte in the mask.
  SectorSet full_sectors() const { return static_cast<SectorSet>(~(~*this).touched_sectors() & 0xfU); }
  /// The 32 bits of one sector.
  std::uint32_t sector(unsigned s) const {
    return static_cast<std::uint32_t>((s < 2 ? low_ : high_) >> (32 * (s & 1U)));
  }

  std::uint64_t low() const { return low_; }
  std::uint64_t high() const { return high_; }

  ByteMask& operator|=(ByteMask m) {
    low_ |= m.low_, high_ |= m.high_;
    return *this;
  }
  ByteMask& operator&=(ByteMask m) {
    low_ &= m.low_, high_ &= m.high_;
    return *this;
  }
  friend ByteMask operator|(ByteMask a, ByteMask b) { return a |= b; }
  friend ByteMask operator&(ByteMask a, ByteMask b) { return a &= b; }
  friend ByteMask operator~(ByteMask a) { return {~a.low_, ~a.high_}; }
  friend bool operator==(ByteMask a, ByteMask b) { return a.low_ == b.low_ && a.high_ == b.high_; }
  friend bool operator!=(ByteMask a, ByteMask b) { return !(a == b); }

 private:
  static ByteMask part(unsigned first, unsigned count);

  std::uint64_t low_ = 0, high_ = 0;
};

/// Copies the bytes of a mask that is not full.
void copy_partly(unsigned char* to, const unsigned char* from, ByteMask mask);

/// Copies the bytes of `mask` from one line image to another.
inline void copy_masked(unsigned char* to, const unsigned char* from, ByteMask mask) {
  if (mask.is_full())
    std::memcpy(to, from, kLineBytes);
  else
    copy_partly(to, from, mask);
}

/// Compares the bytes of `mask`; true when all are equal.
bool equal_masked(const unsigned char* a, const unsigned char* b, ByteMask mask);

}  // namespace gputlm
