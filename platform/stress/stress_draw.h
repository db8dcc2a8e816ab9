// SPDX-License-Identifier: Apache-2.0
//
// The parts of a stress case that are drawn for the whole case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/workload/draw.h"

namespace gputlm {

/// Sizes and policies for a case, as path=value that go together on the card `base`: each drawn one time in three, down
/// to a single entry, set or way. Where queues are short and sets small, everything meets everything.
std::vector<std::string> draw_overrides(Draw& draw, const Config& base);

/// How the lines that most accesses of a case fall on lie to each other.
enum class HotPlaces : std::uint8_t {
  spread,       ///< At even distances over the memory.
  one_slice,    ///< In one L2 slice.
  one_set,      ///< In one set of one slice.
  one_row,      ///< In one row of one DRAM bank.
  rows_of_bank  ///< In different rows of one bank.
};
inline constexpr unsigned kHotPlaces = 5;

/// Up to `count` (at least 1) of the memory's first `lines` lines, numbered from 0; the memory begins at physical
/// address 0 of a card that is as `config` says. At least one.
std::vector<std::uint64_t> draw_hot_lines(Draw& draw, const Config& config, HotPlaces places, std::uint64_t lines,
                                          std::size_t count);

}  // namespace gputlm
