// SPDX-License-Identifier: Apache-2.0
#include "gputlm/launchspec/array_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "gputlm/config/regular_file.h"

namespace gputlm {

std::string file_in(const std::string& folder, const std::string& file) {
  return folder.empty() ? file : (std::filesystem::path(folder) / file).string();
}

bool read_array_file(const std::string& file, std::uint64_t bytes, std::vector<unsigned char>& data, const Place& place,
                     const std::string& path, Diagnostics& diagnostics) {
  std::string content, problem;
  const bool readable = read_regular_file(file, bytes, content, problem);
  if (readable && content.size() == bytes) {
    data.assign(content.begin(), content.end());
    return true;
  }
  const std::string name = excerpt(file);
  if (!readable && problem != kFileTooLarge) {
    diagnostics.add(place, path, fmt::format("file {} {}", name, problem));
  } else {
    const std::string found = readable ? fmt::format("{} bytes", content.size()) : "more";
    diagnostics.add(place, path, fmt::format("file {} has not the array's size", name), found,
                    fmt::format("{} bytes", bytes));
  }
  return false;
}

}  // namespace gputlm
