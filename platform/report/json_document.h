// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// The largest file that a report reads.
inline constexpr std::uint64_t kLargestReportInput = std::uint64_t{1} << 28;

/// A JSON object from a file's text; `file` is its name for messages. Throws ConfigError when it is none, breaks off or
/// is nested so deeply that no program has written it.
Json parse_json_object(const std::string& text, const std::string& file);

/// The same from a file.
Json read_json_object(const std::string& file);

}  // namespace gputlm
