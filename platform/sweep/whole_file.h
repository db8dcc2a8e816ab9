// SPDX-License-Identifier: Apache-2.0
//
// Files of a sweep's directory: whoever reads one finds it whole, or not at all.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gputlm/system/statistics_tree.h"

namespace gputlm {

/// Throws std::runtime_error when the file cannot be written.
void write_whole(const std::filesystem::path& file, const std::string& text);

/// Nothing when the file is not there, cannot be read or is no JSON.
std::optional<Json> read_json(const std::filesystem::path& file);

}  // namespace gputlm
