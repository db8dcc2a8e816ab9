// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gputlm/config/diagnostics.h"

namespace gputlm {

/// `file` as seen from `folder`; from the working directory when that is empty.
std::string file_in(const std::string& folder, const std::string& file);

/// Reads the bytes of an array of that size. False, and a diagnostic at `place` and `path`, when the file cannot be
/// read or has another size.
bool read_array_file(const std::string& file, std::uint64_t bytes, std::vector<unsigned char>& data, const Place& place,
                     const std::string& path, Diagnostics& diagnostics);

}  // namespace gputlm
