// SPDX-License-Identifier: Apache-2.0
//
// Finds the files shipped with the product. They live in share/gputlm next to the executable's own directory or one
// above it: PREFIX/share/gputlm for PREFIX/bin/gputlm, and a link to the sources in a build tree, so no path is
// compiled into a binary. GPUTLM_DATA_DIR, when set, comes first.
#pragma once

#include <string>
#include <vector>

#include "gputlm/config/diagnostics.h"

namespace gputlm {

inline constexpr const char* kConfigFolder = "configs";
inline constexpr const char* kExperimentFolder = "configs/experiments";
/// Listings of compiled kernels, with their source.
inline constexpr const char* kListingFolder = "kernels";
inline constexpr const char* kYamlExtension = ".yaml";
inline constexpr const char* kListingExtension = ".sass";
/// The configuration that is meant when none is named.
inline constexpr const char* kDefaultConfig = "rtx4090";

/// Directories that hold shipped files, best first.
std::vector<std::string> data_dirs();

/// Names of the files with that extension in that folder of the data directories, without the extension, sorted.
std::vector<std::string> list_shipped(const std::string& folder, const std::string& extension);
std::vector<std::string> list_yaml(const std::string& folder);

/// The file meant by `name_or_path`: a path (relative to `relative_to` when given, else to the working directory), or
/// the name of a file in `relative_to` or in `folder` of the data directories, with or without its extension. A path is
/// returned whether the file exists or not; for an unknown name the result is empty and a diagnostic names those known.
std::string find_shipped(const std::string& name_or_path, const std::string& folder, const std::string& extension,
                         const std::string& relative_to, Diagnostics& diagnostics);
std::string find_yaml(const std::string& name_or_path, const std::string& folder, const std::string& relative_to,
                      Diagnostics& diagnostics);

/// find_yaml from the working directory; throws ConfigError for an unknown name.
std::string find_yaml(const std::string& name_or_path, const std::string& folder);

}  // namespace gputlm
