// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// Reads the whole of a regular file. False, with a problem that reads as a message ("is a directory, not a file"),
/// when it cannot be opened, is no regular file (a FIFO could block for ever, a device never end), or is larger than
/// `limit`: nothing of a file that is too large is read.
bool read_regular_file(const std::string& file, std::uint64_t limit, std::string& content, std::string& problem);

/// The same for a file that a user named; throws ConfigError.
std::string read_input_file(const std::string& file, std::uint64_t limit);

/// Throws ConfigError unless the file can be written, before anything is worked out that is to stand in it. Leaves it
/// as it is, and does not leave one that was not there. Nor may it, or the name next to it under which it is written
/// (`FILE.part`), be one of `inputs`, which are read in the same run, by whatever name or link.
void check_output_file(const std::string& file, const std::vector<std::string>& inputs = {});

/// Gives the file this content: whoever reads it finds it whole, or as it was. False when that cannot be.
bool replace_file(const std::string& file, std::string_view content);

inline constexpr const char* kFileTooLarge = "the file is too large";

}  // namespace gputlm
