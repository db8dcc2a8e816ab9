// SPDX-License-Identifier: Apache-2.0
//
// Runs the command as a user does and looks at what it leaves.
#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "gputlm/test_support/temp_folder.h"

namespace gputlm::test {

namespace fs = std::filesystem;

struct Result {
  int code = -1;
  std::string out;  // standard output and error together
};

/// Shell syntax may follow the arguments.
inline Result command(const std::string& arguments) {
  Result r;
  FILE* pipe = ::popen(("(" + std::string(GPUTLM_BINARY) + " " + arguments + ") 2>&1 </dev/null").c_str(), "r");
  std::array<char, 4096> block{};
  for (std::size_t n = 0; (n = std::fread(block.data(), 1, block.size(), pipe)) > 0;) r.out.append(block.data(), n);
  const int status = ::pclose(pipe);
  r.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  return r;
}

inline std::string contents(const fs::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline const char* const kSmall = R"(
experiment: small
config: tiny
buffers:
  out: {size: 1 MiB}
  in: {size: 1 MiB}
image:
  in: pattern
phases:
  - {name: write, pattern: stream_store, buffer: out, grid: 16, block: 128}
  - {name: read, pattern: stream_load, buffer: in, grid: 16, block: 128}
)";

/// A run's summary.json.
inline nlohmann::json summary_in(const fs::path& directory) {
  return nlohmann::json::parse(contents(directory / "summary.json"));
}

/// Names of what lies in a directory, sorted, with blanks between.
inline std::string listing(const fs::path& directory) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) names.insert(entry.path().filename().string());
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : " ") + n;
  return all;
}

}  // namespace gputlm::test
