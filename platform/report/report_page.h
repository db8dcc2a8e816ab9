// SPDX-License-Identifier: Apache-2.0
//
// A report of runs or of sweeps: one HTML file that needs nothing else and asks nobody.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// More curves than colours that people tell apart help nobody.
inline constexpr std::size_t kMostRuns = 6;
/// The page keeps below it by leaving frames out.
inline constexpr std::size_t kPageBytes = 9'000'000;

/// The page of the runs, or of the sweeps, in these directories; `version` is the program's. Throws ConfigError with
/// what is wrong with each of them.
std::string report_page(const std::vector<std::filesystem::path>& folders, const std::string& version);

/// JSON that may stand in an HTML page whatever its texts say. Bytes that are no UTF-8 are replaced.
std::string page_json(const Json& document);

}  // namespace gputlm
