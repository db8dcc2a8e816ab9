// SPDX-License-Identifier: Apache-2.0
//
// The directory that a run has left, read for a report.
#pragma once

#include <filesystem>
#include <string>

#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// Everything that a report says of a run, as docs/report.md has it. Throws ConfigError when the directory is no run's
/// or one of its files is not whole.
Json read_run_folder(const std::filesystem::path& folder);

/// The statistics of stats.json turned round: by kind of unit and by name, {unit, description, values: one a unit}.
/// Means of distributions.
Json by_kind(const Json& statistics);

/// The columns of a timeseries.csv, with at most `most` rows, evenly taken. Null when the text is none.
Json columns_of(const std::string& csv, std::size_t most);

}  // namespace gputlm
