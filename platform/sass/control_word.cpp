// SPDX-License-Identifier: Apache-2.0
#include "gputlm/sass/control_word.h"

namespace gputlm {
namespace {

/// A field of the upper 64 bits.
struct Field {
  unsigned low;
  unsigned bits;

  std::uint8_t get(std::uint64_t high) const {
    return static_cast<std::uint8_t>(high >> low & ((std::uint64_t{1} << bits) - 1));
  }
  std::uint64_t put(std::uint8_t value) const { return (value & ((std::uint64_t{1} << bits) - 1)) << low; }
};

constexpr Field kStall{41, 4}, kYield{45, 1}, kWrite{46, 3}, kRead{49, 3}, kWait{52, 6}, kReuse{58, 4};

}  // namespace

ControlWord decode_control_word(std::uint64_t high) {
  return {kStall.get(high), kYield.get(high) != 0, kWrite.get(high),
          kRead.get(high),  kWait.get(high),       kReuse.get(high)};
}

std::uint64_t encode_control_word(const ControlWord& word) {
  return kStall.put(word.stall) | kYield.put(word.yield ? 1 : 0) | kWrite.put(word.write_barrier) |
         kRead.put(word.read_barrier) | kWait.put(word.wait_mask) | kReuse.put(word.reuse);
}

}  // namespace gputlm
