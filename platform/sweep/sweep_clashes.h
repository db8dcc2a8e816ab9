// SPDX-License-Identifier: Apache-2.0
//
// What the parameters and columns of a sweep must not share.
#pragma once

#include "gputlm/sweep/sweep_file.h"

namespace gputlm {

/// Reports columns whose names differ by nothing but case, which SQLite takes for one, and more of them than a table of
/// SQLite has. Of a probe, columns that nobody named are known when it has run.
void check_columns(const SweepFile& sweep, Diagnostics& diagnostics);

/// Reports parameters that change the same value of the experiment's or the probe's `document` by two paths: the table
/// would show both, whichever held.
void check_one_path_each(const SweepFile& sweep, const YamlNode& document, Diagnostics& diagnostics);

}  // namespace gputlm
