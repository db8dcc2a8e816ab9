// SPDX-License-Identifier: Apache-2.0
//
// Several parities of one address at once. The hash functions of this machine are lists of masks, result bit i being
// the parity of (address AND mask i); a table per address byte turns all of them into a few look-ups and xors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace gputlm {

/// Up to 16 parity functions of a 40-bit address. Equal functions share one table, so that the caches of all SMs, say,
/// look into the same few lines of the host's memory.
class ParityTable {
 public:
  static constexpr unsigned kAddressBytes = 5;

  ParityTable() : ParityTable(std::vector<std::uint64_t>{}) {}
  /// Throws std::invalid_argument for more than 16 masks or one that reaches past bit 39.
  explicit ParityTable(const std::vector<std::uint64_t>& masks) : table_(shared(masks)) {}

  /// Bit i: parity(address AND mask i). Address bits from 40 up do not count.
  unsigned operator()(std::uint64_t address) const {
    unsigned bits = 0;
    for (unsigned byte = 0; byte < kAddressBytes; ++byte) bits ^= (*table_)[byte][address >> (8 * byte) & 0xffU];
    return bits;
  }

 private:
  using Table = std::array<std::array<std::uint16_t, 256>, kAddressBytes>;

  static std::shared_ptr<const Table> shared(const std::vector<std::uint64_t>& masks) {
    static std::mutex mutex;
    static std::map<std::vector<std::uint64_t>, std::weak_ptr<const Table>> tables;
    const std::lock_guard<std::mutex> lock(mutex);
    std::weak_ptr<const Table>& known = tables[masks];
    std::shared_ptr<const Table> table = known.lock();
    if (!table) known = table = std::make_shared<const Table>(make(masks));
    return table;
  }

  static Table make(const std::vector<std::uint64_t>& masks) {
    if (masks.size() > 16) throw std::invalid_argument("ParityTable: more than 16 masks");
    Table table{};
    for (std::size_t i = 0; i < masks.size(); ++i) {
      if (masks[i] >> (8 * kAddressBytes) != 0) throw std::invalid_argument("ParityTable: mask reaches past bit 39");
      for (unsigned byte = 0; byte < kAddressBytes; ++byte)
        for (unsigned value = 0; value < 256; ++value)
          if ((__builtin_popcount(static_cast<unsigned>(masks[i] >> (8 * byte) & 0xffU) & value) & 1) != 0)
            table[byte][value] = static_cast<std::uint16_t>(table[byte][value] | 1U << i);
    }
    return table;
  }

  std::shared_ptr<const Table> table_;
};

}  // namespace gputlm
