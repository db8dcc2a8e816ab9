// SPDX-License-Identifier: Apache-2.0
#include "gputlm/hostformats/gpfifo_entry.h"

#include "gputlm/hostformats/bit_range.h"
#include "gputlm/hostformats/format_error.h"

namespace gputlm {
namespace {

// Word 0.
constexpr BitRange kFetch{0, 0}, kReserved0{1, 1}, kAddressLow{31, 2};
// Word 1. Where the length is 0, the address bits hold an opcode.
constexpr BitRange kAddressHigh{7, 0}, kReserved1{8, 8}, kLevel{9, 9}, kLength{30, 10}, kSync{31, 31};
constexpr std::uint32_t kNopOpcode = 0;

void check_reserved(const char* which, std::uint32_t word, BitRange reserved) {
  if (reserved.get(word) != 0)
    throw FormatError(std::string("GPFIFO entry: ") + which + ", reserved bit " + std::to_string(reserved.low),
                      hex_word(word), "0 there");
}

}  // namespace

std::array<std::uint32_t, 2> encode(const GpfifoEntry& entry) {
  if (entry.address % 4 != 0 || entry.address > GpfifoEntry::kLastAddress)
    throw FormatError("GPFIFO entry: address", hex_word(entry.address),
                      "a multiple of 4 up to " + hex_word(GpfifoEntry::kLastAddress));
  check_range("GPFIFO entry: length in words", entry.words, 0, GpfifoEntry::kMostWords);
  const auto low = static_cast<std::uint32_t>(entry.address);
  const auto high = static_cast<std::uint32_t>(entry.address >> 32);
  return {(low & kAddressLow.mask()) | kFetch.put(entry.conditional ? 1 : 0),
          kAddressHigh.put(high) | kLevel.put(entry.subroutine ? 1 : 0) | kLength.put(entry.words) |
              kSync.put(entry.wait ? 1 : 0)};
}

GpfifoEntry decode_gpfifo_entry(std::uint32_t word0, std::uint32_t word1) {
  check_reserved("word 0", word0, kReserved0);
  check_reserved("word 1", word1, kReserved1);
  GpfifoEntry entry;
  entry.words = kLength.get(word1);
  if (entry.words == 0 && kAddressHigh.get(word1) != kNopOpcode)
    throw FormatError("GPFIFO entry: opcode of a control entry (length 0)", hex_word(kAddressHigh.get(word1)),
                      "0x0 (NOP)");
  entry.address = (std::uint64_t{kAddressHigh.get(word1)} << 32) | (word0 & kAddressLow.mask());
  entry.conditional = kFetch.get(word0) != 0;
  entry.subroutine = kLevel.get(word1) != 0;
  entry.wait = kSync.get(word1) != 0;
  return entry;
}

}  // namespace gputlm
