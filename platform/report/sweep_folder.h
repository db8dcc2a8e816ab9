// SPDX-License-Identifier: Apache-2.0
//
// The directory that a sweep has left, read for a report.
#pragma once

#include <filesystem>

#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// Name of the file that makes a directory a sweep's (docs/sweeps.md).
inline constexpr const char* kSweepFile = "sweep.json";

/// The sweep with all its points, and its directory. Throws ConfigError when the file is not whole or of another form.
Json read_sweep_folder(const std::filesystem::path& folder);

/// The same from the file's text; `file` is its name for messages.
Json parse_sweep(const std::string& text, const std::string& file);

}  // namespace gputlm
