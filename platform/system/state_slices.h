// SPDX-License-Identifier: Apache-2.0
//
// The last part of a file of saved contents: what each slice remembers besides the lines in its ways.
#pragma once

#include <vector>

#include "gputlm/config/config.h"
#include "gputlm/hostdump/dump_bytes.h"
#include "gputlm/l2/l2_state.h"

namespace gputlm {

/// Slices that remember nothing: a policy that has seen no access, sets that had no line.
std::vector<L2SliceState> fresh_slices(const Config& config);

/// A slice's policy, then the sets that remember anything.
void put_slices(DumpWriter& out, const std::vector<L2SliceState>& slices);
/// Throws ConfigError for what no slice of the configuration can remember.
std::vector<L2SliceState> slices_of(DumpReader& in, const Config& config);

}  // namespace gputlm
