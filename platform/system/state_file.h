// SPDX-License-Identifier: Apache-2.0
//
// The file of what DRAM and L2 hold: little-endian words with a checksum behind them. It begins with all that its
// meaning depends on: the format's version, its own length, the program's version, and the values of the parameters
// that say where an address lies. So it is never read as another card's, however the two configurations were written.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/l2/l2_slice.h"
#include "gputlm/workload/pattern.h"

namespace gputlm {

struct SavedLine {
  std::uint64_t address = 0;
  std::array<unsigned char, kLineBytes> data{};
};
struct SavedWay {
  unsigned slice = 0, set = 0, way = 0;
  L2Way state;
  std::array<unsigned char, kLineBytes> data{};
};
struct SavedState {
  std::vector<SavedLine> lines;  ///< Of DRAM.
  std::vector<SavedWay> ways;    ///< By slice; in a set, members of the write-back FIFO last and oldest first.
  std::vector<L2SliceState> slices;
};

std::string encode_state(const SavedState& state, const Config& config);
/// Throws ConfigError for a file that is damaged, cut off, of another version, or of a card with other addresses, and
/// for contents that no memory system of `config` can hold. `places`: where that one puts an address.
SavedState decode_state(const std::string& file, std::string_view bytes, const Config& config,
                        const AddressOracle& places);

}  // namespace gputlm
