// SPDX-License-Identifier: Apache-2.0
//
// One point's folder: what is to run, its output, and how it ended. Whoever runs a point needs nothing but its folder,
// so that it makes no difference which machine that is.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gputlm {

/// What a point's folder holds.
inline constexpr const char *kPointFile = "point.json", *kPointRun = "run", *kPointRows = "rows.json",
                            *kPointLog = "log.txt", *kPointResult = "result.json";

/// What a point runs: `arguments` follow the program's name.
struct PointTask {
  bool probe = false;
  std::vector<std::string> arguments;
};

/// How a point ended.
struct PointEnd {
  bool done = false;
  std::string problem;  ///< Why not.
};

/// Makes the folder of a point that is to run, without anything of an earlier run. Throws std::runtime_error when it
/// cannot be written.
void prepare_point(const std::filesystem::path& folder, const PointTask& task);

/// How the point ended; nothing when it has not.
std::optional<PointEnd> point_end(const std::filesystem::path& folder);

/// Runs what the folder says with this program and leaves the result there, unless the run was stopped from outside.
/// A point that is done is left alone. Throws std::runtime_error when the folder is no point's or cannot be written.
void run_point(const std::filesystem::path& folder);

/// Leaves the word that a point failed, whose process left none.
void fail_point(const std::filesystem::path& folder, const std::string& problem);

}  // namespace gputlm
