// SPDX-License-Identifier: Apache-2.0
//
// An entry of a channel's GPFIFO ring and the words of its USERD page (class AMPERE_CHANNEL_GPFIFO_A).
#pragma once

#include <array>
#include <cstdint>

namespace gputlm {

inline constexpr unsigned kGpfifoEntryBytes = 8;

/// Offsets in a channel's USERD page: the cursors of the ring, as entry numbers.
inline constexpr unsigned kUserdGpGet = 0x88;  ///< Written by the GPU: the next entry that it reads.
inline constexpr unsigned kUserdGpPut = 0x8c;  ///< Written by the driver: the first entry that is not valid.
inline constexpr unsigned kUserdBytes = 4096;

/// Offset of the doorbell in the usermode region: takes a channel's work-submit token.
inline constexpr unsigned kDoorbell = 0x90;

/// A span of the pushbuffer. A length of 0 makes it a control entry that does nothing.
struct GpfifoEntry {
  static constexpr std::uint64_t kLastAddress = (std::uint64_t{1} << 40) - 4;
  static constexpr std::uint32_t kMostWords = (1U << 21) - 1;

  std::uint64_t address = 0;  ///< GPU virtual address of the first word, a multiple of 4 below 2^40.
  std::uint32_t words = 0;    ///< Length.
  bool conditional = false;   ///< FETCH: 1 conditional.
  bool subroutine = false;    ///< LEVEL: 0 main, 1 subroutine.
  bool wait = false;          ///< SYNC: the entry is fetched only when what stands before it has been consumed.

  friend bool operator==(const GpfifoEntry& a, const GpfifoEntry& b) {
    return a.address == b.address && a.words == b.words && a.conditional == b.conditional &&
           a.subroutine == b.subroutine && a.wait == b.wait;
  }
};

/// Throws FormatError for an address or a length that the entry cannot hold.
std::array<std::uint32_t, 2> encode(const GpfifoEntry& entry);

/// Throws FormatError for reserved bits, and for a control entry (length 0) other than a NOP.
GpfifoEntry decode_gpfifo_entry(std::uint32_t word0, std::uint32_t word1);

}  // namespace gputlm
