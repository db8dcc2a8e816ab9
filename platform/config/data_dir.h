// SPDX-License-Identifier: Apache-2.0
//
// Finds the files shipped with the product. They live in share/gputlm next to a directory above what uses them, so no
// path is compiled into a library: PREFIX/share/gputlm for PREFIX/bin/gputlm, a link to the sources in a build tree.
// Sought above the executable, above this library when it is a shared one, and above the installed public headers that
// the program was compiled with. GPUTLM_DATA_DIR, when set, comes first.
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

/// Adds share/gputlm above that file, if it is there, to the places that come last. True, for a variable to begin with.
bool add_data_dir_above(const char* file);

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
