// SPDX-License-Identifier: Apache-2.0
#include "gputlm/config/data_dir.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

namespace gputlm {

namespace fs = std::filesystem;

namespace {

bool is_file(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_directory(status);
}

/// Free of links, and as seen from the working directory where it lies below it: what messages and origins show.
std::string as_shown(const fs::path& dir) {
  std::error_code error;
  const fs::path real = fs::canonical(dir, error);
  if (error) return dir.string();
  const fs::path here = fs::current_path(error);
  if (error) return real.string();
  const fs::path relative = real.lexically_proximate(here);
  return relative.empty() || *relative.begin() == ".." ? real.string() : relative.string();
}

/// `file` as it is, or with the extension.
std::string with_extension(const fs::path& file, const std::string& extension) {
  const fs::path extended = file.string() + extension;
  if (file.extension() != extension && is_file(extended)) return extended.string();
  return is_file(file) ? file.string() : std::string();
}

/// Directories with shipped files in share/gputlm above a file, nearest first.
void add_above(const fs::path& file, std::vector<std::string>& dirs) {
  for (fs::path dir = file.parent_path(); !dir.empty(); dir = dir.parent_path()) {
    const fs::path data = dir / "share" / "gputlm";
    std::error_code error;
    if (fs::is_directory(data / kConfigFolder, error)) dirs.push_back(data.string());
    if (dir == dir.root_path()) break;
  }
}

/// Places named by add_data_dir_above, which runs before main().
std::vector<std::string>& dirs_of_headers() {
  static std::vector<std::string> dirs;
  return dirs;
}

/// The file that this code was loaded from: the executable or a shared library.
fs::path own_file() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<void*>(&dirs_of_headers), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  return fs::canonical(info.dli_fname, error);
}

}  // namespace

bool add_data_dir_above(const char* file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  add_above(real, dirs_of_headers());
  return true;
}

std::vector<std::string> data_dirs() {
  std::vector<std::string> dirs;
  if (const char* chosen = std::getenv("GPUTLM_DATA_DIR"); chosen != nullptr && *chosen != '\0')
    dirs.emplace_back(chosen);
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  add_above(executable, dirs);
  if (const fs::path library = own_file(); library != executable) add_above(library, dirs);
  dirs.insert(dirs.end(), dirs_of_headers().begin(), dirs_of_headers().end());
  return dirs;
}

std::vector<std::string> list_shipped(const std::string& folder, const std::string& extension) {
  std::set<std::string> names;
  for (const std::string& dir : data_dirs()) {
    std::error_code error;
    for (fs::directory_iterator it(fs::path(dir) / folder, error), end; !error && it != end; it.increment(error)) {
      if (it->path().extension() == extension && is_file(it->path())) names.insert(it->path().stem().string());
    }
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> list_yaml(const std::string& folder) {
  return list_shipped(folder, kYamlExtension);
}

std::string find_shipped(const std::string& name_or_path, const std::string& folder, const std::string& extension,
                         const std::string& relative_to, Diagnostics& diagnostics) {
  if (name_or_path.empty()) {
    diagnostics.add({}, {}, fmt::format("an empty name of a file in {}", folder));
    return {};
  }
  const fs::path path(name_or_path);
  const fs::path beside = fs::path(relative_to) / path;
  if (path.has_parent_path()) {
    const std::string found = with_extension(beside, extension);
    return found.empty() ? beside.string() : found;
  }
  const bool is_named_as_file = path.extension() == extension;
  // Without an extension the name of a shipped file comes before a file that happens to lie in the working directory.
  if (is_named_as_file || !relative_to.empty()) {
    if (std::string found = with_extension(beside, extension); !found.empty()) return found;
  }
  for (const std::string& dir : data_dirs()) {
    const fs::path in = as_shown(fs::path(dir) / folder);
    if (std::string found = with_extension(in / path, extension); !found.empty()) return found;
  }
  if (is_named_as_file || is_file(beside)) return beside.string();
  const std::vector<std::string> names = list_shipped(folder, extension);
  diagnostics.add({}, {}, fmt::format("there is no file or name '{}' in {}", excerpt(name_or_path), folder), {},
                  names.empty() ? "a path (no shipped files were found; GPUTLM_DATA_DIR names their directory)"
                                : join_names(names) + ", or a path");
  return {};
}

std::string find_yaml(const std::string& name_or_path, const std::string& folder, const std::string& relative_to,
                      Diagnostics& diagnostics) {
  return find_shipped(name_or_path, folder, kYamlExtension, relative_to, diagnostics);
}

std::string find_yaml(const std::string& name_or_path, const std::string& folder) {
  Diagnostics diagnostics;
  std::string found = find_yaml(name_or_path, folder, {}, diagnostics);
  diagnostics.throw_if_any();
  return found;
}

}  // namespace gputlm
