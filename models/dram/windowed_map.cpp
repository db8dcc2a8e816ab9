// SPDX-License-Identifier: Apache-2.0
//
// The constructed map that fits all published facts of the card. Every aligned window of the address space holds the
// same number of rows of every channel. A row's rank among the window's rows of the same controller, in address order
// with `rank_bits` leading, rotates over the bank groups; the window's number gives bank and row, with higher row bits
// hashed in. Dividing the address by the number of controllers instead would not be injective under the published slice
// function, whose thirds are uneven over any power of two.
#include <algorithm>
#include <utility>
#include <vector>

#include "gputlm/dram/dram_map.h"
#include "gputlm/tlm/byte_mask.h"

namespace gputlm {
namespace {

unsigned log2_of(unsigned power_of_two) {
  return static_cast<unsigned>(__builtin_ctz(power_of_two));
}

// Exclusive or of the digits of `bits` bits.
unsigned fold(std::uint64_t value, unsigned bits) {
  if (bits == 2) {  // four groups of four banks: halving is quicker than digit by digit
    for (unsigned half = 32; half >= 2; half /= 2) value ^= value >> half;
    return static_cast<unsigned>(value & 3U);
  }
  std::uint64_t folded = 0;
  for (; value != 0; value >>= bits) folded ^= value;
  return static_cast<unsigned>(folded & ((1U << bits) - 1));
}

/// Reads a number whose bits are scattered over an address. Bits that keep their distance move together.
class ScatteredNumber {
 public:
  ScatteredNumber() = default;
  /// Address bits of the number, low first.
  explicit ScatteredNumber(const std::vector<unsigned>& address_bits) {
    for (unsigned i = 0; i < address_bits.size(); ++i) {
      const int shift = static_cast<int>(address_bits[i]) - static_cast<int>(i);
      const auto same = std::find_if(moves_.begin(), moves_.end(), [&](const Move& m) { return m.shift == shift; });
      (same == moves_.end() ? moves_.emplace_back(Move{shift, 0}) : *same).mask |= 1U << i;
    }
  }
  unsigned of(std::uint64_t address) const {
    unsigned number = 0;
    for (const Move& m : moves_)
      number |= static_cast<unsigned>(m.shift >= 0 ? address >> m.shift : address << -m.shift) & m.mask;
    return number;
  }

 private:
  struct Move {
    int shift;  // to the right
    unsigned mask;
  };
  std::vector<Move> moves_;
};

class WindowedMap : public DramMap {
 public:
  WindowedMap(const DramSpec& spec, ControllerOf controller_of)
      : map_(spec.map), controller_of_(std::move(controller_of)), controllers_(spec.controllers) {
    const unsigned group_bits = log2_of(spec.bank_groups), bank_bits = log2_of(spec.banks_per_group);
    bank_bits_ = bank_bits;
    fast_bits_ = map_.rotate_bank_groups ? group_bits : bank_bits;
    slow_bits_ = map_.rotate_bank_groups ? bank_bits : group_bits;
    find_order_bits();
    column_ = ScatteredNumber(map_.column_bits);
    order_ = ScatteredNumber({order_bits_.rbegin(), order_bits_.rend()});
    positions_ = static_cast<unsigned>(map_.window_bytes >> map_.block_shift) << order_bits_.size();
    const std::uint64_t windows = spec.capacity / map_.window_bytes + 1;
    chunks_.resize(windows / kWindowsPerChunk + 1);
  }

  DramLocation locate(std::uint64_t address) const override {
    const std::uint64_t window = address / map_.window_bytes;
    const unsigned rank = rank_of(window, position_of(address, address - window * map_.window_bytes));
    const std::uint64_t turn = window * (map_.rows_per_window >> fast_bits_) + (rank >> fast_bits_);
    const unsigned fast = (rank & mask(fast_bits_)) ^ fold(turn >> slow_bits_, fast_bits_);
    const unsigned slow = static_cast<unsigned>(turn & mask(slow_bits_)) ^ fold(turn >> (slow_bits_ + 1), slow_bits_);
    DramLocation at;
    at.channel = WindowedMap::channel_of(address);
    at.bank_group = map_.rotate_bank_groups ? fast : slow;
    at.bank = (at.bank_group << bank_bits_) + (map_.rotate_bank_groups ? slow : fast);
    at.row = turn >> slow_bits_;
    at.column = column_.of(address);
    return at;
  }

  unsigned channel_of(std::uint64_t address) const override {
    return static_cast<unsigned>(__builtin_parityll(address & map_.channel_mask));
  }

 private:
  static constexpr std::uint64_t kWindowsPerChunk = 64;

  static unsigned mask(unsigned bits) { return (1U << bits) - 1; }

  // Bits of a block that tell its rows apart: neither column nor, since the channel fixes it, the channel's lowest bit.
  void find_order_bits() {
    std::uint64_t taken = (map_.channel_mask & (~map_.channel_mask + 1)) | (kSectorBytes - 1);
    for (const unsigned b : map_.column_bits) taken |= 1ULL << b;
    order_bits_ = map_.rank_bits;
    for (const unsigned b : map_.rank_bits) taken |= 1ULL << b;
    for (unsigned b = map_.block_shift; b-- > 0;)
      if ((taken >> b & 1U) == 0) order_bits_.push_back(b);
  }

  unsigned position_of(std::uint64_t address, std::uint64_t offset_in_window) const {
    return static_cast<unsigned>(offset_in_window >> map_.block_shift) << order_bits_.size() | order_.of(address);
  }

  std::uint64_t address_of(std::uint64_t window, unsigned position) const {
    std::uint64_t address = window * map_.window_bytes;
    for (std::size_t i = order_bits_.size(); i-- > 0; position >>= 1U)
      address |= static_cast<std::uint64_t>(position & 1U) << order_bits_[i];
    return address + (static_cast<std::uint64_t>(position) << map_.block_shift);
  }

  // Ranks of a window are worked out on its first use, for all controllers together, and kept.
  unsigned rank_of(std::uint64_t window, unsigned position) const {
    std::unique_ptr<std::uint8_t[]>& chunk = chunks_[window / kWindowsPerChunk];
    if (!chunk) chunk = std::make_unique<std::uint8_t[]>(kWindowsPerChunk * positions_);
    std::uint8_t* ranks = &chunk[window % kWindowsPerChunk * positions_];
    if (ranks[0] == 0) number_rows(window, ranks);
    return ranks[position] - 1U;
  }

  void number_rows(std::uint64_t window, std::uint8_t* ranks) const {
    std::vector<std::uint8_t> rows(controllers_);
    for (unsigned p = 0; p < positions_; ++p) ranks[p] = ++rows[controller_of_(address_of(window, p)) % controllers_];
  }

  DramMapSpec map_;
  ControllerOf controller_of_;
  unsigned controllers_;
  unsigned bank_bits_ = 0, fast_bits_ = 0, slow_bits_ = 0;
  unsigned positions_ = 0;
  std::vector<unsigned> order_bits_;  // high first
  ScatteredNumber column_, order_;
  mutable std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;  // rank + 1 per row position; 0: not worked out yet
};

}  // namespace

std::unique_ptr<DramMap> make_windowed_map(const DramSpec& spec, DramMap::ControllerOf controller_of) {
  return std::make_unique<WindowedMap>(spec, std::move(controller_of));
}

}  // namespace gputlm
