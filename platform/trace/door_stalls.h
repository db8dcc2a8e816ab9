// SPDX-License-Identifier: Apache-2.0
//
// What the units say of the time for which they held requests at their doors.
#pragma once

#include <array>
#include <vector>

#include "gputlm/system/gpu.h"
#include "gputlm/trace/trace_record.h"

namespace gputlm {

/// Totals up to a moment, by the causes that a kind of unit knows. A door holds one request at a time: what the totals
/// grow by while it is held is its own wait, to the femtosecond.
using DoorTotals = std::array<Fs, 3>;

/// The door at the far end of an arrow; zeros where a unit knows one cause only, or none.
DoorTotals door_totals(const Gpu& gpu, const TraceTrack& door);

/// What has grown, with its cause in words.
std::vector<TraceStall> stalls_between(TraceUnit unit, const DoorTotals& before, const DoorTotals& after);

}  // namespace gputlm
