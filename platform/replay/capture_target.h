// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gputlm {

/// Directories that were not there. Those that are empty in the end go again.
class MadeDirectories {
 public:
  MadeDirectories() = default;
  ~MadeDirectories();
  MadeDirectories(MadeDirectories&&) = default;
  MadeDirectories(const MadeDirectories&) = delete;
  MadeDirectories& operator=(const MadeDirectories&) = delete;

  /// Makes this one and those it lies in. Throws ConfigError.
  void make(const std::filesystem::path& path);

 private:
  std::vector<std::filesystem::path> made_;  ///< The outermost first.
};

/// A place for a trace.
class CaptureTarget {
 public:
  /// A name that ends with .traceg is a file, any other a directory. `inputs`: files that the run reads. Throws
  /// ConfigError when it cannot be written.
  CaptureTarget(std::string path, std::vector<std::string> inputs);

  /// Makes the directory for so many kernels. Throws ConfigError when it cannot be made, or something stands in it that
  /// cannot be replaced.
  [[nodiscard]] MadeDirectories open(std::size_t kernels) const;
  bool single() const { return single_; }
  const std::string& path() const { return path_; }
  std::string kernel_file(std::size_t number) const;
  std::string list_file() const;

 private:
  void check_replaceable(const std::string& file) const;

  std::string path_;
  std::vector<std::string> inputs_;
  bool single_;
};

}  // namespace gputlm
