// SPDX-License-Identifier: Apache-2.0
//
// What the timing parameters must leave room for. The banks rely on it, and the configuration refuses what lacks it.
#pragma once

#include "gputlm/dram/dram_timing.h"

namespace gputlm {

/// Clocks from the activate of a line's row until its bank may be closed or refreshed, for the longest line, on a
/// channel that has nothing else to do but its refreshes. A pair of banks must have so many between two of them, or the
/// line could never be booked.
Ck longest_line(const DramSpec& spec, const DramTiming& timing);

/// Most command slots that a column holds. The channel must have more clocks from one refresh command to the next.
unsigned widest_column(const DramSpec& spec);

/// Clocks ahead of now for which commands may have to be booked.
Ck booking_window(const DramSpec& spec, const DramTiming& timing);

}  // namespace gputlm
